"""The tree of rules: every node reduces its goal to the goals of its children."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from . import finite, flows, leaves, oracle
from .facts import Library
from .sorts import Sorter, literal_dimension
from .terms import (
    FALSE,
    TRUE,
    Node,
    R,
    Reader,
    Refused,
    Z,
    binds,
    close,
    head,
    is_int,
    is_name,
    neg,
    put,
    read_formula,
    read_sort,
    read_term,
    show,
)

MAX_STEPS = 500_000
MAX_EXT = 2500


@dataclass(frozen=True)
class Goal:
    """Declarations, named hypotheses and a conclusion."""

    decls: dict[str, Node]
    hyps: dict[str, Node]
    concl: Node

    def to(self, concl: Node) -> Goal:
        """Another conclusion."""
        return Goal(self.decls, self.hyps, concl)

    def assuming(self, *new: tuple[str, Node]) -> Goal:
        """More hypotheses (the names were checked)."""
        return Goal(self.decls, {**self.hyps, **dict(new)}, self.concl)

    def declaring(self, *new: tuple[str, Node]) -> Goal:
        """More declarations (the names were checked)."""
        return Goal({**self.decls, **dict(new)}, self.hyps, self.concl)


@dataclass
class Outcome:
    """What an accepted proof consists of."""

    rules: Counter[str] = field(default_factory=Counter)
    axioms: set[str] = field(default_factory=set)
    lemmas: set[tuple[str, str]] = field(default_factory=set)
    trusted: list[dict[str, Any]] = field(default_factory=list)
    oracles: set[str] = field(default_factory=set)


class Arguments:
    """The arguments of a proof node, each read once with its type; what is left over is refused."""

    def __init__(self, node: dict[str, Any]) -> None:
        self._node = node
        self._left = set(node) - {"r", "c"}

    def raw(self, key: str) -> Any:
        """Any value."""
        if key not in self._node:
            raise Refused(f"the argument {key} is missing")
        self._left.discard(key)
        return self._node[key]

    def get(self, key: str, default: Any) -> Any:
        """Any value, or the default if it is absent."""
        return self.raw(key) if key in self._node else default

    def text(self, key: str) -> str:
        """A string."""
        x = self.raw(key)
        if not isinstance(x, str):
            raise Refused(f"the argument {key} is not a string")
        return x

    def texts(self, key: str) -> list[str]:
        """A list of strings."""
        x = self.raw(key)
        if not isinstance(x, list) or not all(isinstance(s, str) for s in x):
            raise Refused(f"the argument {key} is not a list of strings")
        return x

    def items(self, key: str) -> list[Any]:
        """A list, empty if it is absent."""
        x = self.get(key, [])
        if not isinstance(x, list):
            raise Refused(f"the argument {key} is not a list")
        return x

    def done(self) -> None:
        """Refuses arguments that the rule does not know."""
        if self._left:
            raise Refused(f"unknown argument {sorted(self._left)[0][:40]!r}")


class Checker:
    """Checks proofs; ``lemma`` gives the accepted statement of a claim's role, or refuses; ``ask`` asks a solver again."""

    def __init__(self, library: Library, lemma: Callable[[str, str], Node] | None = None, ask: oracle.Ask | None = None) -> None:
        self.library = library
        self.sorter: Sorter = library.sorter
        self.lemma = lemma
        self.ask = ask

    def check(self, statement: Node, proof: object) -> Outcome:
        """Accepts a proof of a closed statement."""
        self.sorter.formula(statement, {})
        outcome = Outcome()
        stack: list[tuple[Goal, object]] = [(Goal({}, {}, statement), proof)]
        while stack:
            goal, node = stack.pop()
            if not isinstance(node, dict) or not isinstance(node.get("r"), str):
                raise Refused("a proof node is an object with a rule")
            rule = node["r"]
            method = _RULES.get(rule)
            if method is None:
                raise Refused(f"unknown rule {rule[:40]!r}")
            outcome.rules[rule] += 1
            if sum(outcome.rules.values()) > MAX_STEPS:
                raise Refused("the proof is too long")
            args = Arguments(node)
            try:
                goals = method(self, goal, args, outcome)
                args.done()
                children = node.get("c", [])
                if not isinstance(children, list) or len(children) != len(goals):
                    raise Refused(f"wants {len(goals)} children")
            except Refused as e:
                raise Refused(f"{rule}: {e}") from None
            stack.extend(reversed(list(zip(goals, children, strict=True))))
        return outcome

    # --- helpers ---

    @staticmethod
    def fresh(goal: Goal, names: Sequence[object]) -> None:
        """Refuses names that are not new in the goal or not distinct."""
        for i, name in enumerate(names):
            if not is_name(name):
                raise Refused(f"{str(name)[:40]!r} is not a name")
            if name in goal.decls or name in goal.hyps or name in names[:i]:
                raise Refused(f"the name {name} is not new")

    @staticmethod
    def hypothesis(goal: Goal, args: Arguments) -> Node:
        """The hypothesis named by the argument h."""
        name = args.text("h")
        if name not in goal.hyps:
            raise Refused(f"no hypothesis {name[:40]!r}")
        return goal.hyps[name]

    def formula(self, goal: Goal, x: object) -> Node:
        """A well-sorted formula over the goal's declarations."""
        a = read_formula(x)
        self.sorter.formula(a, goal.decls)
        return a

    @staticmethod
    def want(a: Node, h: str) -> None:
        """Refuses a formula with another head."""
        if a[0] != h:
            raise Refused(f"{show(a)} is not a formula with {h}")

    def instantiate(self, goal: Goal, quantified: Node, given: list[Any]) -> tuple[Node, list[Node]]:
        """The scope of a quantifier with the given terms put in, and the side goals of the terms."""
        sorts = quantified[1:-1]
        if len(given) != len(sorts):
            raise Refused(f"wants {len(sorts)} terms")
        values: list[Node] = []
        sides: list[Node] = []
        for x, scope in zip(given, sorts, strict=True):
            sort = put(scope, values)
            if head(sort) in ("F", "Fs") and not isinstance(x, str):
                value = Reader().lam(x)
                self.sorter.lam(value, sort, goal.decls)
                if sort[0] == "Fs":
                    condition = self.library.domain(value, goal.decls)
                    if condition != TRUE:
                        sides.append(("all", *value[1:-1], condition))
            else:
                value = read_term(x)
                self.sorter.want(value, sort, goal.decls)
            values.append(value)
        body = put(quantified[-1], values)
        self.sorter.formula(body, goal.decls)
        return body, sides

    # --- rules ---

    def fix(self, goal: Goal, args: Arguments, _: Outcome) -> list[Goal]:
        """Introduces the variables of a universal conclusion."""
        self.want(goal.concl, "all")
        names = args.texts("names")
        sorts = goal.concl[1:-1]
        if len(names) != len(sorts):
            raise Refused(f"wants {len(sorts)} names")
        self.fresh(goal, names)
        new = [(name, put(s, names[:i])) for i, (name, s) in enumerate(zip(names, sorts, strict=True))]
        return [goal.declaring(*new).to(put(goal.concl[-1], names))]

    def assume(self, goal: Goal, args: Arguments, _: Outcome) -> list[Goal]:
        """Assumes the premise of an implication, or the negated formula."""
        name = args.text("name")
        self.fresh(goal, [name])
        if goal.concl[0] == "not":
            return [goal.assuming((name, goal.concl[1])).to(FALSE)]
        self.want(goal.concl, "=>")
        return [goal.assuming((name, goal.concl[1])).to(goal.concl[2])]

    def conj(self, goal: Goal, args: Arguments, _: Outcome) -> list[Goal]:
        """Proves each member of a conjunction."""
        self.want(goal.concl, "and")
        return [goal.to(a) for a in goal.concl[1:]]

    def disj(self, goal: Goal, args: Arguments, _: Outcome) -> list[Goal]:
        """Proves one member of a disjunction."""
        self.want(goal.concl, "or")
        i = args.raw("i")
        if not is_int(i) or not 0 <= i < len(goal.concl) - 1:
            raise Refused("no such member")
        return [goal.to(goal.concl[1 + i])]

    def iff(self, goal: Goal, args: Arguments, _: Outcome) -> list[Goal]:
        """Proves both directions."""
        self.want(goal.concl, "iff")
        a, b = goal.concl[1:]
        return [goal.to(("=>", a, b)), goal.to(("=>", b, a))]

    def witness(self, goal: Goal, args: Arguments, _: Outcome) -> list[Goal]:
        """Gives the terms of an existential conclusion."""
        self.want(goal.concl, "ex")
        body, sides = self.instantiate(goal, goal.concl, args.items("terms"))
        return [goal.to(body), *(goal.to(s) for s in sides)]

    def have(self, goal: Goal, args: Arguments, _: Outcome) -> list[Goal]:
        """Proves a formula and adds it."""
        name, a = args.text("name"), self.formula(goal, args.raw("f"))
        self.fresh(goal, [name])
        return [goal.to(a), goal.assuming((name, a))]

    def em(self, goal: Goal, args: Arguments, _: Outcome) -> list[Goal]:
        """Distinguishes whether a formula holds."""
        name, a = args.text("name"), self.formula(goal, args.raw("f"))
        self.fresh(goal, [name])
        return [goal.assuming((name, a)), goal.assuming((name, neg(a)))]

    def contra(self, goal: Goal, args: Arguments, _: Outcome) -> list[Goal]:
        """Proves by contradiction."""
        name = args.text("name")
        self.fresh(goal, [name])
        return [goal.assuming((name, neg(goal.concl))).to(FALSE)]

    def split(self, goal: Goal, args: Arguments, _: Outcome) -> list[Goal]:
        """Takes a conjunction or an equivalence apart."""
        h, names = self.hypothesis(goal, args), args.texts("names")
        if h[0] == "iff":
            members = [("=>", h[1], h[2]), ("=>", h[2], h[1])]
        else:
            self.want(h, "and")
            members = list(h[1:])
        if len(names) != len(members):
            raise Refused(f"wants {len(members)} names")
        self.fresh(goal, names)
        return [goal.assuming(*zip(names, members, strict=True))]

    def cases(self, goal: Goal, args: Arguments, _: Outcome) -> list[Goal]:
        """Distinguishes the members of a disjunction."""
        h, name = self.hypothesis(goal, args), args.text("name")
        self.want(h, "or")
        self.fresh(goal, [name])
        return [goal.assuming((name, a)) for a in h[1:]]

    def obtain(self, goal: Goal, args: Arguments, _: Outcome) -> list[Goal]:
        """Names what exists."""
        h, names, name = self.hypothesis(goal, args), args.texts("names"), args.text("name")
        self.want(h, "ex")
        sorts = h[1:-1]
        if len(names) != len(sorts):
            raise Refused(f"wants {len(sorts)} names")
        self.fresh(goal, [*names, name])
        new = [(x, put(s, names[:i])) for i, (x, s) in enumerate(zip(names, sorts, strict=True))]
        return [goal.declaring(*new).assuming((name, put(h[-1], names)))]

    def push(self, goal: Goal, args: Arguments, _: Outcome) -> list[Goal]:
        """Pushes a negation inwards."""
        h, name = self.hypothesis(goal, args), args.text("name")
        self.want(h, "not")
        self.fresh(goal, [name])
        return [goal.assuming((name, neg(h[1])))]

    def apply(self, goal: Goal, args: Arguments, _: Outcome) -> list[Goal]:
        """Uses a universal hypothesis and its premises."""
        h, name, given = self.hypothesis(goal, args), args.text("name"), args.items("terms")
        self.fresh(goal, [name])
        sides: list[Node] = []
        if h[0] == "all":
            h, sides = self.instantiate(goal, h, given)
        elif given:
            raise Refused("terms for a hypothesis that is not universal")
        n = args.get("n", None)
        if n is not None and (not is_int(n) or n < 0):
            raise Refused("n is a number of premises")
        premises: list[Node] = []
        while h[0] == "=>" and (n is None or len(premises) < n):
            premises.append(h[1])
            h = h[2]
        return [*(goal.to(p) for p in premises), *(goal.to(s) for s in sides), goal.assuming((name, h))]

    def hyp(self, goal: Goal, args: Arguments, _: Outcome) -> list[Goal]:
        """The conclusion is a hypothesis."""
        if self.hypothesis(goal, args) != goal.concl:
            raise Refused(f"the hypothesis is not {show(goal.concl)}")
        return []

    def absurd(self, goal: Goal, args: Arguments, _: Outcome) -> list[Goal]:
        """A hypothesis is false."""
        self.want(self.hypothesis(goal, args), "false")
        return []

    def clash(self, goal: Goal, args: Arguments, _: Outcome) -> list[Goal]:
        """Two hypotheses contradict each other."""
        a, k = self.hypothesis(goal, args), args.text("k")
        if k not in goal.hyps:
            raise Refused(f"no hypothesis {k[:40]!r}")
        b = goal.hyps[k]
        if b != neg(a) and a != neg(b):
            raise Refused("the hypotheses do not contradict each other")
        return []

    def truth(self, goal: Goal, args: Arguments, _: Outcome) -> list[Goal]:
        """The conclusion is true."""
        self.want(goal.concl, "true")
        return []

    def induct(self, goal: Goal, args: Arguments, _: Outcome) -> list[Goal]:
        """Strong induction from a lower bound that does not depend on the variable."""
        x, name = args.text("x"), args.text("name")
        a = goal.concl
        if a[0] != "all" or len(a) != 3 or a[1] != Z or a[2][0] != "=>" or a[2][1][0] != "<=":
            raise Refused("the conclusion is not `all n (lo <= n => A)`")
        low, n = a[2][1][1:]
        if n != ("#", 0) or finite.mentions(low, 1):
            raise Refused("the conclusion is not `all n (lo <= n => A)` with n not in lo")
        self.fresh(goal, [x, name, name + "_lo"])
        low = put(low, [x])  # no occurrence: only lowers indices, of which there are none
        body = a[2][2]
        before = close(("=>", ("and", ("<=", low, "%k"), ("<", "%k", x)), put(body, ["%k"])), ["%k"])
        new = [(name + "_lo", ("<=", low, x)), (name, ("all", Z, before))]
        return [goal.declaring((x, Z)).assuming(*new).to(put(body, [x]))]

    def leibniz(self, goal: Goal, args: Arguments, _: Outcome) -> list[Goal]:
        """Replaces equals."""
        v = args.text("v")
        self.fresh(goal, [v])
        sort = read_sort(args.raw("sort"))
        self.sorter.sort(sort, goal.decls)
        if sort not in (R, Z) and sort[0] != "M":
            raise Refused("functions have no equality")
        a, b = read_term(args.raw("a")), read_term(args.raw("b"))
        self.sorter.want(a, sort, goal.decls)
        self.sorter.want(b, sort, goal.decls)
        f = read_formula(args.raw("f"))
        self.sorter.formula(f, {**goal.decls, v: sort})
        scope = close(f, [v])
        if put(scope, [a]) != goal.concl:
            raise Refused("the conclusion is not f with a in the place of v")
        other = put(scope, [b])
        self.sorter.formula(other, goal.decls)
        return [goal.to(("=", a, b)), goal.to(other)]

    def use_lemma(self, goal: Goal, args: Arguments, outcome: Outcome) -> list[Goal]:
        """Adds the accepted statement of another certificate."""
        claim, role, name = args.text("claim"), args.text("role"), args.text("name")
        self.fresh(goal, [name])
        if self.lemma is None:
            raise Refused("there are no lemmas here")
        statement = self.lemma(claim, role)
        outcome.lemmas.add((claim, role))
        return [goal.assuming((name, statement))]

    def fact(self, goal: Goal, args: Arguments, outcome: Outcome) -> list[Goal]:
        """Adds an instance of a fact."""
        name = args.text("name")
        self.fresh(goal, [name])
        fact, formula = self.library.instance(args.raw("fact"), args.items("params"), goal.decls)
        if fact.kind == "axiom":
            outcome.axioms.add(fact.name)
        return [goal.assuming((name, formula))]

    def clear(self, goal: Goal, args: Arguments, _: Outcome) -> list[Goal]:
        """Drops hypotheses."""
        names = set(args.texts("hs"))
        if not names <= set(goal.hyps):
            raise Refused("no such hypothesis")
        return [Goal(goal.decls, {k: a for k, a in goal.hyps.items() if k not in names}, goal.concl)]

    def refl(self, goal: Goal, args: Arguments, _: Outcome) -> list[Goal]:
        """Both sides are the same."""
        a = goal.concl
        if a[0] not in ("=", "<=") or a[1] != a[2]:
            raise Refused(f"{show(a)} is not reflexivity")
        return []

    def ext(self, goal: Goal, args: Arguments, _: Outcome) -> list[Goal]:
        """Equality of matrices of literal dimensions, entry by entry."""
        r, c = self._matrix_equation(goal)
        rows, columns = literal_dimension(r), literal_dimension(c)
        if rows is None or columns is None:
            raise Refused("the dimensions are not literals")
        if max(rows, 0) * max(columns, 0) > MAX_EXT:
            raise Refused("the matrices are too large")
        _, a, b = goal.concl
        return [goal.to(("=", ("entry", a, i, j), ("entry", b, i, j))) for i in range(1, rows + 1) for j in range(1, columns + 1)]

    def extn(self, goal: Goal, args: Arguments, _: Outcome) -> list[Goal]:
        """Equality of matrices, for arbitrary indices inside."""
        r, c = self._matrix_equation(goal)
        i, j = args.text("i"), args.text("j")
        self.fresh(goal, [i, j, f"{i}_lo", f"{i}_hi", f"{j}_lo", f"{j}_hi"])
        new = [
            (f"{i}_lo", ("<=", 1, i)),
            (f"{i}_hi", ("<=", i, r)),
            (f"{j}_lo", ("<=", 1, j)),
            (f"{j}_hi", ("<=", j, c)),
        ]
        _, a, b = goal.concl
        return [goal.declaring((i, Z), (j, Z)).assuming(*new).to(("=", ("entry", a, i, j), ("entry", b, i, j)))]

    def _matrix_equation(self, goal: Goal) -> tuple[Node, Node]:
        self.want(goal.concl, "=")
        return self.sorter.matrix(goal.concl[1], goal.decls)

    def ctx(self, goal: Goal, args: Arguments, _: Outcome) -> list[Goal]:
        """Equality of the arguments."""
        self.want(goal.concl, "=")
        a, b = goal.concl[1:]
        h = head(a)
        if not h or h != head(b) or len(a) != len(b) or h in ("q", "mat"):
            raise Refused("the sides do not have the same head and number of arguments")
        if any(binds(h, i) for i in range(1, len(a))):
            raise Refused("not through binders")
        fixed = {"call": (1,), "d": (1, 2)}.get(h, ())
        if any(a[i] != b[i] for i in fixed):
            raise Refused("the sides do not have the same function or order")
        goals = [goal.to(("=", x, y)) for x, y in zip(a[1:], b[1:], strict=True) if x != y]
        for g in goals:
            self.sorter.formula(g.concl, goal.decls)
        return goals

    def trusted(self, goal: Goal, args: Arguments, outcome: Outcome) -> list[Goal]:
        """A step that is argued in words; it is counted."""
        raw, why = args.raw("f"), args.text("why")
        if self.formula(goal, raw) != goal.concl:
            raise Refused("f is not the conclusion")
        outcome.trusted.append({"f": raw, "why": why})
        return []

    # --- leaves ---

    def leaf(self, goal: Goal, args: Arguments, check: Callable[[leaves.Step, Node, Arguments], None]) -> list[Goal]:
        """A leaf method with side formulas, each proved by a child."""
        side = [self.formula(goal, x) for x in args.items("side")]
        check(leaves.Step(self.sorter, goal.decls, goal.hyps, side), goal.concl, args)
        return [goal.to(s) for s in side]

    def field(self, goal: Goal, args: Arguments, _: Outcome) -> list[Goal]:
        """Equality of scalars."""
        return self.leaf(goal, args, leaves.field)

    def nc(self, goal: Goal, args: Arguments, _: Outcome) -> list[Goal]:
        """Equality of matrices."""
        return self.leaf(goal, args, leaves.nc)

    def pos(self, goal: Goal, args: Arguments, _: Outcome) -> list[Goal]:
        """An inequality as a combination of signs."""
        return self.leaf(goal, args, leaves.pos)

    def ball(self, goal: Goal, args: Arguments, _: Outcome) -> list[Goal]:
        """An inequality by ball arithmetic."""
        return self.leaf(goal, args, leaves.ball)

    def flow(self, goal: Goal, args: Arguments, _: Outcome) -> list[Goal]:
        """Where the solutions of a differential equation are."""
        flows.check(goal.decls, goal.hyps, goal.concl, args)
        return []

    def oracle(self, goal: Goal, args: Arguments, outcome: Outcome) -> list[Goal]:
        """What a solver says; it is counted."""
        outcome.oracles.add(oracle.check(self.sorter, goal.decls, goal.hyps, goal.concl, args, self.ask))
        return []

    def compute(self, goal: Goal, args: Arguments, _: Outcome) -> list[Goal]:
        """A closed formula by evaluation."""
        finite.check(goal.concl)
        return []


_RULES: dict[str, Callable[[Checker, Goal, Arguments, Outcome], list[Goal]]] = {
    "fix": Checker.fix, "assume": Checker.assume, "and": Checker.conj, "or": Checker.disj, "iff": Checker.iff,
    "witness": Checker.witness, "have": Checker.have, "em": Checker.em, "contra": Checker.contra,
    "split": Checker.split, "cases": Checker.cases, "obtain": Checker.obtain, "push": Checker.push,
    "apply": Checker.apply, "hyp": Checker.hyp, "absurd": Checker.absurd, "truth": Checker.truth, "clash": Checker.clash,
    "induct": Checker.induct, "leibniz": Checker.leibniz, "lemma": Checker.use_lemma, "fact": Checker.fact,
    "clear": Checker.clear, "refl": Checker.refl, "ext": Checker.ext, "extn": Checker.extn,
    "ctx": Checker.ctx, "trusted": Checker.trusted, "field": Checker.field, "nc": Checker.nc,
    "pos": Checker.pos, "ball": Checker.ball, "flow": Checker.flow, "compute": Checker.compute, "oracle": Checker.oracle,
}  # fmt: skip
