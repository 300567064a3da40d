"""swisssim: pair, simulate and compare Swiss-system tournaments."""

from swisssim.errors import NoPairingError, SwissError
from swisssim.pairing import SYSTEMS, PairingSystem, system
from swisssim.tournament import Pairing, Tournament

__version__ = "0.1.0"

__all__ = ["SYSTEMS", "NoPairingError", "Pairing", "PairingSystem", "SwissError", "Tournament", "system"]
