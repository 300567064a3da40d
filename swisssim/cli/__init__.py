"""The `swisssim` command: a thin face over the package.

Every module of this folder whose name does not start with ``_`` is a subcommand of that name and defines ``command``, a
`click.Command`. Exit codes are those of the pairing engines: 0 done, 1 no legal pairing (or a difference found by ``check``),
2 unexpected, 3 bad request or contents, 5 a file cannot be read or written.
"""

from __future__ import annotations

import ast
import importlib
import io
import os
import pkgutil
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path

import click

from swisssim import __version__
from swisssim.cli import _dropin
from swisssim.errors import NoPairingError, SwissError, unknown

EXIT_NO_PAIRING = 1
EXIT_UNEXPECTED = 2
EXIT_BAD_REQUEST = 3
EXIT_FILE_ACCESS = 5
EXIT_INTERRUPTED = 130


class _Commands(click.Group):
    """The subcommands, each imported only when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(info.name for info in pkgutil.iter_modules(__path__) if not info.name.startswith("_"))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.list_commands(ctx):
            return None
        command: click.Command = importlib.import_module(f"{__name__}.{cmd_name}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and not args[0].startswith("-") and args[0] not in self.list_commands(ctx):
            raise click.UsageError(str(unknown("command", args[0], self.list_commands(ctx))), ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, _purpose(name)) for name in self.list_commands(ctx)])


def _purpose(name: str) -> str:
    """Return what a subcommand does: the first line of its module after the colon, read without importing it."""
    source = Path(__file__).with_name(f"{name}.py").read_text(encoding="utf-8")
    first = (ast.get_docstring(ast.parse(source)) or "").partition("\n")[0]
    purpose = first.partition(": ")[2]
    return purpose[:1].upper() + purpose[1:]


@click.command(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="\b\nExamples:\n"
    "  swisssim compare\n"
    "  swisssim compare --players 33 --rounds 9 --systems nordic,regulated --out odd\n"
    "  swisssim pair event.trf --system nordic\n"
    "  swisssim systems",
)
@click.version_option(__version__, prog_name="swisssim")
def cli() -> None:
    """Pair Swiss-system tournaments under several systems, check and explain pairings, simulate thousands of events."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command and leave with its exit code."""
    sys.exit(run(sys.argv[1:] if arguments is None else list(arguments)))


def run(arguments: list[str]) -> int:
    """Run the command and return its exit code; errors become one line on standard error.

    Parameters
    ----------
    arguments : list of str
        What stands behind the name of the program.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a terminal that lacks a sign is no reason to stop
    try:
        if _dropin.recognised(arguments):
            arguments = _dropin.translated(arguments)
        code = cli.main(arguments, prog_name="swisssim", standalone_mode=False)
        return code if isinstance(code, int) else 0
    except click.exceptions.Exit as leaving:
        return leaving.exit_code
    except click.ClickException as error:
        error.show()
        return EXIT_BAD_REQUEST
    except (click.Abort, KeyboardInterrupt):
        click.echo("swisssim: interrupted", err=True)
        return EXIT_INTERRUPTED
    except NoPairingError as error:
        return _complain(str(error), EXIT_NO_PAIRING)
    except SwissError as error:
        return _complain(str(error), EXIT_BAD_REQUEST)
    except SystemExit:
        # Only click leaves so here, when the pipe is closed, with quiet streams: whoever read the output has seen enough.
        return 0
    except OSError as error:
        return _complain(f"{error.filename}: {error.strerror}" if error.filename else str(error), EXIT_FILE_ACCESS)
    except Exception as error:
        if os.environ.get("SWISSSIM_TRACEBACK"):
            traceback.print_exc()
        return _complain(
            f"unexpected {type(error).__name__}: {error} (please report it; SWISSSIM_TRACEBACK=1 shows where)",
            EXIT_UNEXPECTED,
        )


def _complain(message: str, code: int) -> int:
    click.echo(f"swisssim: {message}", err=True)
    return code
