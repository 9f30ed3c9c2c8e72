"""The rows of `table.txt`: a statement, the leaf that is to prove it, and which of the two programs may accept."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from verify.kernel import parse, parse_term, thaw

from .both import Case, J

TABLE = Path(__file__).with_name("table.txt")
ACCEPTS = {"yes": {"kernel", "checker"}, "no": set(), "kernel": {"kernel"}, "checker": {"checker"}}


@dataclass(frozen=True)
class Row:
    """One row: its section and place, the statement as text, the leaf with its arguments (texts), and who accepts."""

    section: str
    line: int
    statement: str
    leaf: str
    arguments: str
    accepts: frozenset[str]
    why: str

    def __str__(self) -> str:
        return f"{self.line}: {self.section}: {self.statement}"

    def case(self) -> Case:
        """The statement and its proof as the JSON of certificates."""
        f = parse(self.statement)
        ctx: dict[str, Any] = {}
        steps: list[dict[str, J]] = []
        inner, assumed = f, 0
        # `compute` decides the whole formula; the other leaves work on what is left when all is introduced
        while self.leaf != "compute" and inner[0] in ("all", "=>"):
            if inner[0] == "all":
                ctx |= dict(inner[1])
                steps.append({"r": "fix", "names": [name for name, _ in inner[1]]})
            else:
                steps.append({"r": "assume", "name": f"h{assumed}"})
                assumed += 1
            inner = inner[2]
        proof = leaf(self.leaf, json.loads(self.arguments or "{}"), ctx)
        for step in reversed(steps):
            proof = {**step, "c": [proof]}
        return json.loads(json.dumps(thaw(f))), proof


def leaf(rule: str, arguments: dict[str, J], ctx: dict[str, Any]) -> J:
    """The node of a leaf; terms and formulas in its arguments are read from their texts."""

    def term(x: J) -> J:
        return thaw(parse_term(x, ctx)) if isinstance(x, str) else x

    node: dict[str, J] = {"r": rule}
    for key, value in arguments.items():
        if key == "terms":
            node[key] = [[term(x) for x in item] for item in value]
        elif key == "mul":
            node[key] = [term(x) for x in value]
        elif key == "eqs":
            node[key] = [[h, *(term(x) for x in rest)] for h, *rest in value]
        elif key == "side":
            node[key] = [thaw(parse(x, ctx)) for x in value]
        elif key == "by":
            node["c"] = value
        else:
            node[key] = value
    return node


def rows() -> list[Row]:
    """All rows; raises ValueError with the line of one that cannot be read."""
    found: list[Row] = []
    section = ""
    for number, text in enumerate(TABLE.read_text(encoding="utf-8").splitlines(), 1):
        if text.startswith("== "):
            section = text[3:]
        elif text and not text.startswith("#"):
            verdict, _, rest = text.partition(" ")
            rest, _, why = rest.partition("  # ")
            statement, _, arguments = rest.partition(" | ")
            if verdict not in ACCEPTS or not section or (verdict in ("kernel", "checker")) != bool(why):
                raise ValueError(f"{TABLE.name}:{number}: a verdict, a section, and a reason where only one program accepts")
            rule = section.partition(":")[0]
            found.append(Row(section, number, statement.strip(), rule, arguments, frozenset(ACCEPTS[verdict]), why))
    return found
