"""Files of real events: pairings as engines write them, checks of whole folders."""

from swisssim.events._check import Checks, FileCheck, RoundCheck, check, check_event, check_file, find_files
from swisssim.events._output import pairing_data, pairing_text

__all__ = [
    "Checks",
    "FileCheck",
    "RoundCheck",
    "check",
    "check_event",
    "check_file",
    "find_files",
    "pairing_data",
    "pairing_text",
]
