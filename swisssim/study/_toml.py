"""Reading a study from a TOML file; whatever is wrong in it is named with its line and key."""

from __future__ import annotations

import inspect
import itertools
import os
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from swisssim.compare import DEFAULT_SYSTEMS, Plan
from swisssim.errors import SwissError, unknown
from swisssim.field import Field, Options
from swisssim.models import Model
from swisssim.models import model as make_model
from swisssim.pairing import PairingSystem
from swisssim.pairing import system as make_system
from swisssim.participation import Participation
from swisssim.points import Points
from swisssim.study._design import Cell, Study, usual_chunk
from swisssim.study._places import Keys, Places, named_keys

#: The keys of a study, the types of their values, and what they are if they aren't there.
KEYS: dict[str, tuple[tuple[type, ...], Any]] = {
    "name": ((str,), ""),
    "systems": ((list,), list(DEFAULT_SYSTEMS)),
    "baseline": ((str,), ""),
    "fields": ((list, dict), [{"kind": "uniform", "players": 64, "low": 1400, "high": 2200}]),
    "rounds": ((int, list), 7),
    "models": ((str, dict, list), "milvang2015"),
    "seeds": ((int, list), 1),
    "tournaments": ((int,), 2000),
    "chunk": ((int,), None),
    "keep_games": ((bool,), False),
    "initial_colour": ((str,), "lot"),
    "tie_breaks": ((list,), None),
    "resamples": ((int,), None),
    "participation": ((dict,), {}),
    "points": ((dict,), {}),
    "margins": ((dict,), {}),
}

# What makes a field of each kind.
_FIELDS: dict[str, Callable[..., Field]] = {
    "uniform": Field.uniform,
    "normal": Field.normal,
    "ratings": Field.from_ratings,
    "histogram": Field.from_histogram,
    "teams": Field.teams,
    "trf": Field.from_trf,
}
_TYPES = {
    str: "a text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    list: "a list",
    dict: "a table",
}
# What the message about an impossible plan begins with, and the key of the file that it is about.
_BLAMED = {
    "tournaments": "tournaments",
    "rounds": "rounds",
    "seed": "seeds",
    "resamples": "resamples",
    "initial_colour": "initial_colour",
    "baseline": "baseline",
    "margin": "margins",
    "metric": "margins",
    "tie-break": "tie_breaks",
    "system": "systems",
}
_MOST_BYTES = 16 << 20


def load(path: str | os.PathLike[str], *, keep_games: bool = False) -> Study:
    """Read a study from a TOML file.

    The file is data: nothing in it is executed, and it names no place to write to. Every key has a default, that of
    `swisssim.compare`. The lists ``fields``, ``rounds``, ``models`` and ``seeds`` make the grid; all systems are compared
    in each of its cells.

    Parameters
    ----------
    path : str or path-like
        The file. Report files of players (``kind = "trf"``, ``file = "event.trf"``) are looked for from its folder.
    keep_games : bool
        Keep every game, whatever the file says.

    Returns
    -------
    Study

    Raises
    ------
    SwissError
        If the file is no TOML, has an unknown key (near ones are suggested), a value of a wrong type or an impossible
        one; the message names file, line and key.
    OSError
        If it can't be read.
    """
    file = Path(path)
    data = file.read_bytes()
    if len(data) > _MOST_BYTES:
        raise SwissError(f"{file} has {len(data):,} bytes; a study is a short text")
    try:
        text = data.decode("utf-8-sig")
        values = tomllib.loads(text)
    except UnicodeDecodeError as error:
        raise SwissError(f"{file} is no text in UTF-8: {error}") from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise SwissError(f"{file} is no TOML: {error}") from None
    return _Reader(Places(file, text), values).study(keep_games=keep_games)


class _Reader:
    """Turns the values of a file into a study."""

    def __init__(self, places: Places, values: dict[str, Any]) -> None:
        self.places, self.values = places, values
        for name in values:
            if name not in KEYS:
                raise places.error((name,), str(unknown("key of a study", name, KEYS)))

    def value(self, name: str) -> Any:
        """Return the value of a key, of the right type."""
        types, default = KEYS[name]
        if name not in self.values:
            return default
        return self.checked((name,), self.values[name], *types)

    def checked(self, keys: Keys, value: Any, *types: type) -> Any:
        """Return a value if it is of one of the types."""
        if type(value) not in types:
            wanted = " or ".join(_TYPES[kind] for kind in types)
            given = _TYPES.get(type(value), type(value).__name__)
            raise self.places.error(keys, f"must be {wanted}, not {given} ({value!r})", value)
        return value

    def listed(self, name: str, *types: type) -> list[tuple[Keys, Any]]:
        """Return the entries of a key that may hold one value or a list of them, each with its place."""
        value = self.value(name)
        if not isinstance(value, list):
            return [((name,), value)]
        if not value:
            raise self.places.error((name,), "must not be an empty list")
        return [((name, k), self.checked((name, k), entry, *types)) for k, entry in enumerate(value)]

    def study(self, *, keep_games: bool) -> Study:
        """Return the study."""
        systems = tuple(self.made(keys, entry, make_system) for keys, entry in self.listed("systems", str, dict))
        models = [(keys, self.made(keys, entry, make_model)) for keys, entry in self.listed("models", str, dict)]
        common = self.common(systems, keep_games=keep_games)
        fields = [found for keys, entry in self.listed("fields", dict) for found in self.fields(keys, entry)]
        grid = itertools.product(fields, self.listed("rounds", int), models, self.listed("seeds", int))
        cells = []
        for number, ((field_keys, name, field), (_, rounds), (_, model), (_, seed)) in enumerate(grid, 1):
            plan = self.plan(field_keys, dict(field=field, rounds=rounds, model=model, seed=seed, **common))
            chunk = self.value("chunk") or usual_chunk(field.players, rounds, plan.tournaments)
            cells.append(Cell(number=number, field=name, plan=plan, chunk=chunk))
        return Study(name=self.value("name") or self.places.path.stem, cells=tuple(cells))

    def made(self, keys: Keys, entry: Any, make: Callable[..., Any]) -> Any:
        """Make a system or a model of its name, or of a table with its name and its options."""
        options = dict(entry) if isinstance(entry, dict) else {"name": entry}
        if "name" not in options:
            raise self.places.error(keys, "must have a name, for instance { name = ... }")
        name = self.checked((*keys, "name"), options.pop("name"), str)
        made: PairingSystem | Model
        with self.places.at(keys, options or {"name": name}):
            made = make(name, **options)
        return made

    def common(self, systems: tuple[PairingSystem, ...], *, keep_games: bool) -> dict[str, Any]:
        """Return what all cells have in common."""
        if "chunk" in self.values and self.value("chunk") < 1:
            raise self.places.error(
                ("chunk",), f"must be a whole number of tournaments from 1, not {self.value('chunk')}"
            )
        found: dict[str, Any] = {
            name: self.value(name) for name in ("tournaments", "initial_colour", "margins", "baseline")
        }
        found |= {"systems": systems, "keep_games": keep_games or self.value("keep_games")}
        if "resamples" in self.values:
            found["resamples"] = self.value("resamples")
        if "tie_breaks" in self.values:
            found["tie_breaks"] = tuple(entry for _, entry in self.listed("tie_breaks", str))
        rates = self.value("participation")
        self.known("participation", rates, list(inspect.signature(Participation).parameters))
        with self.places.at(("participation",), rates):
            found["participation"] = Participation(**rates)
        self.known("points", rates := self.value("points"), list(inspect.signature(Points).parameters))
        with self.places.at(("points",), rates):
            found["points"] = Points.of(rates)
        return found

    def known(self, name: str, table: Mapping[str, Any], keys: list[str]) -> None:
        """Raise if a table has an unknown key, or one that is no number."""
        for key, value in table.items():
            if key not in keys:
                raise self.places.error((name, key), str(unknown(f"key of {name}", key, keys)))
            self.checked((name, key), value, int, float)

    def fields(self, keys: Keys, entry: dict[str, Any]) -> list[tuple[Keys, str, Field]]:
        """Return the fields that a table describes: one for each number of players if those are a list."""
        players = entry.get("players")
        if not isinstance(players, list):
            return [self.field(keys, entry)]
        if not players:
            raise self.places.error((*keys, "players"), "must not be an empty list")
        for count in players:
            self.checked((*keys, "players"), count, int)
        label = entry.get("name")
        return [
            self.field(keys, {**entry, "players": count, **({"name": f"{label} {count}"} if label else {})})
            for count in players
        ]

    def field(self, keys: Keys, entry: dict[str, Any]) -> tuple[Keys, str, Field]:
        """Return one field, with its place and its name."""
        options = dict(entry)
        kind = options.pop("kind", "uniform")
        self.checked((*keys, "kind"), kind, str)
        if kind not in _FIELDS:
            raise self.places.error((*keys, "kind"), str(unknown("kind of field", kind, _FIELDS)))
        label = options.pop("name", None)
        if label is not None:
            self.checked((*keys, "name"), label, str)
        if kind == "trf":
            label = self._file(keys, options, label)
        self._check_options(keys, kind, options, inspect.signature(_FIELDS[kind]).parameters)
        with self.places.at(keys, entry):
            field = _FIELDS[kind](**options)
        return keys, label or field.describe(), field

    def _check_options(
        self, keys: Keys, kind: str, options: dict[str, Any], parameters: Mapping[str, inspect.Parameter]
    ) -> None:
        """Raise if the options of a field are not those of its kind."""
        own = {name: about for name, about in parameters.items() if about.kind is not about.VAR_KEYWORD}
        for name in options:
            if name not in own and name not in Options.__annotations__:
                known = (
                    {"file" if name == "path" else name for name in own}
                    | {"kind", "name"}
                    | set(Options.__annotations__)
                )
                raise self.places.error((*keys, name), str(unknown(f"key of a {kind} field", name, known)))
        for name in ("ratings", "edges", "counts"):
            if name in options:
                self.checked((*keys, name), options[name], list)
        missing = [name for name, about in own.items() if name not in options and about.default is about.empty]
        if missing:
            raise self.places.error(keys, f"a {kind} field needs {', '.join(missing)}")

    def _file(self, keys: Keys, options: dict[str, Any], label: str | None) -> str:
        """Turn the file of a field into a path from the folder of the study; return the name of the field."""
        if "file" not in options:
            raise self.places.error(keys, "a trf field needs file")
        name = self.checked((*keys, "file"), options.pop("file"), str)
        options["path"] = self.places.path.parent / name
        return label or Path(name).stem

    def plan(self, keys: Keys, values: dict[str, Any]) -> Plan:
        """Return a cell's plan; an error is put down to the key that it speaks of."""
        try:
            return Plan(**values)
        except SwissError as error:
            words = str(error).split()[:3]
            for name, key in _BLAMED.items():
                if name in words and key in self.values:
                    place = f" (with {named_keys(keys)})" if "fields" in self.values else ""
                    raise self.places.error((key,), f"{error}{place}") from error
            raise self.places.error(keys, str(error)) from error
