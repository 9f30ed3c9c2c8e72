"""The facts and signatures of ``facts.json``, and instances of facts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .calculus import Calculus
from .sorts import Context, Signature, Sorter, fits
from .terms import Node, Reader, Refused, Z, close, free, is_name, put

KINDS = ("definition", "calculus", "axiom")


@dataclass(frozen=True)
class Fact:
    """A fact: its parameters are bound around the formula, each sort in the scope of the earlier ones."""

    name: str
    kind: str
    params: tuple[tuple[bool, Node], ...]  # (is a lambda, sort)
    formula: Node


class Library:
    """All facts and signatures."""

    def __init__(self, data: object) -> None:
        self.facts: dict[str, Fact] = {}
        self.signatures: dict[str, Signature] = {}
        if not isinstance(data, list):
            raise Refused("facts.json is not a list")
        for item in data:
            if not isinstance(item, dict) or not is_name(item.get("name")):
                raise Refused("an entry of facts.json has no name")
            name = item["name"]
            try:
                if item.get("kind") == "signature":
                    self._add(self.signatures, name, self._signature(item))
                else:
                    self._add(self.facts, name, self._fact(name, item))
            except Refused as e:
                raise Refused(f"facts.json, {name}: {e}") from None
        self.sorter = Sorter(self.signatures)
        self.calculus = Calculus(self.sorter)

    @staticmethod
    def _add(table: dict[str, Any], name: str, value: object) -> None:
        if name in table:
            raise Refused("defined twice")
        table[name] = value

    @staticmethod
    def _signature(item: dict[str, Any]) -> Signature:
        reader = Reader()
        env: tuple[str, ...] = ()
        variables = item.get("vars", [])
        if variables:
            sorts, env = reader.telescope(variables)
            if any(s != Z for s in sorts):
                raise Refused("a dimension variable is an integer")
        args = item.get("args")
        if not isinstance(args, list):
            raise Refused("a signature wants args")
        found = Signature(len(env), tuple(reader.sort(s, env) for s in args), reader.sort(item.get("value"), env))
        if any(free(s) for s in (*found.args, found.value)):
            raise Refused("a sort mentions an unknown variable")
        return found

    @staticmethod
    def _fact(name: str, item: dict[str, Any]) -> Fact:
        if item.get("kind") not in KINDS:
            raise Refused("unknown kind")
        reader = Reader(special=("app", "dom"))
        env: tuple[str, ...] = ()
        params = []
        declared = item.get("params", [])
        if not isinstance(declared, list):
            raise Refused("params is a list")
        for p in declared:
            if not isinstance(p, list) or len(p) != 2 or not is_name(p[0]) or p[0] in env:
                raise Refused("a parameter is [name, sort], with a new name")
            is_lambda = isinstance(p[1], list) and len(p[1]) == 3 and p[1][0] == "L"
            sort = reader.sort(["F", p[1][1], p[1][2], "any"] if is_lambda else p[1], env)
            params.append((is_lambda, sort))
            env = (p[0], *env)
        formula = reader.formula(item.get("formula"), env)
        if free(formula) or any(free(s) for _, s in params):
            raise Refused("an unknown variable occurs")
        return Fact(name, item["kind"], tuple(params), formula)

    def instance(self, name: object, given: object, ctx: Context) -> tuple[Fact, Node]:
        """The fact of this name, and its instance with the given parameters (JSON)."""
        if not isinstance(name, str) or name not in self.facts:
            raise Refused(f"no fact {name!r}"[:60])
        fact = self.facts[name]
        if not isinstance(given, list) or len(given) != len(fact.params):
            raise Refused(f"{name} wants {len(fact.params)} parameters")
        values: list[Node] = []
        domains: dict[Node, Node] = {}
        for x, (is_lambda, scope) in zip(given, fact.params, strict=True):
            sort = put(scope, values)
            self.sorter.sort(sort, ctx)
            if is_lambda:
                value = Reader().lam(x)
                self.sorter.lam(value, sort, ctx)
                domains[value] = self.domain(value, ctx)
            else:
                value = Reader().term(x)
                if not fits(self.sorter.of(value, ctx), sort):
                    raise Refused(f"a parameter of {name} has the wrong sort")
            values.append(value)
        formula = put(fact.formula, values, domains)
        self.sorter.formula(formula, ctx)
        return fact, formula

    def domain(self, lam: Node, ctx: Context) -> Node:
        """dom of a lambda in its last argument, as a scope of all arguments."""
        body, longer, names = self.sorter.open(lam[-1], lam[1:-1], ctx)
        return close(self.calculus.dom(body, names[-1], longer), names)
