"""FIDE tournament report files, read and written: TRF06, TRF16, TRF26 and the extensions of JaVaFo and bbpPairings.

`read` gives a `Report`: players with their rounds as typed values, checked against each other, and remarks on
everything that deserves a look. `write` gives the file back: lines nobody changed stay as they were, unknown ones too.
This room knows no pairing.
"""

from __future__ import annotations

from ._errors import Remark, TrfError, TrfWarning
from ._model import (
    Acceleration,
    ByeRequest,
    ForbiddenPairs,
    PlayerAcceleration,
    PlayerRecord,
    PointSystem,
    RawRecord,
    Report,
    RoundEntry,
    Team,
)
from ._read import read, reads
from ._write import dumps, new_report, write

__all__ = [
    "Acceleration",
    "ByeRequest",
    "ForbiddenPairs",
    "PlayerAcceleration",
    "PlayerRecord",
    "PointSystem",
    "RawRecord",
    "Remark",
    "Report",
    "RoundEntry",
    "Team",
    "TrfError",
    "TrfWarning",
    "dumps",
    "new_report",
    "read",
    "reads",
    "write",
]
