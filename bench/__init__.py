"""Benchmarks: run them with ``python -m pytest bench --benchmark-enable``."""
