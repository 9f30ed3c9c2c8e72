"""The command line. One module in `verify/commands/` per command, imported when it is asked for."""

from __future__ import annotations

import gc
import importlib
import os
import pkgutil
import signal
import sys
from collections.abc import Sequence

import click

import verify
import verify.commands
from verify.errors import InputError, suggestion

EXPECTED, DIFFERENT, WRONG_USE, INTERRUPTED = 0, 1, 2, 130


class ReaderGone(Exception):
    """Nobody reads the standard output any more."""


class Interrupted(Exception):
    """Somebody asked the command that is named to end."""


KEEPS = {"flow": "nothing was written", "sweep": "finished parts are in the folder of --state, if one was given", "new-paper": ""}
"""What is there of a command that was interrupted; of all others: what the cache has."""
ASKED = "verify.asked"  # in the context: the name of the command


class Commands(click.Group):
    """Finds commands by the names of the modules in `verify/commands`; each has a click command named `command`."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of all commands."""
        names = [m.name for m in pkgutil.iter_modules(verify.commands.__path__)]
        return sorted(n.replace("_", "-") for n in names if not n.startswith("_"))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one command."""
        if cmd_name not in self.list_commands(ctx):
            return None
        module = importlib.import_module(f"verify.commands.{cmd_name.replace('-', '_')}")
        found: click.Command = module.command
        return found

    def invoke(self, ctx: click.Context) -> object:
        """Run a command; click would end with 1 when the reader of a pipe went away, and print a line when interrupted."""
        try:
            found = super().invoke(ctx)
            sys.stdout.flush()
            return found
        except BrokenPipeError:
            raise ReaderGone from None
        except KeyboardInterrupt:
            raise Interrupted(ctx.meta.get(ASKED, "")) from None

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command of a command line, or say which names are like it."""
        name = args[0] if args else ""
        known, ctx.meta[ASKED] = self.list_commands(ctx), name
        if name and not name.startswith("-") and name not in known:
            raise InputError(f"no command {name!r}; {suggestion(name, known)}")
        return super().resolve_command(ctx, args)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(verify.__version__, prog_name="verify")
def cli() -> None:
    """Check research papers claim by claim.

    A catalogue says what a paper asserts, a proof module how each assertion is checked, a small kernel decides,
    and an independent checker looks at every certificate again.
    """


def main(args: Sequence[str] | None = None) -> None:
    """Run the command line; exit with 0 as expected, 1 when a verdict differs, 2 for an error in one line."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _interrupt)
    gc.set_threshold(1_000_000, 50, 100)  # proof trees are large and have no cycles: looking for them costs more than it finds
    sys.exit(run(args))


def run(args: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code."""
    try:
        code = cli.main(args=None if args is None else list(args), prog_name="verify", standalone_mode=False)
    except InputError as error:
        return _fail(str(error))
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
        return WRONG_USE
    except click.ClickException as error:
        return _fail(" ".join(error.format_message().split()))
    except (Interrupted, KeyboardInterrupt, click.Abort) as error:
        begin = "\n" if sys.stderr.isatty() else ""  # not behind the ^C or the progress
        kept = KEEPS.get(str(error), "what was finished is in the cache")
        click.echo(begin + "verify: interrupted" + (f"; {kept}" if kept else ""), err=True)
        return INTERRUPTED
    except (ReaderGone, BrokenPipeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what is still buffered goes nowhere, without a complaint
        return EXPECTED
    return code if isinstance(code, int) else EXPECTED


def _interrupt(number: int, frame: object) -> None:
    """Whatever asks the command to end ends it in one way: with everything that it has started."""
    if "multiprocessing" in sys.modules:
        import multiprocessing

        for child in multiprocessing.active_children():
            child.kill()  # else a pool waits for what its processes are doing
    raise KeyboardInterrupt


def _fail(text: str) -> int:
    click.echo(f"verify: {text}", err=True)
    return WRONG_USE


if __name__ == "__main__":
    main()
