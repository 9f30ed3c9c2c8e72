"""A long encoded formula for a reader: families with tables of their values, repeated pieces by a name; whole in any case."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from verify.report.formula import TABLED, outline
from verify.report.markup import code, folded, inline
from verify.report.notation import typeset
from verify.report.schema import EACH, RELATIONS, Definition, Schema, rebuilt, shorten
from verify.report.words import table
from verify.run.language import Language

LONG, LONGER = 6000, 12_000
"""From so many characters on, families are said once; from so many of what is then shown, repeated terms get names as well."""
SOURCE = "Formal source (plain text)"
DIGITS = 8
"""A fraction with more digits is shown as a decimal number where that is exact."""


def formulas(formula: Any, language: Language, anchor: str) -> Iterator[str]:
    """A formula as nested lists with its tables and names, and folded in plain text; `anchor` begins those of its tables."""
    shown, text = outline(formula, language), language.pretty(formula)
    if max(len(shown), len(text)) <= LONG:
        yield shown
        yield folded(SOURCE, code(language.lines(formula)))
        return
    schema = shorten(formula)
    pieces = _pieces(schema, formula, language, anchor)
    if sum(map(len, pieces)) > LONGER:
        schema = shorten(formula, terms=True)
        pieces = _pieces(schema, formula, language, anchor)
    yield from pieces
    yield folded(SOURCE, code(source(schema, language)))


def _pieces(schema: Schema, formula: Any, language: Language, anchor: str) -> list[str]:
    plain = called(schema)
    names = [["call", d.name, *d.params] for d in schema.definitions]
    letters = language.alphabet(formula, plain.formula, *(d.body for d in plain.definitions), *names)
    return list(_Shown(language, anchor, letters).pieces(schema))


def source(schema: Schema, language: Language) -> str:
    """A schema in the surface syntax: the formula, then `name(places) := formula`; the members of a family are calls."""
    schema = called(schema)
    lines = [language.lines(schema.formula)]
    for known in schema.definitions:
        name = language.pretty(["call", known.name, *known.params]) if known.params else known.name
        lines.append(f"{name} := {language.lines(known.body)}")
    return "\n\n".join(lines)


def called(schema: Schema) -> Schema:
    """The same formula with a name for each family, and its members as calls of it."""
    found: list[Definition] = []

    def walk(e: Any) -> Any:
        if not isinstance(e, list):
            return e
        if e[0] == EACH:
            return [e[1], *members(e)]
        if e[0] in ("and", "or"):
            spliced = [members(x) if isinstance(x, list) and x[:3] == [EACH, e[0], True] else [walk(x)] for x in e[1:]]
            return [e[0], *(x for group in spliced for x in group)]
        return rebuilt(e, walk)

    def members(family: Any) -> list[Any]:
        _, _, _, params, rows, body = family
        body = walk(body)
        if body[0] == "call" and body[2:] == params:
            return [["call", body[1], *row] for row in rows]
        known = next((d for d in found if d.body == body and d.params == tuple(params)), None)
        if known is None:
            known = Definition(f"Family{len(found) + 1}", tuple(params), body)
            found.append(known)
        return [["call", known.name, *row] for row in rows]

    main = walk(schema.formula)
    definitions = tuple(Definition(d.name, d.params, walk(d.body)) for d in schema.definitions)
    return Schema(main, (*found, *definitions))


@dataclass
class _Shown:
    """A schema being shown in one alphabet: its tables so far, equal ones once."""

    language: Language
    anchor: str
    alphabet: Any
    tables: list[tuple[list[str], list[Any]]] = field(default_factory=list)

    def pieces(self, schema: Schema) -> Iterator[str]:
        """The formula, what the names in it stand for, and the tables."""
        yield self._listed(schema.formula, schema)
        for known in schema.definitions:
            name = self._math(["call", known.name, *known.params] if known.params else known.name)
            if _is_term(known.body):
                yield f"Here {name} stands for {self._math(known.body)}."
            else:
                yield f"Here {name} stands, in the letters of the place where it occurs, for the following:"
                yield self._listed(known.body, schema)
        for number, (params, rows) in enumerate(self.tables, 1):
            cells = [[str(n), *map(self._value, row)] for n, row in enumerate(rows, 1)]
            yield f'<a id="{self.anchor}-table-{number}"></a>Table {number}:'
            yield table(["", *map(self._math, params)], cells)

    def _math(self, e: Any) -> str:
        return inline(typeset(e, self.language, self.alphabet))

    def _listed(self, formula: Any, schema: Schema) -> str:
        text = outline(self._tabled(formula), self.language, self.alphabet)
        for known in schema.definitions:
            if not known.params:
                text = text.replace(self._math(["call", known.name])[1:-1], self._math(known.name)[1:-1])
        return text

    def _tabled(self, e: Any) -> Any:
        """A formula with its families as what is said of them and the formula."""
        if not isinstance(e, list):
            return e
        if e[0] != EACH:
            return rebuilt(e, self._tabled)
        _, conn, _, params, rows, body = e
        if (params, rows) not in self.tables:
            self.tables.append((params, rows))
        number = self.tables.index((params, rows)) + 1
        where = f"[table {number}](#{self.anchor}-table-{number})"
        word = "for each of the" if conn == "and" else "for at least one of the"
        told = f"{word} {len(rows)} values of {', '.join(map(self._math, params))} in {where}:"
        return [TABLED, told, self._tabled(body)]

    def _value(self, value: Any) -> str:
        if isinstance(value, list) and value[0] == "q" and len(str(value[2])) > DIGITS:
            return decimal(value[1], value[2]) or self._math(value)
        return self._math(value)


def decimal(numerator: int, denominator: int) -> str:
    """A fraction as the decimal number that it is exactly, as a formula; empty when it is none."""
    left, places = Fraction(numerator, denominator), 0
    while left.denominator % 2 == 0 or left.denominator % 5 == 0:
        left, places = left * 10, places + 1
    if left.denominator != 1:
        return ""
    digits = str(abs(left.numerator)).rjust(places + 1, "0")
    text = f"{digits[:-places]}.{digits[-places:]}".rstrip("0").rstrip(".") if places else digits
    zeros = len(text) - len(text.lstrip("0."))
    if zeros > DIGITS:
        head, tail = text.lstrip("0.")[:1], text.lstrip("0.")[1:]
        text = rf"{head}{'.' + tail if tail else ''}\cdot 10^{{{1 - zeros}}}"
    return f"${'-' if numerator < 0 else ''}{text}$"


def _is_term(e: Any) -> bool:
    return not (isinstance(e, list) and e[0] in _FORMULAS)


_FORMULAS = frozenset({*RELATIONS, "all", "ex", "tends", "tendsoo", EACH})
