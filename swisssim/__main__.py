"""``python -m swisssim`` is the `swisssim` command."""

from swisssim.cli import main

main()
