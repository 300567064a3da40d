"""swisssim: pair, simulate and compare Swiss-system tournaments."""

from swisssim.errors import NoPairingError, SwissError
from swisssim.field import Field
from swisssim.pairing import SYSTEMS, PairingSystem, system
from swisssim.participation import Participation
from swisssim.results import Results
from swisssim.simulation import simulate
from swisssim.tournament import Pairing, Tournament

__version__ = "0.1.0"

__all__ = [
    "SYSTEMS",
    "Field",
    "NoPairingError",
    "Pairing",
    "PairingSystem",
    "Participation",
    "Results",
    "SwissError",
    "Tournament",
    "simulate",
    "system",
]
