"""Reads long formulas back that are shown by families with tables and by names for repeated pieces (`verify.report.families`)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from tests.support.lists import Item, Lists, conjuncts, items
from tests.support.typeset import Reader, Unreadable
from verify.kernel import parse

FAMILY = re.compile(r"for (each|at least one) of the (\d+) values of (.*) in \[table (\d+)\]\(#(.*)\):")
NAMED = re.compile(r"Here \$(.+)\$ stands, in the letters of the place where it occurs, for the following:")
TERM = re.compile(r"Here \$(.+)\$ stands for \$(.+)\$\.")
DECIMAL = re.compile(r"(-?\d+(?:\.\d+)?)(?:\\cdot 10\^\{(-?\d+)\})?")
SOURCE = re.compile(r"<details>.*?```text\n(.*)\n```.*</details>", re.DOTALL)


@dataclass
class Shown:
    """What the pieces of a formula define: names for formulas (parameters, list) and for terms, tables."""

    formulas: dict[str, tuple[list[str], list[Item]]] = field(default_factory=dict)
    terms: dict[str, str] = field(default_factory=dict)
    tables: dict[str, tuple[list[str], list[list[Any]]]] = field(default_factory=dict)


class SchemaReader(Reader):
    """A reader that knows the names."""

    def __init__(self, latex: str, context: dict[str, Any] | None, shown: Shown) -> None:
        super().__init__(latex, context)
        self.shown = shown

    def defined(self, names: Any) -> str:
        """The name that stands here, if it is one of these."""
        start = self.at
        if not self.starts_name():
            return ""
        name = str(self.name())
        if name in names and name not in self.context:
            return name
        self.at = start
        return ""

    def single(self) -> Any:
        name = self.defined(self.shown.formulas)
        if not name:
            return super().single()
        params, lines = self.shown.formulas[name]
        values = self.arguments() if params else []
        return SchemaLists(self.shown, self.context).instance(params, values, lines)

    def variable(self) -> Any:
        name = self.defined(self.shown.terms)
        if not name:
            return super().variable()
        reader = SchemaReader(self.shown.terms[name], self.context, self.shown)
        found = reader.term()
        reader.end()
        return found

    def encloses_formula(self) -> bool:
        """A bracket with nothing but named formulas and connectives is one of a formula as well."""
        start, self.at = self.at, self.at + 2
        named = self.defined(self.shown.formulas)
        self.at = start
        return bool(named) or super().encloses_formula()


class SchemaLists(Lists):
    """Lists with families and names."""

    def __init__(self, shown: Shown, context: dict[str, Any] | None = None) -> None:
        super().__init__()
        self.shown = shown
        self.context = dict(context or {})

    def reader(self, latex: str) -> Reader:
        return SchemaReader(latex, self.context, self.shown)

    def instance(self, params: list[str], values: list[Any], lines: list[Item]) -> Any:
        """The formula of a list for these values."""
        outside = self.context
        kinds = [("M", len(v[1]), len(v[1][0])) if isinstance(v, tuple) and v[0] == "mat" else "R" for v in values]
        self.context = {**outside, **dict(zip(params, kinds, strict=True))}
        found = self.sequence(lines)
        self.context = outside
        return put(found, dict(zip(params, values, strict=True)))

    def member(self, item: Item) -> Any:
        match = FAMILY.fullmatch(item.text)
        if match is None:
            return super().member(item)
        params, rows = self.shown.tables[match[5]]
        said = [piece.strip("$ ") for piece in match[3].split("$, $")]
        if [name_in(x) for x in said] != params or int(match[2]) != len(rows) or f"table-{match[4]}" not in match[5]:
            raise Unreadable(f"{item.text!r} does not belong to its table")
        head = "and" if match[1] == "each" else "or"
        return (head, *(self.instance(params, row, item.below) for row in rows))


def put(e: Any, values: dict[str, Any]) -> Any:
    """A term or formula with values for letters that nothing binds."""
    if isinstance(e, str):
        return values.get(e, e)
    if not isinstance(e, tuple) or not values:
        return e
    return tuple(x if k == 0 and isinstance(x, str) and e[0] not in values else put(x, values) for k, x in enumerate(e))


def name_in(latex: str) -> str:
    reader = Reader(latex)
    found = str(reader.name())
    reader.end()
    return found


def value(latex: str) -> Any:
    """The term in a cell; a decimal number is the fraction that it is."""
    if match := DECIMAL.fullmatch(latex):
        number = Fraction(match[1]) * Fraction(10) ** int(match[2] or 0)
        return number.numerator if number.denominator == 1 else ("q", number.numerator, number.denominator)
    reader = Reader(latex)
    found = reader.term()
    reader.end()
    return found


def table(markdown: str) -> tuple[list[str], list[list[Any]]]:
    """The letters of a table, and its rows."""
    lines = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in markdown.splitlines()]
    head, rows = lines[0], lines[2:]
    if [row[0] for row in rows] != [str(k + 1) for k in range(len(rows))]:
        raise Unreadable("rows without their numbers")
    return [name_in(x.strip("$")) for x in head[1:]], [[value(x.strip("$")) for x in row[1:]] for row in rows]


def read_pieces(pieces: list[str]) -> Any:
    """The formula that the pieces of a page show, up to `listed`, with disjunctions of families spliced in."""
    shown, main, k = Shown(), items(pieces[0]), 1
    while k < len(pieces):
        piece = pieces[k]
        if match := TERM.fullmatch(piece):
            shown.terms[name_in(match[1])] = match[2]
        elif match := NAMED.fullmatch(piece):
            name, letters = head_of(match[1])
            shown.formulas[name] = (letters, items(pieces[k + 1]))
            k += 1
        elif match := re.fullmatch(r'<a id="(.*)"></a>Table (\d+):', piece):
            shown.tables[match[1]] = table(pieces[k + 1])
            k += 1
        elif not piece.startswith("<details>"):
            raise Unreadable(f"nothing that belongs to a formula: {piece[:80]!r}")
        k += 1
    return SchemaLists(shown).sequence(main)


def head_of(latex: str) -> tuple[str, list[str]]:
    """The name of a named formula, and its places."""
    reader = Reader(latex)
    name, found = str(reader.name()), list[str]()
    if reader.take("("):
        found.append(str(reader.name()))
        while reader.take(","):
            found.append(str(reader.name()))
        reader.need(")")
    reader.end()
    return name, found


# ---------------------------------------------------------------------------------------------- the source in plain text

Definitions = dict[str, tuple[list[str], str]]
"""The places and the text of a name."""
SIGN = re.compile(r"[<=]|\b(true|false|tends|tendsoo)\b")
CALL = re.compile(r"(?<![\w'`\\])([A-Za-z]\w*)")


def read_source(pieces: list[str]) -> Any:
    """The formula of the folded text: every name replaced by what it stands for, in brackets that keep it together."""
    match = SOURCE.fullmatch(pieces[-1])
    if match is None:
        raise Unreadable("no source")
    main, *definitions = match[1].split("\n\n")
    known: Definitions = {}
    for text in definitions:
        head, _, body = text.partition(" := ")
        name, _, params = head.partition("(")
        known[name] = ([x.strip() for x in params.rstrip(")").split(",")] if params else [], body)
    return parse(expanded(main, known, {}))


def is_formula(body: str, known: Definitions) -> bool:
    """Whether a text has a sign of formulas, also by the names in it."""
    names = {m[1] for m in CALL.finditer(body)} & known.keys()
    return SIGN.search(body) is not None or any(is_formula(known[n][1], known) for n in names)


def expanded(text: str, known: Definitions, values: dict[str, str]) -> str:
    """A text with the names put in."""
    out, at = "", 0
    while match := CALL.search(text, at):
        name = match[1]
        out += text[at : match.start()]
        at = match.end()
        if name in values:
            out += f"{{{values[name]}}}"
        elif name in known:
            params, body = known[name]
            given: list[str] = []
            if params or text[at : at + 2] == "()":
                given, at = arguments(text, at)
            put_in = {p: expanded(g, known, values) for p, g in zip(params, given, strict=True)}
            inner = expanded(body, known, put_in)
            out += f"({inner})" if is_formula(body, known) else f"{{{inner}}}"
        else:
            out += name
    return out + text[at:]


def arguments(text: str, at: int) -> tuple[list[str], int]:
    """The arguments in the parentheses that open at a place, and the place after them."""
    depth, found, start = 0, list[str](), at + 1
    for k in range(at, len(text)):
        depth += (text[k] in "([{") - (text[k] in ")]}")
        if depth == 0:
            return [*found, text[start:k].strip()] if text[start:k].strip() else found, k + 1
        if depth == 1 and text[k] == ",":
            found.append(text[start:k].strip())
            start = k + 1
    raise Unreadable("a parenthesis that does not close")


def spliced(e: Any) -> Any:
    """A formula up to what families leave open as well: nested disjunctions are one."""
    if not isinstance(e, tuple) or e[0] not in ("all", "ex", "and", "or", "not", "=>", "iff"):
        return e
    if e[0] in ("all", "ex"):
        return (e[0], e[1], spliced(e[2]))
    parts = [spliced(x) for x in e[1:]]
    if e[0] in ("or", "and"):
        parts = [x for p in parts for x in (p[1:] if p[0] == e[0] and len(p) > 2 else [p])]
        return (e[0], *parts)
    if e[0] == "=>":
        conclusion = parts[1]
        for h in reversed(conjuncts(parts[0])):
            conclusion = ("=>", h, conclusion)
        return conclusion
    return (e[0], *parts)
