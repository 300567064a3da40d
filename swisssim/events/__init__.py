"""Files of events: pairings as engines write them, checks of whole folders, random tournaments."""

from swisssim.events._check import Checks, FileCheck, RoundCheck, check, check_event, check_file, find_files
from swisssim.events._config import from_config, parse_config
from swisssim.events._generate import Generator, attendance_of, like
from swisssim.events._output import pairing_data, pairing_text

__all__ = [
    "Checks",
    "FileCheck",
    "Generator",
    "RoundCheck",
    "attendance_of",
    "check",
    "check_event",
    "check_file",
    "find_files",
    "from_config",
    "like",
    "pairing_data",
    "pairing_text",
    "parse_config",
]
