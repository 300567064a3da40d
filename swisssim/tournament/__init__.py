"""One event: history in, the next round's pairing out."""

from swisssim.tournament._event import Tournament
from swisssim.tournament._records import Pairing

__all__ = ["Pairing", "Tournament"]
