"""The values of a counterexample for a reader: numbers worked out, families of matrices listed layer by layer.

`verdicts.json` keeps the exact terms that a proof gives, for example a family of layers as a polynomial in the index of
the layer. Here each is worked out as far as exact arithmetic goes; what is not understood is shown as it is.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from verify.kernel.facts import library
from verify.kernel.syntax import BINDING, MATRICES, NAMED
from verify.kernel.terms import subst
from verify.kernel.text.names import Alphabet
from verify.report.markup import inline, tick
from verify.report.notation import typeset
from verify.run.instances import ANY, GIVEN
from verify.run.language import Language

LAYERS, SIZE, DIGITS = "L", "dn", 60
"""The depth, by which families of layers are listed; the variables that give the size of a matrix; the longest number."""
PRODUCTS = frozenset({"P", "Q"})
"""Families of partial products, which begin at 0; those of layers begin at 1."""
_OWN = NAMED | MATRICES | BINDING | {"d", "lam"} | set(library()[1])
_LAMBDA = re.compile(r"lam ([\w ,:~>()-]+?)\. (.*)", re.DOTALL)
_CALL = re.compile(r"\b([A-Za-z]\w*)\(")


@dataclass(frozen=True, slots=True)
class Equation:
    """One value: its name with indices and arguments, the term, and the text where no term was understood."""

    name: str
    index: int | None
    arguments: tuple[str, ...]
    term: Any
    text: str = ""


def lines(values: Mapping[str, str], language: Language, show: Callable[[list[Equation]], str]) -> Iterator[str]:
    """The values as lines: the numbers on the first, then one for every function or matrix; equal ones stand together."""
    known = {name: fold(term) for name, text in values.items() if (term := language.term(text)) is not None}
    numbers: list[list[Equation]] = []
    groups: list[list[list[Equation]]] = []
    for name, text in values.items():
        if name == text or text == ANY or text.startswith(GIVEN):
            continue
        found = _equations(name, text, known, values, language)
        first = found[0]
        if len(found) == 1 and not first.arguments and first.term is not None and not _is_matrix(first.term):
            numbers.append(found)
        elif (same := next((g for g in groups if _equal(g[0], found)), None)) is not None:
            same.append(found)
        else:
            groups.append([found])
    if numbers:
        yield ", ".join(show(chain) for chain in numbers)
    for group in groups:
        chains = [list(chain) for chain in zip(*group, strict=True)]
        if all(chain[0].term == chains[0][0].term for chain in chains):
            chains = [[e for family in group for e in family]]
        yield ", ".join(show(chain) for chain in chains)


def markdown(values: Mapping[str, str], language: Language) -> str:
    """A counterexample as a list; empty when all names stand for themselves (any value does)."""

    def show(chain: list[Equation]) -> str:
        last = chain[-1]
        if last.text:
            return tick(" = ".join([*(_plain_name(e) for e in chain), last.text]))
        return inline(" = ".join([*(_latex_name(e) for e in chain), typeset(last.term, language)]))

    found = [f"- {line}" for line in lines(values, language, show)]
    return "\n".join([*found, *(f"- {note}" for note in notes(values, language, tick))])


def text(values: Mapping[str, str], language: Language) -> list[str]:
    """A counterexample as lines of plain text."""

    def show(chain: list[Equation]) -> str:
        last = chain[-1]
        return " = ".join([*(_plain_name(e) for e in chain), last.text or _spaced(language.pretty(last.term))])

    return [*lines(values, language, show), *notes(values, language, str)]


def notes(values: Mapping[str, str], language: Language, quoted: Callable[[str], str]) -> Iterator[str]:
    """What has to be said of names that no value defines: the condition on them, or that they were obtained."""
    conditions = {name: text.removeprefix(GIVEN) for name, text in values.items() if text.startswith(GIVEN)}
    known = {n for names in conditions for n in names.split(", ")}
    found = {_other(n) if n in values else n for name, v in values.items() if name not in conditions for n in _unknown(v)}
    bare = {v for v in values.values() if v.isidentifier() and v not in values and language.term(v) is None}
    if given := sorted((found | bare) - known):
        yield f"{', '.join(quoted(n) for n in given)}: obtained in the proof (the solution of an equation, which exists)"
    for name, text in values.items():
        if text == ANY:
            yield f"{quoted(name)}: {text}"
        elif name in conditions:
            yield f"{quoted(name)} {GIVEN}{quoted(conditions[name])}"


def _equations(name: str, source: str, known: Mapping[str, Any], names: Collection[str], language: Language) -> list[Equation]:
    term = _parse(source, known, names, language)
    if term is None:
        match = _LAMBDA.fullmatch(source)
        if match is None:
            return [Equation(name, None, (), None, source)]
        arguments = tuple(v for group in match[1].split(",") for v in group.split(":")[0].split())
        return [Equation(name, None, arguments, None, match[2])]
    if not (isinstance(term, tuple) and term[0] == "lam"):
        return [Equation(name, None, (), fold(term))]
    declared, body = term[1], term[2]
    arguments = tuple(str(v) for v, _ in declared)
    depth = known.get(LAYERS)
    if declared[0][1] == "Z" and isinstance(depth, int) and 1 <= depth <= 6 and _is_matrix(body):
        start = 0 if name in PRODUCTS else 1
        return [Equation(name, k, arguments[1:], fold(subst(body, {arguments[0]: k}))) for k in range(start, depth + 1)]
    return [Equation(name, None, arguments, fold(body))]


def _parse(source: str, known: Mapping[str, Any], names: Collection[str], language: Language) -> Any:
    """The term, with functions that are declared nowhere as functions of time; None if it is not understood."""
    size = next((known[v] for v in SIZE if isinstance(known.get(v), int)), 1)
    for result in ("R", ("M", size, size)):
        context = dict.fromkeys(_unknown(source), ("F", ("R",), result, "smooth"))
        term = language.term(source, context)
        if term is not None:
            return _renamed(term, {n: _other(n) for n in context if n in names})
    return None


def _unknown(source: str) -> list[str]:
    """The functions that a text calls and that the language does not know."""
    return sorted(set(_CALL.findall(source)) - _OWN)


def _other(name: str) -> str:
    return f"{name}_flow"


def _renamed(term: Any, names: Mapping[str, str]) -> Any:
    if isinstance(term, tuple):
        if term[:1] == ("call",):
            return ("call", names.get(term[1], term[1]), *(_renamed(x, names) for x in term[2:]))
        return tuple(_renamed(x, names) for x in term)
    return term


def _is_matrix(term: Any) -> bool:
    return isinstance(term, tuple) and (
        term[0] in ("mat", "I", "J", "O", "sm", "mm", "mpow", "had", "T", "inv") or (term[0] == "+" and _is_matrix(term[1]))
    )


def _equal(a: list[Equation], b: list[Equation]) -> bool:
    return len(a) == len(b) and all(
        x.term is not None and (x.index, x.arguments, x.term) == (y.index, y.arguments, y.term) for x, y in zip(a, b, strict=True)
    )


def _plain_name(e: Equation) -> str:
    return e.name + (f"_{e.index}" if e.index is not None else "") + (f"({', '.join(e.arguments)})" if e.arguments else "")


def _latex_name(e: Equation) -> str:
    """The name as a family or function is written; a layer is called by its number."""
    name = e.name.rstrip("'")
    letters = Alphabet(name)
    base = letters[name] + e.name[len(name) :]
    if e.index is not None:
        base = (rf"\left({base}\right)" if letters.indexed(name) else base) + f"_{{{e.index}}}"
    return base + (f"({', '.join(Alphabet(a)[a] for a in e.arguments)})" if e.arguments else "")


def _spaced(term: str) -> str:
    return re.sub(r",(?! )", ", ", term)


# ---------------------------------------------------------------------------------------------- exact arithmetic


def fold(e: Any) -> Any:
    """The same term with everything worked out that exact arithmetic on rationals and small matrices decides."""
    if (number := _number(e)) is not None:
        return _term(number)
    if not isinstance(e, tuple):
        return e
    head = e[0]
    if head in ("I", "J", "O"):
        return e if (rows := _rows(e)) is None else _matrix(rows)
    if head == "lam":
        return ("lam", e[1], fold(e[2]))
    if head == "mat":
        return _matrix([[fold(x) for x in row] for row in e[1]])
    args = [fold(x) for x in e[1:]]
    rule = _RULES.get(head)
    found = None if rule is None else rule(args)
    return (head, *args) if found is None else found


def _number(e: Any) -> Fraction | None:
    if isinstance(e, int):
        return Fraction(e)
    if isinstance(e, tuple) and e[0] == "q":
        return Fraction(e[1], e[2])
    if isinstance(e, tuple) and e[0] == "^" and e[1] == 10 and isinstance(e[2], int):
        return Fraction(10) ** e[2]
    return None


def _term(x: Fraction) -> Any:
    for value, sign in ((x, 1), (1 / x if x else x, -1)):
        if value.denominator == 1 and re.fullmatch(r"10{5,}", str(value.numerator)):
            return ("^", 10, sign * (len(str(value.numerator)) - 1))
    return x.numerator if x.denominator == 1 else ("q", x.numerator, x.denominator)


def _rows(e: Any) -> list[list[Any]] | None:
    """The entries of a small matrix whose entries are known."""
    if not isinstance(e, tuple):
        return None
    if e[0] == "mat":
        return [list(row) for row in e[1]]
    if e[0] not in ("I", "J", "O"):
        return None
    size = [fold(x) for x in e[1:]]
    if not all(isinstance(n, int) and 1 <= n <= 6 for n in size):
        return None
    height, width = (size * 2)[:2]
    return [[int(i == j) if e[0] == "I" else int(e[0] == "J") for j in range(width)] for i in range(height)]


def _matrix(rows: list[list[Any]]) -> Any:
    """Rows as a matrix; zero and the identity by their symbols."""
    height, width = len(rows), len(rows[0])
    if all(x == 0 for row in rows for x in row) and (height, width) != (1, 1):
        return ("O", height, width)
    if height == width > 1 and all(x == int(i == j) for i, row in enumerate(rows) for j, x in enumerate(row)):
        return ("I", height)
    return ("mat", tuple(tuple(row) for row in rows))


def _sum(args: list[Any]) -> Any:
    tables = [_rows(a) for a in args]
    if all(t is not None for t in tables):
        return _matrix([[_sum([t[i][j] for t in tables if t]) for j in range(len(row))] for i, row in enumerate(tables[0] or [])])
    flat = [x for a in args for x in (a[1:] if isinstance(a, tuple) and a[0] == "+" else (a,))]
    numbers = [n for x in flat if (n := _number(x)) is not None]
    rest = [x for x in flat if _number(x) is None]
    total = sum(numbers, Fraction(0))
    kept = ([] if total == 0 and rest else [_term(total)]) + rest
    if len(kept) == 1:
        return kept[0]
    first, *others = kept[1:] + kept[:1] if total < 0 and rest else kept
    return ("+", first, *(_subtracted(x) for x in others))


def _subtracted(x: Any) -> Any:
    """A product with a negative number as -1 times the positive one, which a sum shows as a difference."""
    number = _number(x[1]) if isinstance(x, tuple) and x[0] == "*" else None
    return x if number is None or number >= 0 or number == -1 else ("*", -1, _term(-number), *x[2:])


def _product(args: list[Any]) -> Any:
    flat = [x for a in args for x in (a[1:] if isinstance(a, tuple) and a[0] == "*" else (a,))]
    flat = _squares(flat)
    factor = math.prod((n for x in flat if (n := _number(x)) is not None), start=Fraction(1))
    rest = [x for x in flat if _number(x) is None]
    if factor == 0 or not rest:
        return _term(factor)
    kept = ([] if factor == 1 else [_term(factor)]) + rest
    return kept[0] if len(kept) == 1 else ("*", *kept)


def _squares(factors: list[Any]) -> list[Any]:
    """A product in which equal factors side by side are squares."""
    found: list[Any] = []
    for x in factors:
        if found and found[-1] == x and _number(x) is None:
            found[-1] = fold(("^", x, 2))
        else:
            found.append(x)
    return found


def _quotient(args: list[Any]) -> Any:
    above, below = (_number(a) for a in args)
    if below is None or below == 0:
        return None
    if above is not None:
        return _term(above / below)
    return args[0] if below == 1 else None


def _power(args: list[Any]) -> Any:
    base, exponent = (_number(a) for a in args)
    if exponent == 2 and isinstance(args[0], tuple):
        inner = args[0]
        if inner[0] == "sqrt" and _positive(inner[1]):
            return inner[1]
        if inner[0] == "/" and isinstance(inner[2], tuple) and inner[2][0] == "sqrt" and _positive(inner[2][1]):
            return fold(("/", ("^", inner[1], 2), inner[2][1]))
    if base is None or exponent is None or exponent.denominator != 1 or not 0 <= abs(exponent) <= DIGITS:
        return None
    if base == 0 and exponent < 0:
        return None
    value = base ** int(exponent)
    return _term(value) if max(abs(value.numerator), value.denominator) < 10**DIGITS else None


def _scaled(args: list[Any]) -> Any:
    rows = _rows(args[1])
    if rows is None:
        return args[1] if args[0] == 1 else None
    if _number(args[0]) is None and args[1][0] != "O":
        return None
    return _matrix([[_product([args[0], x]) for x in row] for row in rows])


def _times(args: list[Any]) -> Any:
    tables = [_rows(a) for a in args]
    if any(t is None for t in tables):
        return None
    done = tables[0] or []
    for table in tables[1:]:
        columns = list(zip(*(table or []), strict=True))
        done = [[_sum([_product([x, y]) for x, y in zip(row, c, strict=True)]) for c in columns] for row in done]
    return _matrix(done)


def _matrix_power(args: list[Any]) -> Any:
    rows, times = _rows(args[0]), args[1]
    if rows is None or not isinstance(times, int) or not 0 <= times <= 8:
        return None
    return _times([args[0]] * times) if times else ("I", len(rows))


def _transposed(args: list[Any]) -> Any:
    rows = _rows(args[0])
    return None if rows is None else _matrix([list(column) for column in zip(*rows, strict=True)])


def _entrywise(args: list[Any]) -> Any:
    one, other = _rows(args[0]), _rows(args[1])
    if one is None or other is None:
        return None
    return _matrix([[_product([x, y]) for x, y in zip(a, b, strict=True)] for a, b in zip(one, other, strict=True)])


def _root(args: list[Any]) -> Any:
    value = _number(args[0])
    if value is None or value < 0:
        return None
    above, below = math.isqrt(value.numerator), math.isqrt(value.denominator)
    return _term(Fraction(above, below)) if above**2 == value.numerator and below**2 == value.denominator else None


def _exponential(args: list[Any]) -> Any:
    """exp(c log x + ...) is x^c exp(...) where x is visibly positive."""
    constant, parts = _linear(args[0])
    above: list[Any] = []
    below: list[Any] = []
    rest: list[Any] = [] if constant == 0 else [_term(constant)]
    for atom, c in parts.items():
        inner = atom[1] if isinstance(atom, tuple) and atom[0] == "log" and _positive(atom[1]) else None
        if inner is None or abs(c) not in (1, Fraction(1, 2)):
            rest.append(_product([_term(c), atom]))
        else:
            (above if c > 0 else below).append(inner if abs(c) == 1 else fold(("sqrt", inner)))
    if not above and not below:
        return 1 if not rest else None
    over = _product([*above, *([("exp", _sum(rest))] if rest else [])])
    return fold(("/", over, _product(below))) if below else over


def _linear(e: Any) -> tuple[Fraction, dict[Any, Fraction]]:
    """A term as a constant and rational multiples of terms."""
    number = _number(e)
    if number is not None:
        return number, {}
    if isinstance(e, tuple) and e[0] == "+":
        constant, parts = Fraction(0), dict[Any, Fraction]()
        for x in e[1:]:
            c, found = _linear(x)
            constant += c
            for atom, times in found.items():
                parts[atom] = parts.get(atom, Fraction(0)) + times
        return constant, {atom: times for atom, times in parts.items() if times}
    if isinstance(e, tuple) and e[0] == "*":
        rest = [x for x in e[1:] if _number(x) is None]
        if len(rest) == 1 and len(e) > 2:
            factor = math.prod((n for x in e[1:] if (n := _number(x)) is not None), start=Fraction(1))
            c, found = _linear(rest[0])
            return factor * c, {atom: factor * times for atom, times in found.items()}
    return Fraction(0), {e: Fraction(1)}


def _positive(e: Any) -> bool:
    number = _number(e)
    if number is not None:
        return number > 0
    return isinstance(e, tuple) and (e[0] == "exp" or (e[0] in ("+", "*", "/", "sqrt") and all(_positive(x) for x in e[1:])))


def _at_zero(value: int) -> Callable[[list[Any]], Any]:
    return lambda args: value if args[0] == 0 else None


_RULES: dict[str, Callable[[list[Any]], Any]] = {
    "+": _sum,
    "*": _product,
    "/": _quotient,
    "^": _power,
    "sm": _scaled,
    "mm": _times,
    "mpow": _matrix_power,
    "T": _transposed,
    "had": _entrywise,
    "sqrt": _root,
    "exp": _exponential,
    "log": lambda args: 0 if args[0] == 1 else None,
    "sinh": _at_zero(0),
    "cosh": _at_zero(1),
    "sin": _at_zero(0),
    "cos": _at_zero(1),
}
