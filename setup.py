"""Build of the compiled modules; everything else stands in pyproject.toml.

Every ``.pyx`` below ``swisssim`` becomes an extension module, so a new pairing system is one new file. Set ``SWISSSIM_DEBUG=1`` for a build
with bounds checks, without optimisation and with the address and undefined-behaviour sanitizers.
"""

import os
import sys
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

DEBUG = os.environ.get("SWISSSIM_DEBUG", "") not in ("", "0")
HERE = Path(__file__).parent

directives = {
    "language_level": 3,
    "boundscheck": DEBUG,
    "wraparound": False,
    "initializedcheck": DEBUG,
    "cdivision": True,
    "embedsignature": True,
    "freethreading_compatible": True,
}

if sys.platform == "win32":
    compile_args, link_args = ["/O2"], []
elif DEBUG:
    compile_args = [
        "-O1",
        "-g",
        "-fno-omit-frame-pointer",
        "-fsanitize=address,undefined",
        "-fno-sanitize-recover=undefined",
    ]
    link_args = ["-fsanitize=address,undefined"]
else:
    compile_args, link_args = ["-O3", "-fno-strict-aliasing"], []


def extensions() -> list[Extension]:
    """Return one extension for each ``.pyx`` file, named by its place."""
    found = []
    for path in sorted((HERE / "swisssim").rglob("*.pyx")):
        relative = path.relative_to(HERE)
        name = ".".join(relative.with_suffix("").parts)
        found.append(Extension(name, [str(relative)], extra_compile_args=compile_args, extra_link_args=link_args))
    return found


setup(ext_modules=cythonize(extensions(), compiler_directives=directives, quiet=True))
