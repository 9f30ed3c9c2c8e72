"""Options that say how a table of observations is laid out, and reading it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from verify.completion.observations import Observations
    from verify.completion.source import Layout

Function = TypeVar("Function", bound=Callable[..., Any])
NAMED = {"tab": "\t", "\\t": "\t", "space": " ", "comma": ",", "semicolon": ";"}
OPTIONS = ("sep", "decimal", "na", "header", "triples", "form")


def layout_options(function: Function) -> Function:
    """The options of a command that reads tables."""
    for option in (
        click.option("--format", "form", metavar="NAME", help="The format, whatever the name: csv, tsv, json, npy, npz, mtx."),
        click.option("--triples", is_flag=True, help="Each line of a CSV is row, column (from 1), value."),
        click.option("--header", is_flag=True, help="The first line of a CSV holds names."),
        click.option("--na", metavar="TEXTS", help="What else means not observed in a CSV, like NA or NA,null."),
        click.option("--decimal", default=".", metavar="SIGN", help="The decimal sign in a CSV: . or , (then ; separates)."),
        click.option("--sep", metavar="SIGN", help="What separates the cells of a CSV: ; or | or tab or space, .."),
    ):
        function = option(function)
    return function


def layout_of(words: dict[str, Any]) -> Layout:
    """Take the options out of the words of a command. Raises InputError."""
    from verify.completion import Layout, ObservationError
    from verify.completion.read import FORMATS
    from verify.errors import InputError, suggestion

    sep, decimal, na, header, triples, form = (words.pop(name) for name in OPTIONS)
    if form is not None and form.removeprefix(".") not in FORMATS:
        raise InputError(f"--format {form!r} is unknown; {suggestion(form, FORMATS)}")
    marks = frozenset(word.strip() for word in (na or "").split(",") if word.strip())
    suffix = None if form is None else "." + form.removeprefix(".")
    try:
        return Layout(NAMED.get(sep, sep), decimal, marks, header, triples, suffix)
    except ObservationError as error:
        raise InputError(str(error)) from None


def read(file: str, layout: Layout) -> Observations:
    """Read a table within the time limit. Raises InputError in one line."""
    from verify.completion import ObservationError, read_observations
    from verify.errors import InputError
    from verify.flow import deadline

    def too_long() -> Observations:
        raise InputError(f"{file}: the time limit was over before the file was read; more can be allowed with --time-limit")

    try:
        return deadline.in_time(1, lambda: read_observations(file, layout=layout), too_long)
    except ObservationError as error:
        raise InputError(str(error)) from None
