"""An encoded formula for a reader: a list of what is given, what is assumed and what follows, in the order of the formula.

The formula itself is not changed: `for all`, `if` and `then` stand for its quantifiers and arrows, an item for each member
of a conjunction. Long members are opened in the same way, one level further in.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from verify.report.markup import inline
from verify.report.notation import typeset
from verify.run.language import Language

SHORT, SYMBOLS, LINE, DEEPEST = 130, 65, 200, 4
"""The most characters of LaTeX, and symbols, of a member that is not opened; of hypotheses that share a line; the most levels."""
RELATIONS = {"=": "=", "!=": r"\ne", "<": r"\lt", "<=": r"\le"}
_OPENED = {"and": "all of these:", "or": "one of these:", "iff": "these are equivalent:", "not": "it is not true that"}
TABLED = "tabled"
"""The head of a family of formulas with a table of values: what is said of them, and the formula (`verify.report.families`)."""

Lines = Iterator[tuple[int, str]]


def outline(formula: Any, language: Language, alphabet: Any = None) -> str:
    """The formula as a nested Markdown list, with the letters of the formulas that it belongs to (default: its own)."""
    found = Outline(language, language.alphabet(formula) if alphabet is None else alphabet)
    return "\n".join("  " * depth + "- " + line for depth, line in found.sequence(formula, 0))


class Outline:
    """Lists in one language, with the letters of one formula."""

    def __init__(self, language: Language, alphabet: Any) -> None:
        self.language, self.alphabet = language, alphabet

    def sequence(self, e: Any, depth: int) -> Lines:
        """A chain of quantifiers and arrows, and its conclusion."""
        given, waiting, then = "", list[str](), False

        def flush() -> Lines:
            nonlocal given, then
            if given and waiting and len(given) + sum(map(len, waiting)) <= LINE:
                yield depth, f"{given} with {', '.join(waiting)}"
            else:
                if given:
                    yield depth, given
                if waiting:
                    then = True
                    yield depth, f"if {', '.join(waiting)}"
            given = ""
            waiting.clear()

        while e[0] in ("all", "=>"):
            if e[0] == "all":
                yield from flush()
                given = f"for all {self._declared(e)}"
            else:
                for part in _conjuncts(e[1]):
                    tex = self._short(part)
                    if not tex:
                        yield from flush()
                        yield from self._member(part, depth, "if ")
                        then = True
                    else:
                        if sum(map(len, waiting)) + len(tex) > LINE:
                            yield from flush()
                        waiting.append(tex)
            e = e[2]
        yield from flush()
        for number, part in enumerate(_conjuncts(e)):
            yield from self._member(part, depth, "" if not then else "and " if number else "then ")

    def _member(self, e: Any, depth: int, word: str) -> Lines:
        """One member, on one line if it is short, else opened."""
        head = e[0]
        if head == TABLED:
            yield depth, word + e[1]
            for part in _conjuncts(e[2]):
                yield from self._member(part, depth + 1, "")
        elif (depth >= DEEPEST and not _tabled(e)) or (tex := self._short(e)):
            yield depth, word + (self._math(e) if depth >= DEEPEST else tex)
        elif head == "=>":
            yield depth, word + "the following:"
            yield from self.sequence(e, depth + 1)
        elif head == "all":
            first, *rest = self.sequence(e, depth + 1)
            yield depth, word + first[1] + ":"
            yield from rest
        elif head == "ex":
            yield depth, f"{word}there are {self._declared(e)} with"
            for part in _conjuncts(e[2]):
                yield from self._member(part, depth + 1, "")
        elif head in _OPENED:
            yield depth, word + _OPENED[head]
            for part in _conjuncts(e) if head == "and" and len(e) > 2 else e[1:]:
                yield from self._member(part, depth + 1, "")
        elif head in RELATIONS:
            yield depth, f"{word}{self._math(e[1])} ${RELATIONS[head]}$ {self._math(e[2])}"
        else:
            yield depth, word + self._math(e)

    def _short(self, e: Any) -> str:
        """A formula that fits on a line, typeset; empty for a longer one."""
        if _tabled(e):
            return ""
        tex = self._math(e) if _leaves(e, SYMBOLS) < SYMBOLS else ""
        return tex if len(tex) <= SHORT else ""

    def _math(self, e: Any) -> str:
        return inline(typeset(e, self.language, self.alphabet))

    def _declared(self, e: Any) -> str:
        """The variables of a quantifier, those of one sort together."""
        groups: list[list[Any]] = []
        for item in e[1]:
            if groups and groups[-1][0][1] == item[1]:
                groups[-1].append(item)
            else:
                groups.append([item])
        return ", ".join(inline(self.language.declared(group, self.alphabet)) for group in groups)


def _conjuncts(e: Any) -> list[Any]:
    return [x for part in e[1:] for x in _conjuncts(part)] if e[0] == "and" and len(e) > 2 else [e]


def _tabled(e: Any) -> bool:
    """Whether a family stands in a formula."""
    return not isinstance(e, str) and isinstance(e, Sequence) and (e[:1] == [TABLED] or any(map(_tabled, e)))


def _leaves(e: Any, most: int) -> int:
    """How many symbols a formula has, or `most` if it has more."""
    if isinstance(e, str) or not isinstance(e, Sequence):
        return 1
    total = 0
    for x in e:
        total += _leaves(x, most - total)
        if total >= most:
            return most
    return total
