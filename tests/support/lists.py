"""Reads the lists back by which a page shows a formula: `for all ..`, `if ..`, `then ..`, items below items."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from tests.support.typeset import Reader, Unreadable

MATH = re.compile(r"\$[^$]+\$")
ALL_OF, ONE_OF = "all of these:", "one of these:"


@dataclass
class Item:
    """A line and what stands below it."""

    text: str
    below: list[Item] = field(default_factory=list)


def items(markdown: str) -> list[Item]:
    """The items of a nested list."""
    root = Item("")
    path = [root]
    for line in markdown.splitlines():
        blanks = len(line) - len(line.lstrip(" "))
        if blanks % 2 or not line[blanks:].startswith("- ") or blanks // 2 + 1 > len(path):
            raise Unreadable(f"no item of a list: {line!r}")
        item = Item(line[blanks + 2 :])
        del path[blanks // 2 + 1 :]
        path[-1].below.append(item)
        path.append(item)
    return root.below


def listed(e: Any) -> Any:
    """A formula up to what a list leaves open: nested conjunctions are one, and `A and B => C` is `A => B => C`."""
    if not isinstance(e, tuple) or e[0] not in ("all", "ex", "and", "or", "not", "=>", "iff"):
        return e
    if e[0] in ("all", "ex"):
        return (e[0], e[1], listed(e[2]))
    parts = [listed(x) for x in e[1:]]
    if e[0] == "and" and len(parts) > 1:
        return ("and", *(x for p in parts for x in conjuncts(p)))
    if e[0] == "=>":
        return chain(conjuncts(parts[0]), parts[1])
    return (e[0], *parts)


def conjuncts(e: Any) -> list[Any]:
    return list(e[1:]) if e[0] == "and" and len(e) > 2 else [e]


def chain(hypotheses: list[Any], conclusion: Any) -> Any:
    for h in reversed(hypotheses):
        conclusion = ("=>", h, conclusion)
    return conclusion


class Lists:
    """Reads the items with the sorts of the variables in scope."""

    def __init__(self) -> None:
        self.context: dict[str, Any] = {}

    def reader(self, latex: str) -> Reader:
        return Reader(latex, self.context)

    def math(self, text: str) -> str:
        """The mathematics of a line that has nothing else."""
        if MATH.sub("", text).strip():
            raise Unreadable(f"words that are no part of a formula: {text!r}")
        return " ".join(piece[1:-1] for piece in MATH.findall(text))

    def formula(self, text: str) -> Any:
        reader = self.reader(self.math(text))
        found = reader.formula()
        reader.end()
        return listed(found)

    def declared(self, text: str) -> tuple[tuple[str, Any], ...]:
        """Declarations, which are in scope from here on."""
        out: list[tuple[str, Any]] = []
        for piece in self.pieces(text):
            reader = self.reader(piece)
            out.extend(reader.declarations())
            reader.end()
            self.context = reader.context
        return tuple(out)

    def pieces(self, text: str) -> list[str]:
        """Formulas with commas between them."""
        if MATH.sub("@", text).replace("@, ", "").strip() != "@":
            raise Unreadable(f"no list of formulas: {text!r}")
        return [piece[1:-1] for piece in MATH.findall(text)]

    def conditions(self, text: str) -> list[Any]:
        return [x for piece in self.pieces(text) for x in conjuncts(self.formula(f"${piece}$"))]

    def sequence(self, lines: list[Item]) -> Any:
        """A chain of quantifiers and hypotheses, and its conclusion."""
        outside = dict(self.context)
        first, rest = lines[0], lines[1:]
        found: Any
        if first.text.startswith("for all ") and not first.text.endswith(":"):
            names, _, given = first.text.removeprefix("for all ").partition(" with ")
            declarations = self.declared(names)
            hypotheses = self.conditions(given) if given else []
            found = ("all", declarations, chain(hypotheses, self.sequence(rest)))
        elif first.text.startswith("if ") and not first.below and MATH.sub("@", first.text[3:]).replace("@, ", "") == "@":
            found = chain(self.conditions(first.text[3:]), self.sequence(rest))
        elif first.text.startswith("if "):
            hypothesis = self.member(Item(first.text[3:], first.below))
            found = chain(conjuncts(hypothesis), self.sequence(rest))
        else:
            found = self.members([self.without(line, "and " if k else "then ") for k, line in enumerate(lines)])
        self.context = outside
        return found

    def without(self, item: Item, word: str) -> Item:
        return Item(item.text.removeprefix(word), item.below)

    def members(self, lines: list[Item]) -> Any:
        found = [x for line in lines for x in conjuncts(self.member(line))]
        return found[0] if len(found) == 1 else ("and", *found)

    def member(self, item: Item) -> Any:
        text, outside = item.text, dict(self.context)
        found: Any
        if text == "the following:":
            found = self.sequence(item.below)
        elif text.startswith("for all ") and text.endswith(":"):
            found = self.sequence([Item(text[:-1]), *item.below])
        elif match := re.fullmatch(r"there are (.*) with", text):
            found = ("ex", self.declared(match[1]), self.members(item.below))
        elif text == ALL_OF and len(item.below) == 1:
            found = ("and", self.member(item.below[0]))
        elif text == ALL_OF:
            found = self.members(item.below)
        elif text in (ONE_OF, "these are equivalent:", "it is not true that"):
            head = {ONE_OF: "or", "it is not true that": "not"}.get(text, "iff")
            found = (head, *(self.member(x) for x in item.below))
        elif item.below:
            raise Unreadable(f"items below {text!r}")
        else:
            found = self.formula(text)
        self.context = outside
        return found


def read_list(markdown: str) -> Any:
    """The formula that a list shows, up to `listed`."""
    return Lists().sequence(items(markdown))
