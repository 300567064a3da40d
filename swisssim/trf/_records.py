"""All records but 001, read and written: header, rounds, colour, points, byes to come, acceleration, forbidden."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from ._errors import Columns, Context
from ._model import (
    Acceleration,
    ByeRequest,
    ForbiddenPairs,
    PlayerAcceleration,
    PointSystem,
    RawRecord,
    Report,
    Team,
)
from ._rounds import MOST_ROUNDS
from ._text import show_tenths, tenths, tokens, whole

HEADERS = {
    "012": "name of the tournament",
    "022": "city",
    "032": "federation",
    "042": "date of start",
    "052": "date of end",
    "062": "number of players",
    "072": "number of rated players",
    "082": "number of teams",
    "092": "type of tournament",
    "102": "chief arbiter",
    "112": "deputy arbiters",
    "122": "time control",
    "132": "dates of the rounds",
    "172": "method of the starting rank",
    "182": "pairing controller or program",
    "202": "tie-breaks",
    "212": "tie-breaks",
    "222": "coded time control",
    "352": "colours of the boards",
    "362": "team scoring",
}
KEPT = {
    "299": "abnormal points",
    "300": "line-up",
    "310": "team",
    "320": "team pairing bye",
    "330": "forfeited match",
    "801": "team pairings",
    "802": "team pairings",
    "DAT": "dates of the rounds",
}
_SYMBOLS = {
    "W": ("win",),
    "D": ("draw",),
    "L": ("loss",),
    "A": ("absence", "forfeit_loss"),
    "Z": ("absence", "forfeit_loss"),
    "P": ("pairing_bye",),
    "X": ("unknown",),
    "F": ("full_bye",),
    "H": ("half_bye",),
}
_JAVAFO = {
    "W": "win",
    "D": "draw",
    "L": "loss",
    "BW": "black_win",
    "BD": "black_draw",
    "BL": "black_loss",
    "ZPB": "absence",
    "HPB": "half_bye",
    "FPB": "full_bye",
    "PAB": "pairing_bye",
    "FW": "forfeit_win",
    "FL": "forfeit_loss",
}
_JAVAFO_WHITE = {"WW": "win", "WD": "draw", "WL": "loss"}
_BBP = {"BBW": "win", "BBD": "draw", "BBL": "loss", "BBZ": "absence", "BBF": "forfeit_loss", "BBU": "pairing_bye"}
_SYMBOL = re.compile(r"([A-Za-z]+)\s*([0-9.,]+)(?=\s|$)|\S+")
_DATE = re.compile(r"[0-9]{4}[/.-][0-9]{2}[/.-][0-9]{2}")
_LETTERS = re.compile(r"[A-Z]{3}(?: |$)")


@dataclass
class Reading:
    """A report while it is read: where every statement came from, so that contradictions can be named."""

    report: Report
    ctx: Context
    stated: dict[str, tuple[str, object, int]] = field(default_factory=dict)
    chesspairing: bool = False
    unknown: dict[str, list[int]] = field(default_factory=dict)

    def state(self, key: str, value: object, code: str, line: int) -> bool:
        """Note a statement; True if it holds: the standard's records beat extensions, else the later line counts."""
        old = self.stated.get(key)
        holds = old is None or not (old[0].isdigit() and not code.isdigit())
        if old is not None and old[1] != value:
            kept = value if holds else old[1]
            self.ctx.warn(
                f"{code} says {value!r} for {key}, {old[0]} in line {old[2]} says {old[1]!r}; {kept!r} is used", line
            )
        if holds:
            self.stated[key] = (code, value, line)
        return holds


def parse_record(reading: Reading, text: str, line: int) -> tuple[str, object]:
    """Read any line but 001 into the report; the group it belongs to and what it said."""
    code = text[:3]
    if not text.strip():
        return "blank", None
    if text.startswith("###"):
        if text[3:].strip().startswith("chesspairing:"):
            reading.chesspairing = True
        reading.report.comments.append(text)
        return "comments", text
    if code in HEADERS and not text[3:4].strip():
        return f"header {code}", _header(reading, code, text, line)
    handler = _HANDLERS.get(code)
    if handler is not None and not text[3:4].strip() and not (reading.chesspairing and code in ("XXS", "XXA")):
        return handler(reading, text, line)
    if code not in KEPT:
        reading.unknown.setdefault(code, []).append(line)
    record = RawRecord(code, text)
    reading.report.other.append(record)
    return "other", record


def remark_unknown(reading: Reading) -> None:
    """One remark for each code that isn't understood, however many lines it has."""
    for code, lines in reading.unknown.items():
        if code in ("XXS", "XXA"):
            what = "has another meaning in chesspairing files, and is not used"
        elif _LETTERS.match(code) and not code.startswith(("XX", "BB")):
            what = "is taken for a national record, and is not used"
        else:
            what = "is not known, and is not used"
        more = "" if len(lines) == 1 else f" ({len(lines)} lines)"
        reading.ctx.warn(f"record {code!r}{more} {what}; kept as it stands", lines[0], (1, 3))


def _header(reading: Reading, code: str, text: str, line: int) -> str:
    """A header is free text: strange contents are remarked and never refused."""
    # 132 has its dates in fixed columns, so the blanks in front belong to it.
    value = text[4:].rstrip() if code == "132" else text[4:].strip()
    reading.report.headers.setdefault(code, []).append(value)
    columns = (5, max(5, len(text)))
    meaning = HEADERS[code]
    if code in ("042", "052") and value and not _DATE.fullmatch(value):
        reading.ctx.warn(f"{meaning} ({code}) {value!r} is not of the form YYYY/MM/DD", line, columns)
    elif code in ("062", "072", "082") and value and not value.split()[0].isdecimal():
        reading.ctx.warn(f"{meaning} ({code}) {value!r} is not a number", line, columns)
    elif code in ("022", "032", "102", "112") and "://" in value:
        reading.ctx.warn(f"{meaning} ({code}) holds an address: {value!r}", line, columns)
    return value


def _announced_rounds(reading: Reading, text: str, line: int) -> tuple[str, object]:
    """142 and XXR."""
    words = tokens(text, 3)
    rounds = whole(words[0][0]) if len(words) == 1 else None
    if rounds is None or not 1 <= rounds <= MOST_ROUNDS:
        reading.ctx.reject(
            f"number of rounds {text[3:].strip()!r}; expected one number 1..{MOST_ROUNDS}", line, (4, max(4, len(text)))
        )
    elif reading.state("the number of rounds", rounds, text[:3], line):
        reading.report.rounds = rounds
    return "rounds", text[:3]


def _initial_colour(reading: Reading, text: str, line: int) -> tuple[str, object]:
    """152."""
    value = text[3:].strip().upper()
    if value not in ("W", "B"):
        reading.ctx.reject(f"initial colour {text[3:].strip()!r}; expected W or B", line, (5, max(5, len(text))))
    else:
        _set_colour(reading, value, "152", line)
    return "colour", "152"


def _set_colour(reading: Reading, value: str, code: str, line: int) -> None:
    if reading.state("the initial colour", value, code, line):
        reading.report.initial_colour = "W" if value == "W" else "B"


def _configuration(reading: Reading, text: str, line: int) -> tuple[str, object]:
    """XXC, with one or several words."""
    for word, columns in tokens(text, 3):
        if word.lower() in ("white1", "black1"):
            _set_colour(reading, word[0].upper(), "XXC", line)
        elif word.lower() == "rank":
            reading.report.rank_order = True
        else:
            reading.ctx.warn(
                f"XXC word {word!r} is not known, and is not used; expected white1, black1 or rank", line, columns
            )
    return "configuration", text[3:]


def _set_points(reading: Reading, names: tuple[str, ...], value: int, code: str, line: int) -> None:
    for name in names:
        if reading.state(f"the points of {name.replace('_', ' ')}", value, code, line):
            reading.report.points = replace(reading.report.points, **{name: value})


def _points(reading: Reading, text: str, line: int) -> tuple[str, object]:
    """162: symbols with values; the standard's prose and table disagree about the columns, so blanks decide."""
    for match in _SYMBOL.finditer(text, 3):
        columns = (match.start() + 1, match.end())
        value = tenths(match[2] or "")
        if value is None:
            reading.ctx.reject(f"points {match[0]!r}; expected symbols with values such as W 3.0", line, columns)
        elif match[1].upper() in _SYMBOLS:
            _set_points(reading, _SYMBOLS[match[1].upper()], value, "162", line)
        else:
            known = " ".join(_SYMBOLS)
            reading.ctx.warn(
                f"162 symbol {match[1]!r} is not known, and is not used; expected one of {known}", line, columns
            )
    return "points", "162"


def _javafo_points(reading: Reading, text: str, line: int) -> tuple[str, object]:
    """XXS: CODE=VALUE."""
    for word, columns in tokens(text, 3):
        code, _, found = word.partition("=")
        code, value = code.upper(), tenths(found)
        name = _JAVAFO.get(code) or _JAVAFO_WHITE.get(code)
        if name is None:
            known = " ".join((*_JAVAFO, *_JAVAFO_WHITE))
            reading.ctx.warn(f"XXS code {code!r} is not known, and is not used; expected one of {known}", line, columns)
        elif value is None:
            reading.ctx.reject(f"points {word!r}; expected a value such as {code}=1.5", line, columns)
        else:
            if code in _JAVAFO_WHITE:
                # Black keeps what it had: only White's points change.
                points = reading.report.points
                black = f"black_{name}"
                reading.report.points = replace(points, **{black: points.value(black)})
            _set_points(reading, (name,), value, "XXS", line)
    return "points", "XXS"


def _bbp_points(reading: Reading, text: str, line: int) -> tuple[str, object]:
    """BBW, BBD, BBL, BBZ, BBF, BBU."""
    value = tenths(text[3:])
    if value is None:
        reading.ctx.reject(f"points {text[3:].strip()!r}; expected a value such as 1.5", line, (4, max(4, len(text))))
    else:
        _set_points(reading, (_BBP[text[:3]],), value, text[:3], line)
    return "points", text[:3]


def _coded_type(reading: Reading, text: str, line: int) -> tuple[str, object]:
    """192."""
    value = text[3:].strip()
    if reading.state("the coded type", value, "192", line):
        reading.report.system = value
    return "system", "192"


def _numbers(reading: Reading, words: list[tuple[str, Columns]], code: str, line: int) -> tuple[int, ...]:
    """Starting numbers of a list, each once, in the order of the line."""
    found: dict[int, None] = {}
    for word, columns in words:
        number = whole(word)
        if not number or number > 9999:
            reading.ctx.reject(f"{code}: starting number {word!r}; expected a number 1..9999", line, columns)
            continue
        if number in found:
            reading.ctx.warn(f"{code}: player {number} is named twice", line, columns)
        found[number] = None
    return tuple(found)


def _byes(reading: Reading, text: str, line: int) -> tuple[str, object]:
    """240: type, round, players."""
    words = tokens(text, 3)
    kind = words[0][0].upper() if words else ""
    round = whole(words[1][0]) if len(words) > 1 else None
    if kind not in ("F", "H", "Z") or not round or round > MOST_ROUNDS:
        reading.ctx.reject(
            f"byes to come {text[3:].strip()!r}; expected F, H or Z in column 5, the round in 7-9 and players from 11 on",
            line,
            (5, max(5, len(text))),
        )
        return "byes", None
    bye = ByeRequest(kind, round, _numbers(reading, words[2:], "240", line))
    reading.report.byes.append(bye)
    return "byes", bye


def _absences(reading: Reading, text: str, line: int) -> tuple[str, object]:
    """XXZ: absent in the coming round."""
    bye = ByeRequest("Z", None, _numbers(reading, tokens(text, 3), "XXZ", line))
    reading.report.byes.append(bye)
    return "byes", bye


def _range(first: str, last: str) -> tuple[int, int] | None:
    """A range whose end may be blank; None if it isn't one."""
    low = whole(first)
    high = whole(last) if last.strip() else low
    return (low, high) if low and high and low <= high else None


def _acceleration(reading: Reading, text: str, line: int) -> tuple[str, object]:
    """250 in its columns: match points 5-8, game points 10-13, rounds 15-17 and 19-21, players 23-26 and 28-31."""
    padded = text.ljust(31)
    match, game = padded[4:8], padded[9:13]
    rounds, players = _range(padded[14:17], padded[18:21]), _range(padded[22:26], padded[27:31])
    values = [tenths(part) for part in (match, game) if part.strip()]
    gaps = "".join(padded[column - 1] for column in (4, 9, 14, 18, 22, 27)) + padded[31:]
    if rounds is None or players is None or not values or None in values or gaps.strip():
        loose = _loose_acceleration(text)
        if loose is not None:
            reading.ctx.warn(
                "250 is not in its columns; read as points, first and last round, first and last player",
                line,
                (5, len(text)),
            )
            reading.report.acceleration.append(loose)
            return "acceleration", loose
        reading.ctx.reject(
            f"acceleration {text[3:].strip()!r}; expected match points in columns 5-8 or game points in 10-13, "
            "rounds in "
            "15-17 and 19-21, players in 23-26 and 28-31",
            line,
            (5, max(5, len(text))),
        )
        return "acceleration", None
    item = Acceleration(tenths(game), *rounds, *players, match_points=tenths(match))
    reading.report.acceleration.append(item)
    return "acceleration", item


def _loose_acceleration(text: str) -> Acceleration | None:
    """250 whose five values are in other columns than the standard's, but complete and in order."""
    words = [word for word, _ in tokens(text, 3)]
    if len(words) != 5:
        return None
    points, rounds, players = tenths(words[0]), _range(words[1], words[2]), _range(words[3], words[4])
    return None if points is None or rounds is None or players is None else Acceleration(points, *rounds, *players)


def _player_acceleration(reading: Reading, text: str, line: int) -> tuple[str, object]:
    """XXA: player in 5-8, points of round r in four columns from 10+5(r-1); blanks are nothing."""
    fields = [text[at : at + 4] for at in range(9, len(text), 5)]
    gaps = text[3:4] + text[8:9] + text[13::5]
    values = [tenths(part) if part.strip() else 0 for part in fields]
    number = whole(text[4:8])
    if gaps.strip() or not number or None in values or len(values) > MOST_ROUNDS:
        reading.ctx.reject(
            f"acceleration {text[3:].strip()!r}; expected the player in columns 5-8 and points such as 1.0 in 10-13, 15-18, 20-23 ...",
            line,
            (5, max(5, len(text))),
        )
        return "acceleration", None
    item = PlayerAcceleration(number, tuple(value or 0 for value in values))
    reading.report.acceleration.append(item)
    return "acceleration", item


def _forbidden(reading: Reading, text: str, line: int) -> tuple[str, object]:
    """260: rounds in 5-7 and 9-11 (blank: no limit), then players."""
    padded = text.ljust(11)
    first, last = padded[4:7].strip(), padded[8:11].strip()
    low, high = whole(first), whole(last)
    bad = (
        (first and not low)
        or (last and not high)
        or (low and high and low > high)
        or (padded[7] + padded[11:12]).strip()
    )
    if bad:
        reading.ctx.reject(
            f"forbidden pairs {text[3:].strip()!r}; expected rounds in columns 5-7 and 9-11 and players from 13 on",
            line,
            (5, max(5, len(text))),
        )
        return "forbidden", None
    return _forbid(reading, _numbers(reading, tokens(text, 11), "260", line), low, high)


def _forbidden_always(reading: Reading, text: str, line: int) -> tuple[str, object]:
    """XXP: players, all rounds."""
    return _forbid(reading, _numbers(reading, tokens(text, 3), "XXP", line), None, None)


def _forbid(reading: Reading, players: tuple[int, ...], first: int | None, last: int | None) -> tuple[str, object]:
    item = ForbiddenPairs(players, first, last)
    reading.report.forbidden.append(item)
    return "forbidden", item


def _team(reading: Reading, text: str, line: int) -> tuple[str, object]:
    """013: name in 5-36, then players."""
    words = tokens(text, 36)
    if any(whole(word) is None for word, _ in words):
        reading.ctx.warn(
            f"team {text[4:36].strip()!r}: {text[36:].strip()!r} is not a list of starting numbers; the line is kept as it stands",
            line,
            (37, len(text)),
        )
        record = RawRecord("013", text)
        reading.report.other.append(record)
        return "other", record
    team = Team(text[4:36].strip(), tuple(whole(word) or 0 for word, _ in words))
    reading.report.teams.append(team)
    return "teams", team


_Handler = Callable[[Reading, str, int], tuple[str, object]]
_HANDLERS: dict[str, _Handler] = {
    "142": _announced_rounds,
    "XXR": _announced_rounds,
    "152": _initial_colour,
    "XXC": _configuration,
    "162": _points,
    "XXS": _javafo_points,
    "192": _coded_type,
    "240": _byes,
    "XXZ": _absences,
    "250": _acceleration,
    "XXA": _player_acceleration,
    "260": _forbidden,
    "XXP": _forbidden_always,
    "013": _team,
    **dict.fromkeys(_BBP, _bbp_points),
}


def render_points(points: PointSystem) -> list[str]:
    """Record 162 for what differs from 1, 0.5, 0, and XXS for what 162 has no symbol for."""
    usual = PointSystem()
    differs = {name for name in _JAVAFO.values() if getattr(points, name) != getattr(usual, name)}
    standard = {symbol: names[0] for symbol, names in _SYMBOLS.items() if symbol != "Z"}
    if points.absence != points.forfeit_loss:
        del standard["A"]
    parts = [
        f"{symbol}{show_tenths(getattr(points, name)):>4}"
        for symbol, name in standard.items()
        if getattr(points, name) != getattr(usual, name)
    ]
    rest = [
        f"{code}={show_tenths(getattr(points, name))}"
        for code, name in _JAVAFO.items()
        if name in differs and name not in standard.values() and not (name == "forfeit_loss" and "A" in standard)
    ]
    return ["162  " + "    ".join(parts)] * bool(parts) + ["XXS " + " ".join(rest)] * bool(rest)


def render_extensions(report: Report) -> dict[str, str]:
    """Lines by code that tell engines of the time before TRF26 the rounds, the initial colour and the points."""
    lines = {}
    if report.rounds is not None:
        lines["XXR"] = f"XXR {report.rounds}"
    words = configuration_words(report)
    if words:
        lines["XXC"] = f"XXC {words}"
    if report.points != PointSystem():
        worth = report.points.value
        lines["XXS"] = "XXS " + " ".join(f"{code}={show_tenths(worth(name))}" for code, name in _JAVAFO.items())
        lines |= {code: f"{code} {show_tenths(worth(name)):>4}" for code, name in _BBP.items()}
    return lines


def configuration_words(report: Report) -> str:
    """What an XXC line has to say."""
    colour = {"W": ["white1"], "B": ["black1"]}.get(report.initial_colour or "", [])
    return " ".join(["rank"] * report.rank_order + colour)


def render_byes(bye: ByeRequest) -> str:
    """Record 240, or XXZ for the coming round."""
    players = " ".join(f"{number:4}" for number in bye.players)
    return f"XXZ {players}" if bye.round is None else f"240 {bye.kind} {bye.round:3} {players}"


def render_acceleration(item: Acceleration | PlayerAcceleration) -> str:
    """Record 250 or XXA."""
    if isinstance(item, PlayerAcceleration):
        return f"XXA {item.player:4} " + " ".join(f"{show_tenths(value):>4}" for value in item.points)
    match, game = ("" if value is None else show_tenths(value) for value in (item.match_points, item.points))
    return (
        f"250 {match:>4} {game:>4} {item.first_round:3} {item.last_round:3} {item.first_player:4} {item.last_player:4}"
    )


def render_forbidden(item: ForbiddenPairs) -> str:
    """Record 260, or XXP if there is no limit of rounds."""
    if item.first_round is None and item.last_round is None:
        return "XXP " + " ".join(str(number) for number in item.players)
    first, last = ("" if value is None else str(value) for value in (item.first_round, item.last_round))
    return f"260 {first:>3} {last:>3} " + " ".join(f"{number:4}" for number in item.players)


def render_team(team: Team) -> str:
    """Record 013."""
    return f"013 {team.name:<32} " + " ".join(f"{number:4}" for number in team.players)
