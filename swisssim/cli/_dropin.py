"""The command line of pairing engines, turned into that of the subcommands.

``[-r] --SYSTEM FILE -p [OUT]`` pairs, ``--SYSTEM FILE -c [ROUND]`` checks, ``--SYSTEM [MODEL] -g [CONFIG] -o OUT [-s SEED]`` generates;
``-l [FILE]`` asks for a list with explanations.
"""

from __future__ import annotations

import click

_USAGE = (
    "expected --SYSTEM FILE -p [OUT], --SYSTEM FILE -c [ROUND], or --SYSTEM [MODEL] -g [CONFIG] -o OUT [-s SEED], "
    "with -r and -l [FILE] if wanted"
)
_ACTIONS = ("-p", "-c", "-g")


def recognised(arguments: list[str]) -> bool:
    """Tell whether a command line is that of a pairing engine: it starts with the flag of a system, after ``-r`` at most."""
    rest = [argument for argument in arguments if argument != "-r"]
    known = (
        bool(rest)
        and rest[0].startswith("--")
        and rest[0] not in ("--help", "--version")
        and rest[0][2:] in (*_systems(), "burstein")
    )
    return known or arguments == ["-r"]


def _systems() -> list[str]:
    """Return the names of the systems; loaded only now, since help texts need none of it."""
    from swisssim.pairing import SYSTEMS

    return list(SYSTEMS)


def translated(arguments: list[str]) -> list[str]:
    """Return the subcommand and its options for the command line of an engine.

    Raises
    ------
    click.UsageError
        If it cannot be understood.
    """
    rest = [argument for argument in arguments if argument != "-r"]
    if not rest:
        return ["--version"]
    system = rest.pop(0)[2:]
    if system not in _systems():
        from swisssim.pairing import system as make_system

        make_system(system)  # raises, and says why
    given = _collect(rest)
    actions = [action for action in _ACTIONS if action in given]
    if len(actions) != 1:
        raise click.UsageError(f"{'no action' if not actions else ' and '.join(actions) + ' together'}; {_USAGE}")
    return {"-p": _pair, "-c": _check, "-g": _generate}[actions[0]](system, given)


def _collect(rest: list[str]) -> dict[str, str]:
    """Return flags with their values, empty if they have none; the file that stands first is under ``file``."""
    given: dict[str, str] = {}
    if rest and (rest[0] == "-" or not rest[0].startswith("-")):
        given["file"] = rest.pop(0)
    while rest:
        flag = rest.pop(0)
        if flag not in ("-p", "-c", "-g", "-o", "-s", "-l"):
            raise click.UsageError(f"unexpected {flag!r}; {_USAGE}")
        if flag in given:
            raise click.UsageError(f"{flag} stands twice; {_USAGE}")
        given[flag] = rest.pop(0) if rest and (rest[0] == "-" or not rest[0].startswith("-")) else ""
    return given


def _file(given: dict[str, str]) -> str:
    if "file" not in given:
        raise click.UsageError(f"no file; {_USAGE}")
    return given["file"]


def _pair(system: str, given: dict[str, str]) -> list[str]:
    out = ["-o", given["-p"]] if given["-p"] else []
    listed = ["--list", given["-l"] or "-"] if "-l" in given else []
    return ["pair", _file(given), "--system", system, *out, *listed]


def _check(system: str, given: dict[str, str]) -> list[str]:
    return ["check", _file(given), "--system", system, "--each", *(["--round", given["-c"]] if given["-c"] else [])]


def _generate(system: str, given: dict[str, str]) -> list[str]:
    arguments = ["generate", "--system", system]
    if "file" in given:
        arguments += ["--like", given["file"]]
    if given["-g"]:
        # A number is a seed, anything else the name of a configuration file.
        arguments += ["--seed" if given["-g"].isdecimal() else "--config", given["-g"]]
    if not given.get("-o"):
        raise click.UsageError(f"-g needs -o OUT; {_USAGE}")
    arguments += ["-o", given["-o"], "--force"]
    if given.get("-s"):
        arguments += ["--seed", given["-s"]]
    return arguments
