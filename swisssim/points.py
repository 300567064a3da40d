"""What a result is worth: points for each result code, in tenths."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from swisssim.errors import SwissError, unknown

_NAMES = ("win", "draw", "loss", "forfeit_win", "forfeit_loss", "bye", "full_bye", "half_bye", "zero_bye")


def tenths(value: float, what: str) -> int:
    """Return points as a whole number of tenths, or raise an error that names what was given."""
    scaled = round(float(value) * 10) if value == value else None
    if scaled is None or abs(scaled - float(value) * 10) > 1e-6 or not 0 <= scaled <= 1000:
        raise SwissError(f"{what} is {value!r}; points are multiples of 0.1 from 0 to 100")
    return scaled


@dataclass(frozen=True)
class Points:
    """Points in tenths for every kind of result; the usual 1 - 1/2 - 0 by default.

    Parameters
    ----------
    win, draw, loss : int
        For games.
    forfeit_win, forfeit_loss : int
        For forfeits.
    bye : int
        For the pairing-allocated bye.
    full_bye, half_bye, zero_bye : int
        For requested byes and absences.
    """

    win: int = 10
    draw: int = 5
    loss: int = 0
    forfeit_win: int = 10
    forfeit_loss: int = 0
    bye: int = 10
    full_bye: int = 10
    half_bye: int = 5
    zero_bye: int = 0

    @classmethod
    def of(cls, given: Mapping[str, float] | Points | None) -> Points:
        """Return points from a mapping such as ``{"win": 3, "draw": 1}``, in points.

        What is not named follows: ``forfeit_win``, ``bye`` and ``full_bye`` are worth a win, ``half_bye`` a draw,
        ``forfeit_loss`` a loss, ``zero_bye`` nothing.
        """
        if given is None:
            return cls()
        if isinstance(given, Points):
            return given
        for name in given:
            if name not in _NAMES:
                raise unknown("kind of result in points", name, _NAMES)
        known = {name: tenths(value, f"points of {name}") for name, value in given.items()}
        win, draw, loss = known.get("win", 10), known.get("draw", 5), known.get("loss", 0)
        if not win >= draw >= loss:
            raise SwissError(f"points must not grow from win to draw to loss: {win / 10}, {draw / 10}, {loss / 10}")
        follow = {"forfeit_win": win, "bye": win, "full_bye": win, "half_bye": draw, "forfeit_loss": loss}
        return cls(**{"win": win, "draw": draw, "loss": loss, **follow, **known})

    @property
    def worth(self) -> tuple[int, ...]:
        """Tenths for each result code, as the core wants them."""
        return (
            self.zero_bye,
            self.win,
            self.draw,
            self.loss,
            self.forfeit_win,
            self.forfeit_loss,
            self.bye,
            self.full_bye,
            self.half_bye,
            self.zero_bye,
            0,
        )

    def to_dict(self) -> dict[str, float]:
        """Return the points by kind of result, in points."""
        return {name: getattr(self, name) / 10 for name in _NAMES}
