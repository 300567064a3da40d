"""The test suite; a package, so that tests share the twins, the golden data and the invariant checker."""
