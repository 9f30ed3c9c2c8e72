"""Formulas and terms in the surface syntax: text that `verify.kernel.syntax` reads back to the very same formula."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

from verify.kernel.terms import Sort
from verify.kernel.text.levels import (
    ATOM,
    FACTOR,
    FORMULAS,
    IMPLIES,
    OR,
    PRODUCT,
    QUANTIFIER,
    SIGNED,
    SUM,
    TERMS,
    closed_by_quantifier,
    number,
    taken_off,
)
from verify.kernel.text.names import variables

WORDS = frozenset({"all", "ex", "lam", "and", "or", "not", "true", "false", "tends", "tendsoo"})
"""A variable of this name stands in back quotes."""
WIDTH = 120
_LEVELS = FORMULAS | dict.fromkeys(("tends", "tendsoo"), ATOM) | TERMS | {"/": PRODUCT}


def pretty(e: Any, level: int = 0) -> str:
    """Text that `parse` reads back (for terms: `parse_term`)."""
    return Printer(e).at(e, level)


def show_sort(s: Sort) -> str:
    """A sort in the surface syntax."""
    return Printer(()).sort(s)


def show_decls(declarations: Any) -> str:
    """Declarations in the surface syntax."""
    return Printer(()).declared(declarations)


def lines(e: Any, width: int = WIDTH) -> str:
    """The same text for a reader: a long formula on several lines, broken after quantifiers and around connectives.

    Nothing is left out: without the line breaks and the blanks at the beginning of lines it is what `pretty` gives.
    """
    return "\n".join("  " * depth + line for depth, line in Printer(e).lines(e, QUANTIFIER, 0, width))


def _negative(e: Any) -> bool:
    return isinstance(e, int) and e < 0


def _is(e: Any, head: str) -> bool:
    return isinstance(e, tuple) and e[0] == head


class Printer:
    """Prints terms of one formula, whose variables hide functions of the same name."""

    def __init__(self, whole: Any) -> None:
        self._whole = whole

    @cached_property
    def _variables(self) -> frozenset[str]:
        return variables(self._whole)

    def name(self, v: str) -> str:
        return f"`{v}`" if v in WORDS else v

    def own(self, head: str) -> str:
        """A function of the logic, marked where a variable has its name."""
        return f"\\{head}" if head in self._variables else head

    def at(self, e: Any, level: int) -> str:
        """The text where a level is asked for."""
        if isinstance(e, str):
            return self.name(e)
        if isinstance(e, int):
            return str(e) if e >= 0 or level <= SUM else f"({e})"
        own = _LEVELS.get(e[0], ATOM)
        if e[0] == "q":
            own = PRODUCT if e[1] >= 0 else SUM
        elif e[0] in ("*", "sm") and _negative(e[1]):
            own = SUM
        text = self._text(e, e[0])
        return f"({text})" if own < level else text

    def _first(self, e: Any, apart: bool) -> str:
        """The first factor of a product with numbers: a negative number as it is."""
        return str(e) if _negative(e) else self._apart(e, apart)

    def _apart(self, e: Any, apart: bool) -> str:
        """A first factor, in braces where it would be taken for a part of what is around it."""
        return f"{{{self.at(e, QUANTIFIER)}}}" if apart else self.at(e, FACTOR)

    def _list(self, items: Any) -> str:
        return ", ".join(self.at(a, QUANTIFIER) for a in items)

    # ------------------------------------------------------------------ sorts

    def sort(self, s: Sort) -> str:
        if isinstance(s, str):
            return s
        if s[0] == "M":
            rows = self.at(s[1], QUANTIFIER)
            return f"V({rows})" if s[2] == 1 else f"M({rows},{self.at(s[2], QUANTIFIER)})"
        args = ", ".join(self.sort(a) for a in s[1])
        arrow = "~>" if s[3:] == ("smooth",) else "->"
        return f"{args if len(s[1]) == 1 else f'({args})'}{arrow}{self.sort(s[2])}"

    def declared(self, declarations: Any) -> str:
        groups: list[tuple[list[str], Sort]] = []
        for v, s in declarations:
            if groups and groups[-1][1] == s:
                groups[-1][0].append(self.name(v))
            else:
                groups.append(([self.name(v)], s))
        return ", ".join(f"{' '.join(names)}:{self.sort(s)}" for names, s in groups)

    # ------------------------------------------------------------------ formulas

    def _text(self, e: Any, head: str) -> str:
        if head in FORMULAS:
            return self._formula(e, head)
        if head in ("+", "*", "/", "sm", "mm"):
            return self._arithmetic(e, head)
        return self._term(e, head)

    def _formula(self, e: Any, head: str) -> str:
        if head in ("all", "ex", "lam"):
            return f"{head} {self.declared(e[1])}. {self.at(e[2], QUANTIFIER)}"
        if head == "iff":
            return f"{self.at(e[1], self._before_iff(e))} <=> {self.at(e[2], IMPLIES)}"
        if head == "=>":
            return f"{self.at(e[1], OR)} => {self.at(e[2], self._after_arrow(e))}"
        if head in ("or", "and"):
            if len(e) == 2:
                return f"\\{head}({self.at(e[1], QUANTIFIER)})"
            return f" {head} ".join(self.at(a, FORMULAS[head] + 1) for a in e[1:])
        if head == "not":
            return f"not {e[1][0]}" if e[1][0] in ("true", "false") else f"not ({self.at(e[1], QUANTIFIER)})"
        if head in ("tends", "tendsoo"):
            return f"{head}({self._list(e[1:])})"
        return f"{self.at(e[1], SUM)} {head} {self.at(e[2], SUM)}"

    def _before_iff(self, e: Any) -> int:
        return OR if closed_by_quantifier(e[1]) else IMPLIES

    def _after_arrow(self, e: Any) -> int:
        return QUANTIFIER if e[2][0] in ("all", "ex") else IMPLIES

    # ------------------------------------------------------------------ terms

    def _arithmetic(self, e: Any, head: str) -> str:
        if head == "+":
            out = self.at(e[1], SIGNED if _is(e[1], "+") else SUM)
            for a in e[2:]:
                negative = taken_off(a)
                out += f" + {self.at(a, SIGNED)}" if negative is None else f" - {self.at(negative, SIGNED)}"
            return out
        if head == "sm":
            return f"-{self.at(e[2], FACTOR)}" if e[1] == -1 else f"{self._first(e[1], False)} * {self.at(e[2], FACTOR)}"
        if head == "mm":
            return " @ ".join([self._apart(e[1], _is(e[1], "mm")), *(self.at(a, FACTOR) for a in e[2:])])
        if head == "/":
            folded = number(e[1]) and number(e[2]) and e[2] != 0
            return f"{self._apart(e[1], folded)} / {self.at(e[2], FACTOR)}"
        first, rest = e[1], e[2:]
        if first == -1 and not number(e[2]) and not _is(e[2], "*"):
            return "-" + " * ".join(self.at(a, FACTOR) for a in rest)
        return " * ".join([self._first(first, _is(first, "*")), *(self.at(a, FACTOR) for a in rest)])

    def _term(self, e: Any, head: str) -> str:
        if head == "q":
            return f"{e[1]}/{e[2]}"
        if head in ("true", "false"):
            return head
        if head == "pi":
            return self.own("pi")
        if head in ("^", "mpow"):
            return f"{self.at(e[1], ATOM)}^{self.at(e[2], ATOM)}"
        if head in ("call", "app"):
            return f"{self.name(e[1])}({self._list(e[2:])})"
        if head == "d":
            if isinstance(e[1], int) and 1 <= e[1] <= 3:
                return f"{self.name(e[2])}{chr(39) * e[1]}({self._list(e[3:])})"
            return f"{self.own('d')}({self.at(e[1], QUANTIFIER)}, {self.name(e[2])}, {self._list(e[3:])})"
        if head == "entry":
            return f"{self.at(e[1], ATOM)}[{self.at(e[2], QUANTIFIER)},{self.at(e[3], QUANTIFIER)}]"
        if head == "mat":
            return "[" + ",".join("[" + ",".join(self.at(a, QUANTIFIER) for a in r) + "]" for r in e[1]) + "]"
        if head == "op":
            return f"{self.own(e[1])}({self._list(e[2:])})"
        return f"{self.own(head)}({self._list(e[1:])})"

    # ------------------------------------------------------------------ several lines

    def lines(self, e: Any, level: int, depth: int, width: int) -> Iterator[tuple[int, str]]:
        """The lines of a formula with their depths."""
        text = self.at(e, level)
        if len(text) + 2 * depth <= width or not isinstance(e, tuple) or e[0] not in FORMULAS or e[0] in ("tends", "tendsoo"):
            yield depth, text
        elif FORMULAS[e[0]] < level:
            yield from self._enclosed("(", e, depth, width)
        else:
            yield from self._broken(e, e[0], depth, width)

    def _enclosed(self, opening: str, e: Any, depth: int, width: int) -> Iterator[tuple[int, str]]:
        """A formula in parentheses, one level further in."""
        inner = list(self.lines(e, QUANTIFIER, depth + 1, width))
        (_, first), (last_depth, last) = inner[0], inner[-1]
        if len(inner) == 1:
            yield depth, f"{opening}{first})"
            return
        yield depth, opening + first
        yield from inner[1:-1]
        yield last_depth, last + ")"

    def _broken(self, e: Any, head: str, depth: int, width: int) -> Iterator[tuple[int, str]]:
        if head in ("all", "ex"):
            yield depth, f"{head} {self.declared(e[1])}."
            yield from self.lines(e[2], QUANTIFIER, depth + (head == "ex"), width)
        elif head == "not":
            yield from self._enclosed("not (", e[1], depth, width)
        elif head in ("or", "and") and len(e) == 2:
            yield from self._enclosed(f"\\{head}(", e[1], depth, width)
        elif head in ("or", "and", "=>", "iff"):
            levels = [FORMULAS[head] + 1] * (len(e) - 1)
            if head == "=>":
                levels = [OR, self._after_arrow(e)]
            elif head == "iff":
                levels = [self._before_iff(e), IMPLIES]
            sign = {"iff": "<=>"}.get(head, head)
            for k, (part, level) in enumerate(zip(e[1:], levels, strict=True)):
                found = list(self.lines(part, level, depth, width))
                yield found[0][0], (f"{sign} " if k else "") + found[0][1]
                yield from found[1:]
        elif len(sides := [self.at(x, SUM) for x in e[1:]]) == 2:
            yield depth, sides[0]
            yield depth + 1, f"{head} {sides[1]}"
