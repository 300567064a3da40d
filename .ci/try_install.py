"""Imports every module of an installed swisssim and runs a small comparison on threads; run away from the source."""

import importlib
import pkgutil
import sys
import sysconfig
import tempfile
from pathlib import Path

import swisssim
from swisssim import cli

package = Path(swisssim.__file__).parent
assert "site-packages" in package.parts, f"this is not an installed package: {package}"
for info in pkgutil.walk_packages([str(package)], "swisssim."):
    if info.name != "swisssim.__main__":
        importlib.import_module(info.name)
for name in ("py.typed", "_core.pyi", "_state.pxd", "_core.pyx", "templates/report.html"):
    assert (package / name).exists(), f"{name} is not installed"
if sysconfig.get_config_var("Py_GIL_DISABLED"):
    assert not sys._is_gil_enabled(), "a module has switched the GIL on"

field = swisssim.Field.uniform(players=20, low=1400, high=2200)
for system in swisssim.SYSTEMS:
    one, many = (
        swisssim.simulate(system, field, rounds=5, tournaments=40, block=5, threads=threads, progress=False)
        for threads in (1, 4)
    )
    assert one == many, f"{system}: threads change the results"
with tempfile.TemporaryDirectory() as folder:
    words = ["compare", "--players", "12", "--rounds", "4", "--tournaments", "40", "--out", f"{folder}/out"]
    assert cli.run(words) == 0
    assert (Path(folder) / "out" / "report.html").exists()
print(f"swisssim {swisssim.__version__} works on {sys.version}")
