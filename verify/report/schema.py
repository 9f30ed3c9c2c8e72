"""Long encoded formulas said once: families as one formula with a table of values, repeated pieces by a name.

Members of a conjunction or a disjunction that differ only in literals become one node `["each", conn, spliced, params,
rows, body]`; formulas that occur several times, up to literals, become calls `["call", name, ...]` of a definition; in what
is still long, terms that occur several times become a name without arguments. Nothing is lost: `expand` gives back exactly
the formula, which `shorten` checks each time. Formulas are JSON as in certificates.
"""

from __future__ import annotations

import itertools
import string
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

EACH = "each"
"""The head of a family; no head of the logic."""
CONNECTIVES = ("and", "or")
RELATIONS = (*CONNECTIVES, "not", "=>", "iff", "=", "!=", "<", "<=", "true", "false")
FEWEST = 3
"""Members of a family."""
GAIN, PIECE, TERM = 60, 30, 12
"""Symbols that a family saves at least; those of a repeated formula, and of a repeated term."""
_NAMED = frozenset({"op", "app", "dom", "call"})
_BINDERS = {"sum": (2, 3, 4), "prod": (2, 3, 4), "D": (2, 3), "tends": (2, 3), "tendsoo": (2,)}
_OPEN = frozenset({"call", "d", "app", "dom", "all", "ex", "lam", EACH, *_BINDERS, *RELATIONS})
"""No closed term has these heads."""
_MATRICES = ("P", "Q", "R", "S", "U", "V", "X", "Y", "Z", "A", "B", "C", "G", "H", "K", "M", "N")
_NUMBERS = tuple(c for c in string.ascii_lowercase if c not in "delo")


@dataclass(frozen=True)
class Definition:
    """A name for a formula (`params` are its places) or, without parameters, for a term."""

    name: str
    params: tuple[str, ...]
    body: Any


@dataclass(frozen=True)
class Schema:
    """A formula in which families and names stand, and what the names stand for; later definitions may use earlier ones."""

    formula: Any
    definitions: tuple[Definition, ...] = ()

    def expand(self) -> Any:
        """The formula that this stands for."""
        return _Expander({d.name: d for d in self.definitions})(self.formula)


@dataclass
class _Names:
    """Letters that the formula does not use."""

    taken: set[str]
    given: dict[str, int] = field(default_factory=dict)

    def letters(self, values: Iterable[Any]) -> list[str]:
        """A letter for each value: capital for matrices. They are taken for nothing else, except by another call."""
        found: list[str] = []
        for value in values:
            pool: Sequence[str] = _MATRICES if isinstance(value, list) and value[0] == "mat" else _NUMBERS
            more = (f"{c}{n}" for n in itertools.count(1) for c in pool)
            found.append(next(c for c in itertools.chain(pool, more) if c not in self.taken and c not in found))
        return found

    def numbered(self, stem: str) -> str:
        """The next name such as F1."""
        self.given[stem] = number = self.given.get(stem, 0) + 1
        return f"{stem}{number}"


def shorten(formula: Any, terms: bool = False) -> Schema:
    """The formula with its families and repeated pieces said once; with `terms`, repeated terms as well."""
    names = _Names(_strings(formula))
    main = _families(formula, names)
    stem = next(c for c in ("F", "G", "H", "K", "Formula") if not any(n.startswith(c) for n in names.taken))
    found = _name(main, lambda e: names.numbered(stem), _formulas, PIECE, names, closed_terms=True)
    if terms:
        small = next(c for c in ("u", "w", "v", "y", "abbreviation") if not any(n.startswith(c) for n in names.taken))
        found = _name(found, lambda e: names.numbered(small), _terms, TERM, names, closed_terms=False)
    if found.expand() != formula:
        raise AssertionError("a schema does not give back its formula")
    return found


# ------------------------------------------------------------------------------------------------- the shape of nodes


def children(e: Any) -> list[Any]:
    """The terms and formulas directly below a node."""
    found: list[Any] = []

    def keep(x: Any) -> Any:
        found.append(x)
        return x

    rebuilt(e, keep)
    return found


def rebuilt(e: Any, f: Callable[[Any], Any]) -> Any:
    """A node with what is directly below it replaced; names, sorts and literals stay."""
    if not isinstance(e, list) or e[0] == "q":
        return e
    head = e[0]
    if head == EACH:
        return [*e[:4], [[f(x) for x in row] for row in e[4]], f(e[5])]
    if head == "mat":
        return [head, [[f(x) for x in row] for row in e[1]], *e[2:]]
    if head in ("all", "ex", "lam"):
        return [head, e[1], f(e[2])]
    if head in _BINDERS:
        return [f(x) if n in _BINDERS[head] else x for n, x in enumerate(e)]
    if head in _NAMED:
        return [*e[:2], *map(f, e[2:])]
    if head == "d":
        return [head, f(e[1]), e[2], *map(f, e[3:])]
    return [head, *map(f, e[1:])]


def _strings(e: Any) -> set[str]:
    if isinstance(e, str):
        return {e}
    return set().union(*map(_strings, e)) if isinstance(e, list) else set()


@dataclass
class _Keys:
    """A number for each node, the same for nodes that differ only in closed terms (with `params` as literals), and its symbols.

    Without `literals` equal nodes only have the same number. A number is found once for an object, so these must stay alive.
    """

    params: frozenset[str] = frozenset()
    literals: bool = True
    symbols: list[int] = field(default_factory=lambda: [1])
    _known: dict[Any, int] = field(default_factory=dict)
    _found: dict[int, int] = field(default_factory=dict)

    def __call__(self, e: Any) -> int:
        """The number of a node; 0 for a closed term."""
        if not isinstance(e, list):
            closed = self.literals and (isinstance(e, int) or e in self.params)
            return 0 if closed else self._number(e, 1)
        if id(e) not in self._found:
            if e[0] == EACH:  # its own parameters are no literals: equal families only are alike
                self._found[id(e)] = self._number(_frozen(e), 1 + sum(self.symbols[self(x)] for x in children(e)))
                return self._found[id(e)]
            below = [self(x) for x in children(e)]
            closed = self.literals and e[0] not in _OPEN and not any(below)
            parts = iter(below)
            shape = e if e[0] == "q" else rebuilt(e, lambda x: next(parts))
            self._found[id(e)] = 0 if closed else self._number(_frozen(shape), 1 + sum(self.symbols[k] for k in below))
        return self._found[id(e)]

    def _number(self, shape: Any, symbols: int) -> int:
        number = self._known.setdefault(("node", shape), len(self.symbols))
        if number == len(self.symbols):
            self.symbols.append(symbols)
        return number


def _frozen(e: Any) -> Any:
    return tuple(_frozen(x) for x in e) if isinstance(e, list) else e


def _common(nodes: Sequence[Any], params: frozenset[str], holes: list[list[Any]]) -> Any:
    """What nodes of one key have in common; where they differ, and for a parameter, a place, the same for the same values."""
    first, values = nodes[0], list(nodes)
    if isinstance(first, list) and first[0] == EACH:
        params -= set(first[3])
    if all(e == first for e in nodes) and not _strings(first) & params:
        return first
    if isinstance(first, list) and not (first[0] == "mat" and _Keys(params)(first) == 0):
        shapes = {_frozen(rebuilt(e, lambda x: 0)) if isinstance(e, list) and e[0] != "q" else _frozen(e) for e in nodes}
        if len(shapes) == 1:
            parts = iter([_common(column, params, holes) for column in zip(*map(children, nodes), strict=True)])
            return rebuilt(first, lambda x: next(parts))
    if values not in holes:
        holes.append(values)
    return ["hole", holes.index(values)]


def _params(e: Any) -> set[str]:
    """The parameters of the families in a node: they are literals to what is around."""
    found = set(e[3]) if isinstance(e, list) and e[0] == EACH else set()
    return found.union(*map(_params, children(e))) if isinstance(e, list) else found


def _filled(e: Any, names: Sequence[str]) -> Any:
    if isinstance(e, list) and e[0] == "hole":
        return names[e[1]]
    return rebuilt(e, lambda x: _filled(x, names))


# ---------------------------------------------------------------------------------------------------------- families


def _families(e: Any, names: _Names) -> Any:
    """A formula with the members that differ only in literals said once, from the inside."""
    if not isinstance(e, list) or e[0] not in (*CONNECTIVES, "not", "=>", "iff", "all", "ex"):
        return e
    e = rebuilt(e, lambda x: _families(x, names))
    if e[0] not in CONNECTIVES or len(e) <= FEWEST:
        return e
    members: list[Any] = []
    keys = _Keys()
    for key, group in itertools.groupby(e[1:], keys):
        run = list(group)
        enough = len(run) >= FEWEST and (len(run) - 1) * keys.symbols[key] >= GAIN
        family = _family(e[0], run, names) if enough else None
        members += run if family is None else [family]
    if len(members) == 1:
        return [EACH, e[0], False, *members[0][3:]]
    return [e[0], *members]


def _family(conn: str, run: list[Any], names: _Names) -> Any:
    holes: list[list[Any]] = []
    body = _common(run, frozenset(), holes)
    params = _Names(names.taken | _params(body)).letters(values[0] for values in holes)
    rows = [list(row) for row in zip(*holes, strict=True)] if holes else [[] for _ in run]
    return [EACH, conn, True, params, rows, _filled(body, params)]


# ------------------------------------------------------------------------------------------------------------- names


def _formulas(e: Any) -> Iterator[Any]:
    """The formulas in a formula, itself first."""
    yield e
    if isinstance(e, list) and e[0] in (*CONNECTIVES, "not", "=>", "iff", "all", "ex", EACH):
        for x in [e[5]] if e[0] == EACH else children(e):
            yield from _formulas(x)


def _terms(e: Any) -> Iterator[Any]:
    """The terms in a formula."""
    if isinstance(e, list):
        if e[0] not in (*RELATIONS, "all", "ex", "lam", "tends", "tendsoo", EACH):
            yield e
        for x in [e[5]] if e[0] == EACH else children(e):
            yield from _terms(x)


def _name(
    found: Any,
    new: Callable[[Any], str],
    pieces: Callable[[Any], Iterator[Any]],
    least: int,
    names: _Names,
    *,
    closed_terms: bool,
) -> Schema:
    """Give names to the pieces that occur several times, the one that saves most first."""
    schema = found if isinstance(found, Schema) else Schema(found)
    bodies, known = [schema.formula, *(d.body for d in schema.definitions)], list(schema.definitions)
    families = _params(schema.formula)
    while True:
        params = frozenset(families.union(*(d.params for d in known)))
        keys = _Keys(params, literals=closed_terms)  # parameters are literals: they become arguments
        groups: dict[int, list[Any]] = defaultdict(list)
        roots = {id(b) for b in bodies}
        for piece in itertools.chain.from_iterable(map(pieces, bodies)):
            if id(piece) not in roots:
                groups[keys(piece)].append(piece)
        saved = {key: (len(group) - 1) * keys.symbols[key] for key, group in groups.items() if keys.symbols[key] >= least}
        largest = max(saved, key=saved.__getitem__, default=None)
        if largest is None or saved[largest] < 5 * least:
            return Schema(bodies[0], tuple(known))
        best, holes = groups[largest], list[list[Any]]()
        body = _common(best, params, holes) if closed_terms else best[0]
        letters = _Names(names.taken | set(params)).letters(values[0] for values in holes)
        definition = Definition(new(body), tuple(letters), _filled(body, letters))
        rows = zip(*holes, strict=True) if holes else [()] * len(best)
        named = (["call", definition.name, *row] if closed_terms else definition.name for row in rows)
        calls = {id(piece): call for piece, call in zip(best, named, strict=True)}
        bodies = [_replaced(b, calls) for b in bodies]
        bodies.append(definition.body)
        known = [Definition(d.name, d.params, b) for d, b in zip([*known, definition], bodies[1:], strict=True)]


def _replaced(e: Any, by: dict[int, Any]) -> Any:
    """A formula in which some pieces, these very objects, are replaced."""
    if id(e) in by:
        return by[id(e)]
    return rebuilt(e, lambda x: _replaced(x, by)) if isinstance(e, list) else e


# --------------------------------------------------------------------------------------------------------- expansion


class _Expander:
    """Puts what the names stand for in their places."""

    def __init__(self, definitions: dict[str, Definition]) -> None:
        self._definitions = definitions

    def __call__(self, e: Any) -> Any:
        if isinstance(e, str):
            return self(self._definitions[e].body) if e in self._definitions else e
        if not isinstance(e, list):
            return e
        if e[0] == "call" and e[1] in self._definitions:
            known = self._definitions[e[1]]
            return _put(self(known.body), dict(zip(known.params, map(self, e[2:]), strict=True)))
        if e[0] == EACH:
            return [e[1], *self._members(e)]
        if e[0] in CONNECTIVES:
            spliced = [self._members(x) if isinstance(x, list) and x[:3] == [EACH, e[0], True] else [self(x)] for x in e[1:]]
            return [e[0], *itertools.chain.from_iterable(spliced)]
        return rebuilt(e, self)

    def _members(self, family: Any) -> list[Any]:
        _, _, _, params, rows, body = family
        whole = self(body)
        return [_put(whole, dict(zip(params, map(self, row), strict=True))) for row in rows]


def _put(e: Any, values: dict[str, Any]) -> Any:
    """A formula with values for parameters, which have no other use in it."""
    if isinstance(e, str):
        return values.get(e, e)
    return rebuilt(e, lambda x: _put(x, values)) if isinstance(e, list) else e
