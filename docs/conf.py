"""Configuration of the documentation site; build it with ``python -m sphinx -W -n docs docs/_build``."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import swisssim

HERE = Path(__file__).parent

project = "swisssim"
author = "The swisssim developers"
project_copyright = "The swisssim developers"
version = release = swisssim.__version__

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx_click",
    "sphinx_copybutton",
    "sphinx_design",
    "numpydoc",
    "myst_nb",
]
exclude_patterns = ["_build", "jupyter_execute", "**/.ipynb_checkpoints", "examples"]
nitpicky = True
default_role = "autolink"
# In docstrings a name without a dot may be a parameter or an attribute; dotted names of ours must lead somewhere.
nitpick_ignore_regex = [("py:obj", r"[^.]*|(concurrent|matplotlib|numpy|pandas|scipy)\..*")]

# The docstrings name types and units themselves.
autodoc_typehints = "none"
autodoc_member_order = "bysource"
autosummary_generate = False
numpydoc_show_class_members = False

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3

copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

html_theme = "pydata_sphinx_theme"
html_title = "swisssim"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_sidebars: dict[str, list[str]] = {page: [] for page in ("index", "tutorial", "found")}
html_show_sourcelink = False
html_theme_options = {
    "navbar_end": ["theme-switcher"],
    "secondary_sidebar_items": ["page-toc"],
    "show_prev_next": True,
    "footer_start": ["copyright"],
    "footer_end": [],
}
html_context = {"default_mode": "auto"}

# The notebooks of the repository become pages, run at the build; SWISSSIM_TOURNAMENTS overrides the number of tournaments.
nb_execution_mode = "force"
nb_execution_timeout = 120
nb_execution_raise_on_error = True
nb_merge_streams = True


def copy_notebooks() -> None:
    """Copy the notebooks and their data next to the pages, where Sphinx can see them."""
    target = HERE / "notebooks"
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(HERE.parent / "notebooks", target, ignore=shutil.ignore_patterns(".*", "__pycache__"))


copy_notebooks()
# Notebooks run in processes of their own, which must find the same package when it is not installed.
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(HERE.parent), os.environ.get("PYTHONPATH", "")]))
