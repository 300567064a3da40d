"""One event: history in, the next round's pairing out."""

from swisssim.tournament._event import Tournament
from swisssim.tournament._from_trf import points_of
from swisssim.tournament._records import Pairing
from swisssim.tournament._to_trf import LETTERS, coded_type, point_system, type_header

__all__ = ["LETTERS", "Pairing", "Tournament", "coded_type", "point_system", "points_of", "type_header"]
