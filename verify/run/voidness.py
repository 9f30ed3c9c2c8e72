"""Void formulas: hypotheses from which a proof of `false` is at hand.

The proof of a statement is adapted to the statement with the conclusion `false`: wherever the steps to a goal use its
conclusion, a branch is taken that closes without it. What is made here is only offered; the checker decides.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from verify.kernel import Goal, LogicError, Sequent, check, freeze, freeze_node, thaw_node
from verify.kernel.rules import Node, expand
from verify.kernel.tactics import no_lemmas
from verify.kernel.terms import Formula, negate, same
from verify.run.derived import FALSE, voided

SEARCHED = 60
"""Hypotheses with which the search for a contradiction is tried at most."""
Lemmas = Callable[[str, str], Any]


def find(statement: Any, proof: Any, lemmas: Lemmas) -> Any | None:
    """A proof of `voided(statement)`, or None; a statement that concludes `false` itself says so, and is not void."""
    if voided(freeze(statement)) == freeze(statement):
        return None
    found = adapted(statement, proof, lemmas)
    return contradiction(statement) if found is None else found


def adapted(statement: Any, proof: Any, lemmas: Lemmas) -> Any | None:
    """A proof of `voided(statement)` made of a proof of the statement; None when the proof needs its conclusion."""
    goal = voided(freeze(statement))
    found = _Adapter(lemmas).run(Sequent({}, {}, goal), freeze_node(proof))
    try:
        if found is not None:
            check(goal, found, lemmas)
    except LogicError:  # a side branch used what is no hypothesis any more
        return None
    return None if found is None else thaw_node(found)


def contradiction(statement: Any) -> Any | None:
    """A proof of `voided(statement)` by a short search among its hypotheses; None when it finds none."""
    node: Node = {}
    goal = Goal(Sequent({}, {}, voided(freeze(statement))), node, no_lemmas)
    try:
        _search(goal)
    except (LogicError, ArithmeticError, RecursionError):
        return None
    return thaw_node(node)


def _search(g: Goal) -> None:
    """Hypotheses that clash, that are false on sight, or whose linear combination is."""
    if g.concl[0] == "and":
        g.conj(*[_search] * (len(g.concl) - 1))
        return
    g.intro()
    if g.closed or g.concl != FALSE:
        raise LogicError("no hypotheses")
    hyps = list(g.seq.hyps.items())
    if not hyps or len(hyps) > SEARCHED:
        raise LogicError("no hypotheses that are searched")
    for h, f in hyps:
        if f == FALSE:
            g.step("absurd", h=h)
            return
    for h, f in hyps:
        for k, other in hyps:
            if h != k and _opposite(f, other):
                g.clash(h, k)
                return
    for products in (1, 2):
        try:
            g.nlin(products=products)
            return
        except LogicError:
            continue
    raise LogicError("no contradiction found")


def _opposite(f: Formula, other: Formula) -> bool:
    return same(negate(f), other)


class _Adapter:
    """Follows a proof with the rules of the kernel, with another conclusion."""

    def __init__(self, lemmas: Lemmas) -> None:
        self.lemmas = lemmas

    def run(self, seq: Sequent, node: Node) -> Node | None:
        """A node that closes the goal; None when the node, or what hangs below it, needs another conclusion."""
        children = node.get("c", ())
        if seq.concl != FALSE:
            return self._outside(seq, node, children)
        return self._false(seq, node, children)

    def _outside(self, seq: Sequent, node: Node, children: Any) -> Node | None:
        """Before the innermost conclusion is reached: rules that take hypotheses and variables, and those that keep the goal."""
        own = {k: v for k, v in node.items() if k != "c"}
        if own["r"] == "leibniz":
            own["f"] = voided(own["f"])
        try:
            goals = expand(seq, own, self.lemmas)
        except (LogicError, KeyError):
            return None
        if len(goals) != len(children):
            return None
        out: list[Node] = []
        for goal, child in zip(goals, children, strict=True):
            new = self.run(goal, child) if goal.concl == seq.concl or own["r"] in _OPENING else child
            if new is None:
                return None
            out.append(new)
        return {**own, "c": tuple(out)} if out else own

    def _false(self, seq: Sequent, node: Node, children: Any) -> Node | None:
        """The conclusion is `false`: the node, if its rule closes any goal, or a branch that does without its conclusion."""
        own = {k: v for k, v in node.items() if k != "c"}
        rule = own["r"]
        if rule == "contra" and any(_mentions(c, own["name"]) for c in children):
            return None  # the negated conclusion is used
        if rule in ("iff", "extn", "trusted"):
            return None
        if rule in ("and", "or", "witness", "ext", "ctx"):
            return next((n for c in children if (n := self.run(seq, c)) is not None), None)
        if rule == "leibniz":
            return self.run(seq, children[1])
        if rule in _LEAVES:
            return self._leaf(seq, own, children)
        return self._kept(seq, own, children)

    def _leaf(self, seq: Sequent, own: Node, children: Any) -> Node | None:
        """A leaf with side formulas: their proofs are as they were."""
        try:
            goals = expand(seq, own, self.lemmas)
        except (LogicError, KeyError):
            return None
        return {**own, "c": children} if len(goals) == len(children) else None

    def _kept(self, seq: Sequent, own: Node, children: Any) -> Node | None:
        """A rule whose last children have the same conclusion, now `false`; a side branch that closes for it serves as well."""
        try:
            goals = expand(seq, own, self.lemmas)
        except (LogicError, KeyError):
            return None
        if len(goals) != len(children):
            return None
        out: list[Node] = []
        for goal, child in zip(goals, children, strict=True):
            if goal.concl != FALSE or (own["r"] == "have" and not out and len(goals) == 2 and goal is goals[0]):
                out.append(child)
                continue
            new = self.run(goal, child)
            if new is None:
                return self._by_side(seq, goals, children, own)
            out.append(new)
        return {**own, "c": tuple(out)}

    def _by_side(self, seq: Sequent, goals: list[Sequent], children: Any, own: Node) -> Node | None:
        """A branch that proves something else from the same hypotheses, but by a contradiction among them."""
        if own["r"] not in ("have", "apply"):
            return None
        for goal, child in zip(goals[:-1], children[:-1], strict=True):
            if goal.concl[0] not in ("all", "=>", "not") and len(goal.hyps) == len(seq.hyps):
                new = self.run(seq, child)
                if new is not None:
                    return new
        return None


def _mentions(value: Any, name: str) -> bool:
    """Whether a name occurs anywhere in a proof."""
    stack = [value]
    while stack:
        item = stack.pop()
        if item == name:
            return True
        if isinstance(item, dict):
            stack.extend(item.values())
        elif isinstance(item, tuple):
            stack.extend(item)
    return False


_OPENING = frozenset({"fix", "assume", "and", "induct", "leibniz", "contra"})
_LEAVES = frozenset({"absurd", "clash", "hyp", "truth", "refl", "field", "nc", "pos", "ball", "flow", "compute", "oracle"})


def lemmas_of(formulas: Mapping[tuple[str, str], Any]) -> Lemmas:
    """The statements of roles, as lemmas for `adapted`; a negation is the negated statement."""

    def look(claim: str, role: str) -> Any:
        formula = formulas.get((claim, role))
        if formula is None:
            raise LogicError(f"no formula of {claim} ({role})")
        return negate(freeze(formula)) if role == "negation" else freeze(formula)

    return look
