"""Where things stand in a TOML file, so that an error can name the line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from swisssim.errors import SwissError

Keys = tuple[str | int, ...]

_PART = r"""(?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*')"""
_DOTTED = rf"{_PART}(?:\s*\.\s*{_PART})*"
_HEADER = re.compile(rf"^\s*(\[\[?)\s*({_DOTTED})\s*\]")
_KEY = re.compile(rf"^\s*({_DOTTED})\s*=")


def _parts(dotted: str) -> tuple[str, ...]:
    return tuple(part.strip("\"' ") for part in re.findall(_PART, dotted))


class Places:
    """The lines of a file by the keys that stand there; list entries count from 0."""

    def __init__(self, path: str | Path, text: str) -> None:
        self.path = Path(path)
        self.lines = text.splitlines()
        self.known: dict[Keys, int] = {}
        for number, keys in self._scan():
            for k in range(1, len(keys) + 1):
                self.known.setdefault(keys[:k], number)

    def _scan(self) -> Iterator[tuple[int, Keys]]:
        table: Keys = ()
        entries: dict[Keys, int] = {}
        for number, line in enumerate(self.lines, 1):
            if header := _HEADER.match(line):
                table = self._table(header, entries)
                yield number, table
            elif key := _KEY.match(line):
                yield number, (*table, *_parts(key[1]))

    @staticmethod
    def _table(header: re.Match[str], entries: dict[Keys, int]) -> Keys:
        """Return the keys of a table from its header; ``[[...]]`` begins the next entry of a list."""
        keys: Keys = ()
        for part in _parts(header[2]):
            keys = (*keys, part)
            if keys in entries and keys != _parts(header[2]):
                keys = (*keys, entries[keys])
        if header[1] == "[[":
            entries[keys] = entries.get(keys, -1) + 1
            keys = (*keys, entries[keys])
        return keys

    def line(self, keys: Keys, word: object = None) -> int | None:
        """Return the line of a key, or the one below its nearest parent where the key or a word of its value stands."""
        for k in range(len(keys), 0, -1):
            if keys[:k] in self.known:
                start = self.known[keys[:k]]
                break
        else:
            return None
        wanted = [str(word)] if word is not None else [str(key) for key in keys[k:] if isinstance(key, str)]
        for number in range(start, len(self.lines) + 1):
            text = self.lines[number - 1]
            if number > start and (_HEADER.match(text) or _KEY.match(text)):
                break
            if wanted and wanted[-1] in text:
                return number
        return start

    def error(self, keys: Keys, message: str, word: object = None) -> SwissError:
        """Return an error that names file, line and key."""
        number = self.line(keys, word)
        place = f"{self.path}, line {number}" if number else f"{self.path}"
        named = named_keys(keys)
        return SwissError(f"{place}{': ' + named if named else ''}: {message}")

    @contextmanager
    def at(self, keys: Keys, table: Mapping[str, object]) -> Iterator[None]:
        """Add file, line and key to the errors of a block: the key of the table of which the message speaks, if it does."""
        try:
            yield
        except (SwissError, TypeError, ValueError) as error:
            words = re.findall(r"[\w-]+", str(error))
            spoken = sorted((words.index(key), key) for key in table if key in words)
            more = (spoken[0][1],) if spoken else ()
            raise self.error((*keys, *more), str(error), None if more else next(iter(table.values()), None)) from error


def named_keys(keys: Keys) -> str:
    """Return keys in words: ``fields, entry 2, players``."""
    return ", ".join(f"entry {key + 1}" if isinstance(key, int) else key for key in keys)
