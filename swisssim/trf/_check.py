"""What must hold between the lines of a report: opponents agree, points follow from results, lists name players."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import product
from typing import NoReturn

from ._errors import Context
from ._model import GAMES, PlayerAcceleration, PlayerRecord, Report, RoundEntry
from ._text import show_tenths

# Pairs of results, smaller meaning first, that the two players of a game can have. Both may lose, or one draw and the
# other lose (unusual, but legal); both may be missing.
_TOGETHER = frozenset(
    {
        ("LOSS", "WIN"),
        ("DRAW", "DRAW"),
        ("LOSS", "LOSS"),
        ("DRAW", "LOSS"),
        ("FORFEIT_LOSS", "FORFEIT_WIN"),
        ("FORFEIT_LOSS", "FORFEIT_LOSS"),
        ("POSTPONED", "POSTPONED"),
    }
)


def check_opponents(report: Report, ctx: Context) -> None:
    """Both players must tell a game alike: each other as opponents, opposite colours, results that go together."""
    for number, player in report.players.items():
        for round, entry in enumerate(player.rounds, 1):
            if not entry.opponent:
                continue
            other = report.players.get(entry.opponent)
            if other is None:
                _fail(
                    ctx,
                    player,
                    round,
                    f"opponent {entry.opponent} does not exist; expected the number of a player with a 001 line",
                )
            if entry.opponent == number:
                _fail(ctx, player, round, "the opponent is the player; expected another one")
            answer = other.entry(round)
            if answer.opponent != number:
                says = f"opponent {answer.opponent}" if answer.opponent else "no opponent"
                _fail(
                    ctx,
                    player,
                    round,
                    f"opponent {entry.opponent}, but player {entry.opponent}{_line(other)} has {says} in round "
                    f"{round}; expected opponent {number} there",
                )
            if number < entry.opponent:
                _check_game(ctx, player, other, round)


def _check_game(ctx: Context, player: PlayerRecord, other: PlayerRecord, round: int) -> None:
    """Colours and results of one game."""
    one, two = player.entry(round), other.entry(round)
    if one.colour == two.colour and one.colour in ("w", "b"):
        colour = "White" if one.colour == "w" else "Black"
        _fail(
            ctx,
            player,
            round,
            f"players {player.number} and {other.number}{_line(other)} both have {colour} in round {round}; "
            "expected w for one and b for the other",
        )
    if "w" not in (one.colour, two.colour) and "b" not in (one.colour, two.colour):
        ctx.warn(
            f"round {round}: nobody has White in the game of players {player.number} and {other.number}; "
            f"{min(player.number, other.number)} is taken for White",
            player.line,
            player.columns(round),
        )
    if _together(one, two):
        if one.rated != two.rated and one.played:
            ctx.warn(
                f"round {round}: the game of players {player.number} and {other.number} is rated for one of them only",
                player.line,
                player.columns(round),
            )
        return
    if not ctx.strict and _mend_forfeit(ctx, player, other, round):
        return
    _fail(
        ctx,
        player,
        round,
        f"result {one.code or 'blank'} does not go with result {two.code or 'blank'} of player "
        f"{other.number}{_line(other)} in round {round}; expected for instance 1 and 0, = and =, + and -",
    )


def _together(one: RoundEntry, two: RoundEntry) -> bool:
    first, second = sorted((GAMES[one.code], GAMES[two.code]))
    return (first, second) in _TOGETHER


def _mend_forfeit(ctx: Context, player: PlayerRecord, other: PlayerRecord, round: int) -> bool:
    """A win against somebody who lost by forfeit is a win by forfeit."""
    for winner, loser in ((player, other), (other, player)):
        entry = winner.entry(round)
        if entry.code in ("1", "W") and loser.entry(round).code == "-":
            winner.rounds[round - 1] = entry._replace(code="+")
            ctx.warn(
                f"player {winner.number}, round {round}: result {entry.code} against the forfeit loss of "
                f"player {loser.number} is read as a forfeit win",
                winner.line,
                winner.columns(round),
            )
            return True
    return False


def _fail(ctx: Context, player: PlayerRecord, round: int, message: str) -> NoReturn:
    ctx.fail(
        message, player.line, None if player.line is None else player.columns(round), player=player.number, round=round
    )


def _line(player: PlayerRecord) -> str:
    return "" if player.line is None else f" (line {player.line})"


def check_points(report: Report, ctx: Context) -> None:
    """Compare columns 81-84 with the results; coming byes and virtual points may be inside or not."""
    played = report.rounds_played
    rounds = f"{played} round{'s' * (played != 1)}"
    coming, totals = report.announced(played + 1), report.all_points(played)
    for number, player in report.players.items():
        if player.points is None:
            continue
        plain = totals[number]
        if player.points == plain:
            continue
        columns = (81 + player.shift, 84 + player.shift)
        accepted = _other_spellings(report, player, plain, coming.get(number), played)
        says = f"player {number}: points {show_tenths(player.points)}"
        if player.points in accepted:
            ctx.warn(
                f"{says} include {accepted[player.points]} (the results of {rounds} give {show_tenths(plain)})",
                player.line,
                columns,
            )
        else:
            ctx.warn(
                f"{says}, but the results of {rounds} give {show_tenths(plain)}; the results are used",
                player.line,
                columns,
            )


def _other_spellings(
    report: Report, player: PlayerRecord, plain: int, bye: RoundEntry | None, played: int
) -> dict[int, str]:
    """Points that are right too, by what they include; the simplest explanation of a number wins."""
    extras = {0: ""}
    unfinished = sum(report.entry(player.number, round).meaning == "POSTPONED" for round in range(1, played + 1))
    if unfinished and report.points.unknown is None:
        extras[unfinished * report.points.draw] = "a draw for each unfinished game"
    if bye is not None:
        for extra, words in list(extras.items()):
            extras.setdefault(
                extra + report.points.worth(bye), _join(words, f"the bye ({bye.code}) announced for round {played + 1}")
            )
    without = list(extras.items())
    for round in (played + 1, played):
        virtual = report.virtual_points(player.number, round)
        for extra, words in without:
            extras.setdefault(extra + virtual, _join(words, f"{show_tenths(virtual)} virtual points of round {round}"))
    return {plain + extra: words for extra, words in extras.items()}


def _join(one: str, two: str) -> str:
    return f"{one} and {two}" if one else two


def check_header(report: Report, ctx: Context) -> None:
    """Numbers in the header against the players and rounds that are there; never an error."""
    rated = sum(bool(player.rating) for player in report.players.values())
    for code, count, what in (("062", len(report.players), "players"), ("072", rated, "rated players")):
        for value in report.headers.get(code, []):
            said = value.split()[0] if value.split() else ""
            if said.isdecimal() and said.isascii() and said.lstrip("0") != str(count):
                ctx.warn(f"{code} says {said} {what}, the file has {count}")
    played = report.rounds_played
    if report.rounds is not None and played > report.rounds:
        ctx.warn(f"the number of rounds is {report.rounds}, but round {played} was paired")
    paired = {
        round
        for player in report.players.values()
        for round, entry in enumerate(player.rounds, 1)
        if entry.opponent or entry.code == "U"
    }
    for round in sorted(set(range(1, played + 1)) - paired):
        ctx.warn(f"nobody was paired in round {round}, but in round {played}")


def check_lists(report: Report, ctx: Context) -> None:
    """Byes to come, forbidden pairs and virtual points must name players of the file; never an error."""
    byes = [("byes to come", bye.players) for bye in report.byes]
    pairs = [("forbidden pairs", item.players) for item in report.forbidden]
    for what, numbers in (*byes, *pairs):
        missing = [str(number) for number in numbers if number not in report.players]
        names = ", ".join(missing[:10]) + " ..." * (len(missing) > 10)
        if missing:
            ctx.warn(f"{what} name players without a 001 line: {names}")
    played = report.rounds_played
    for bye in report.byes:
        if bye.round is None or bye.round > played:
            continue
        for number in bye.players:
            if number in report.players and report.players[number].entry(bye.round).opponent:
                ctx.warn(
                    f"240 announces a bye ({bye.kind}) in round {bye.round} for player {number}, who was paired; the pairing counts"
                )


def check_acceleration(report: Report, ctx: Context) -> None:
    """Virtual points should be given once for each player and round; never an error."""
    numbers = sorted(report.players)
    horizon = report.rounds or report.rounds_played + 1
    seen: set[tuple[int, int]] = set()
    for item in report.acceleration:
        if isinstance(item, PlayerAcceleration):
            covered, rounds = [item.player], range(1, min(len(item.points), horizon) + 1)
        else:
            covered = numbers[bisect_left(numbers, item.first_player) : bisect_right(numbers, item.last_player)]
            rounds = range(item.first_round, min(item.last_round, horizon) + 1)
        for cell in product(covered, rounds):
            if cell in seen:
                ctx.warn(
                    f"virtual points of player {cell[0]} in round {cell[1]} are given more than once, and are added up"
                )
                return
            seen.add(cell)


def check_pairing_byes(report: Report, ctx: Context) -> None:
    """The pairing-allocated bye is given once in a round."""
    seen: dict[int, int] = {}
    for number, player in report.players.items():
        for round, entry in enumerate(player.rounds, 1):
            if entry.code != "U":
                continue
            if round in seen:
                ctx.warn(
                    f"round {round}: players {seen[round]} and {number} both have the pairing-allocated bye",
                    player.line,
                    player.columns(round),
                )
            seen[round] = number


def check(report: Report, ctx: Context) -> None:
    """Everything between the lines of a report, errors first."""
    if not report.players:
        ctx.fail("no player; expected at least one line that starts with 001")
    check_opponents(report, ctx)
    check_lists(report, ctx)
    check_acceleration(report, ctx)
    check_pairing_byes(report, ctx)
    check_header(report, ctx)
    check_points(report, ctx)
