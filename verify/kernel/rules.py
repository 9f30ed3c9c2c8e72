"""The rules (LOGIC.md): what goals a node of a proof leaves, and the check of a whole proof."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from verify.kernel import balls, finite, flows, leaves, oracle
from verify.kernel.facts import check_term, instance
from verify.kernel.facts import fact as fact_named
from verify.kernel.terms import (
    Formula,
    LogicError,
    Sort,
    Term,
    bind,
    check_formula,
    check_name,
    check_sort,
    conj,
    dom,
    free,
    negate,
    same,
    same_sort,
    sort_of,
    subst,
    subst_sort,
)

Node = dict[str, Any]
Lemmas = Callable[[str, str], Formula]
BINDERS = frozenset({"sum", "prod", "D", "all", "ex", "lam", "tends", "tendsoo"})
LEAVES = frozenset({"field", "nc", "pos"})


@dataclass(frozen=True)
class Sequent:
    """A goal: declared variables, named hypotheses, conclusion."""

    ctx: dict[str, Sort]
    hyps: dict[str, Formula]
    concl: Formula

    def with_concl(self, f: Formula) -> Sequent:
        return Sequent(self.ctx, self.hyps, f)

    def with_hyp(self, name: Any, f: Formula) -> Sequent:
        self.new_name(name)
        return Sequent(self.ctx, {**self.hyps, name: f}, self.concl)

    def new_name(self, name: Any) -> None:
        check_name(name)
        if name in self.ctx or name in self.hyps:
            raise LogicError(f"the name {name} is taken")

    def declare(self, decls: tuple[tuple[str, Sort], ...], names: Any) -> tuple[Sequent, dict[str, str]]:
        """Declare the variables under new names; also the renaming."""
        if not isinstance(names, tuple) or len(names) != len(decls):
            raise LogicError(f"{len(decls)} names are needed")
        ctx = dict(self.ctx)
        renaming: dict[str, str] = {}
        for (old, sort), new in zip(decls, names, strict=True):
            check_name(new)
            if new in ctx or new in self.hyps:
                raise LogicError(f"the name {new} is taken")
            s = subst_sort(sort, renaming)
            check_sort(s, ctx)
            ctx = bind(ctx, new, s)
            renaming[old] = new
        return Sequent(ctx, self.hyps, self.concl), renaming

    def hyp(self, name: Any) -> Formula:
        if not isinstance(name, str) or name not in self.hyps:
            raise LogicError(f"no hypothesis {name!r}")
        return self.hyps[name]


@dataclass
class Account:
    """What an accepted proof rests on."""

    rules: Counter[str] = field(default_factory=Counter)
    facts: dict[str, str] = field(default_factory=dict)
    lemmas: set[tuple[str, str]] = field(default_factory=set)
    trusted: list[tuple[Formula, str]] = field(default_factory=list)


def instantiate(decls: Any, body: Formula, terms: Any, seq: Sequent) -> tuple[Formula, list[Formula]]:
    """Put terms for quantified variables; the formula and the side goals."""
    if not isinstance(terms, tuple) or len(terms) != len(decls):
        raise LogicError(f"{len(decls)} terms are needed")
    env: dict[str, Any] = {}
    sides: list[Formula] = []
    for (name, sort), t in zip(decls, terms, strict=True):
        s = subst_sort(sort, env)
        if isinstance(s, tuple) and s[0] == "F" and isinstance(t, str):
            have = seq.ctx.get(t)
            if not (isinstance(have, tuple) and have[0] == "F" and (same_sort(have, s) or same_sort((*have[:3], "any"), s))):
                raise LogicError(f"{t} is no function of the sort that is needed")
            env[name] = t
            continue
        check_term(t, s, seq.ctx)
        if isinstance(s, tuple) and s[0] == "F" and s[3] == "smooth":
            ctx = dict(seq.ctx)
            for n, srt in t[1]:
                ctx = bind(ctx, n, srt)
            condition = dom(t[2], t[1][-1][0], ctx)
            if condition != ("true",):
                sides.append(("all", t[1], condition))
        env[name] = t
    return subst(body, env), sides


def eta(name: str, sort: Sort, seq: Sequent) -> Term:
    """A function variable of the goal, written as a lambda."""
    if name not in seq.ctx:
        raise LogicError(f"unknown function {name}")
    taken = set(seq.ctx) | {name}
    args = []
    for k, s in enumerate(sort[1]):
        v = f"v{k}"
        while v in taken:
            v += "_"
        args.append((v, s))
        taken.add(v)
    return ("lam", tuple(args), ("call", name, *(v for v, _ in args)))


def expand(seq: Sequent, node: Node, lemmas: Lemmas) -> list[Sequent]:
    """The goals that remain after the rule of a node; raises LogicError if the rule does not apply."""
    rule = node.get("r")
    handler = RULES.get(rule) if isinstance(rule, str) else None
    if handler is None:
        raise LogicError(f"unknown rule {rule!r}")
    return handler(seq, node, lemmas)


def _fix(s: Sequent, n: Node, _: Lemmas) -> list[Sequent]:
    if s.concl[0] != "all":
        raise LogicError("fix: the conclusion is no `all`")
    new, renaming = s.declare(s.concl[1], n["names"])
    return [new.with_concl(subst(s.concl[2], renaming))]


def _assume(s: Sequent, n: Node, _: Lemmas) -> list[Sequent]:
    if s.concl[0] == "=>":
        return [s.with_hyp(n["name"], s.concl[1]).with_concl(s.concl[2])]
    if s.concl[0] == "not":
        return [s.with_hyp(n["name"], s.concl[1]).with_concl(("false",))]
    raise LogicError("assume: the conclusion is no implication or negation")


def _and(s: Sequent, n: Node, _: Lemmas) -> list[Sequent]:
    if s.concl[0] != "and":
        raise LogicError("and: the conclusion is no conjunction")
    return [s.with_concl(a) for a in s.concl[1:]]


def _or(s: Sequent, n: Node, _: Lemmas) -> list[Sequent]:
    i = n["i"]
    if s.concl[0] != "or" or type(i) is not int or not 0 <= i < len(s.concl) - 1:
        raise LogicError("or: the conclusion is no disjunction, or has no such member")
    return [s.with_concl(s.concl[i + 1])]


def _iff(s: Sequent, n: Node, _: Lemmas) -> list[Sequent]:
    if s.concl[0] != "iff":
        raise LogicError("iff: the conclusion is no equivalence")
    return [s.with_concl(("=>", s.concl[1], s.concl[2])), s.with_concl(("=>", s.concl[2], s.concl[1]))]


def _witness(s: Sequent, n: Node, _: Lemmas) -> list[Sequent]:
    if s.concl[0] != "ex":
        raise LogicError("witness: the conclusion is no `ex`")
    f, sides = instantiate(s.concl[1], s.concl[2], n["terms"], s)
    return [s.with_concl(f), *(s.with_concl(x) for x in sides)]


def _have(s: Sequent, n: Node, _: Lemmas) -> list[Sequent]:
    check_formula(n["f"], s.ctx)
    return [s.with_concl(n["f"]), s.with_hyp(n["name"], n["f"])]


def _em(s: Sequent, n: Node, _: Lemmas) -> list[Sequent]:
    check_formula(n["f"], s.ctx)
    return [s.with_hyp(n["name"], n["f"]), s.with_hyp(n["name"], negate(n["f"]))]


def _contra(s: Sequent, n: Node, _: Lemmas) -> list[Sequent]:
    return [s.with_hyp(n["name"], negate(s.concl)).with_concl(("false",))]


def _split(s: Sequent, n: Node, _: Lemmas) -> list[Sequent]:
    f = s.hyp(n["h"])
    if f[0] == "iff":
        parts: tuple[Formula, ...] = (("=>", f[1], f[2]), ("=>", f[2], f[1]))
    elif f[0] == "and":
        parts = f[1:]
    else:
        raise LogicError("split: the hypothesis is no conjunction or equivalence")
    names = n["names"]
    if not isinstance(names, tuple) or len(names) != len(parts):
        raise LogicError(f"split: {len(parts)} names are needed")
    for name, part in zip(names, parts, strict=True):
        s = s.with_hyp(name, part)
    return [s]


def _cases(s: Sequent, n: Node, _: Lemmas) -> list[Sequent]:
    f = s.hyp(n["h"])
    if f[0] != "or":
        raise LogicError("cases: the hypothesis is no disjunction")
    return [s.with_hyp(n["name"], a) for a in f[1:]]


def _obtain(s: Sequent, n: Node, _: Lemmas) -> list[Sequent]:
    f = s.hyp(n["h"])
    if f[0] != "ex":
        raise LogicError("obtain: the hypothesis is no `ex`")
    new, renaming = s.declare(f[1], n["names"])
    return [new.with_hyp(n["name"], subst(f[2], renaming))]


def _push(s: Sequent, n: Node, _: Lemmas) -> list[Sequent]:
    f = s.hyp(n["h"])
    if f[0] != "not":
        raise LogicError("push: the hypothesis is no negation")
    return [s.with_hyp(n["name"], negate(f[1]))]


def _apply(s: Sequent, n: Node, _: Lemmas) -> list[Sequent]:
    f = s.hyp(n["h"])
    terms = n.get("terms", ())
    sides: list[Formula] = []
    if f[0] == "all":
        f, sides = instantiate(f[1], f[2], terms, s)
    elif terms:
        raise LogicError("apply: the hypothesis is no `all`")
    limit = n.get("n", -1)
    if type(limit) is not int:
        raise LogicError("apply: n is a number of premises")
    premises: list[Formula] = []
    while f[0] == "=>" and (limit < 0 or len(premises) < limit):
        premises.append(f[1])
        f = f[2]
    return [*(s.with_concl(p) for p in premises), *(s.with_concl(p) for p in sides), s.with_hyp(n["name"], f)]


def _hyp(s: Sequent, n: Node, _: Lemmas) -> list[Sequent]:
    """Trusted: that formulas which differ in the names of bound variables say the same (LOGIC.md, section Goals and rules)."""
    if not same(s.hyp(n["h"]), s.concl):
        raise LogicError(f"hyp: {n['h']} is not the conclusion")
    return []


def _absurd(s: Sequent, n: Node, _: Lemmas) -> list[Sequent]:
    if s.hyp(n["h"]) != ("false",):
        raise LogicError("absurd: the hypothesis is not `false`")
    return []


def _clash(s: Sequent, n: Node, _: Lemmas) -> list[Sequent]:
    """Trusted: that `neg` is the negation of classical logic (LOGIC.md, section Goals and rules)."""
    f, g = s.hyp(n["h"]), s.hyp(n["k"])
    if not (same(negate(f), g) or same(negate(g), f)):
        raise LogicError("clash: the hypotheses are no contradiction")
    return []


def _truth(s: Sequent, n: Node, _: Lemmas) -> list[Sequent]:
    if s.concl != ("true",):
        raise LogicError("truth: the conclusion is not `true`")
    return []


def _induct(s: Sequent, n: Node, _: Lemmas) -> list[Sequent]:
    """Trusted: strong induction over the integers from a lower bound (LOGIC.md, section Goals and rules)."""
    c = s.concl
    if not (c[0] == "all" and len(c[1]) == 1 and c[1][0][1] == "Z" and c[2][0] == "=>" and c[2][1][0] == "<="):
        raise LogicError("induct: the conclusion is no `all n:Z. lo <= n => A`")
    v, lo, body = c[1][0][0], c[2][1][1], c[2][2]
    if c[2][1][2] != v or v in free(lo):
        raise LogicError("induct: the guard is no lower bound of the variable")
    x, name = n["x"], n["name"]
    new, _r = s.declare(c[1], (x,))
    k = "k"
    while k in new.ctx or k in free(body) or k in free(lo):
        k += "_"
    ih = ("all", ((k, "Z"),), ("=>", ("and", ("<=", lo, k), ("<", k, x)), subst(body, {v: k})))
    new = new.with_hyp(f"{name}_lo", ("<=", lo, x)).with_hyp(name, ih)
    return [new.with_concl(subst(body, {v: x}))]


def _leibniz(s: Sequent, n: Node, _: Lemmas) -> list[Sequent]:
    v, sort, f, a, b = n["v"], n["sort"], n["f"], n["a"], n["b"]
    check_sort(sort, s.ctx)
    if isinstance(sort, tuple) and sort[0] == "F":
        raise LogicError("leibniz: no equality of functions")
    check_term(a, sort, s.ctx)
    check_term(b, sort, s.ctx)
    if v in s.ctx:
        raise LogicError(f"leibniz: {v} is taken")
    check_formula(f, bind(s.ctx, v, sort))
    if not same(subst(f, {v: a}), s.concl):
        raise LogicError("leibniz: the conclusion is no instance of the pattern")
    return [s.with_concl(("=", a, b)), s.with_concl(subst(f, {v: b}))]


def _lemma(s: Sequent, n: Node, lemmas: Lemmas) -> list[Sequent]:
    f = lemmas(n["claim"], n["role"])
    check_formula(f, {})
    return [s.with_hyp(n["name"], f)]


def _fact(s: Sequent, n: Node, _: Lemmas) -> list[Sequent]:
    """Trusted: the library of facts, and how parameters are put in (LOGIC.md, section Facts)."""
    return [s.with_hyp(n["name"], instance(n["fact"], n.get("params", ()), s.ctx))]


def _clear(s: Sequent, n: Node, _: Lemmas) -> list[Sequent]:
    hs = n["hs"]
    if not isinstance(hs, tuple):
        raise LogicError("clear: a list of names")
    for h in hs:
        s.hyp(h)
    return [Sequent(s.ctx, {k: f for k, f in s.hyps.items() if k not in hs}, s.concl)]


def _refl(s: Sequent, n: Node, _: Lemmas) -> list[Sequent]:
    """Trusted: that a term equals itself up to the names of bound variables (LOGIC.md, section Goals and rules)."""
    if s.concl[0] not in ("=", "<=") or not same(s.concl[1], s.concl[2]):
        raise LogicError("refl: the sides differ")
    return []


def _matrix_equation(s: Sequent) -> Sort:
    if s.concl[0] == "=":
        sort = sort_of(s.concl[1], s.ctx)
        if isinstance(sort, tuple) and sort[0] == "M":
            return sort
    raise LogicError("the conclusion is no equation of matrices")


def _ext(s: Sequent, n: Node, _: Lemmas) -> list[Sequent]:
    _m, rows, cols = _matrix_equation(s)
    if type(rows) is not int or type(cols) is not int or rows * cols > 400:
        raise LogicError("ext: the dimensions are no literals")
    a, b = s.concl[1:]
    return [s.with_concl(("=", ("entry", a, i, j), ("entry", b, i, j))) for i in range(1, rows + 1) for j in range(1, cols + 1)]


def _extn(s: Sequent, n: Node, _: Lemmas) -> list[Sequent]:
    _m, rows, cols = _matrix_equation(s)
    i, j = n["i"], n["j"]
    a, b = s.concl[1:]
    new, _r = s.declare((("i", "Z"), ("j", "Z")), (i, j))
    for v, top in ((i, rows), (j, cols)):
        new = new.with_hyp(f"{v}_lo", ("<=", 1, v)).with_hyp(f"{v}_hi", ("<=", v, top))
    return [new.with_concl(("=", ("entry", a, i, j), ("entry", b, i, j)))]


def _ctx(s: Sequent, n: Node, _: Lemmas) -> list[Sequent]:
    if s.concl[0] != "=":
        raise LogicError("ctx: the conclusion is no equation")
    a, b = s.concl[1:]
    if not (isinstance(a, tuple) and isinstance(b, tuple) and a[0] == b[0] and len(a) == len(b)) or a[0] in BINDERS | {
        "q",
        "mat",
    }:
        raise LogicError("ctx: the sides have no common head")
    skip = {"call": 2, "op": 2, "d": 3}.get(a[0], 1)
    if a[:skip] != b[:skip]:
        raise LogicError("ctx: different functions")
    parts = [("=", x, y) for x, y in zip(a[skip:], b[skip:], strict=True) if not same(x, y)]
    for part in parts:
        check_formula(part, s.ctx)
    return [s.with_concl(part) for part in parts]


def _trusted(s: Sequent, n: Node, _: Lemmas) -> list[Sequent]:
    """Trusted: the step itself, which is listed with every claim that rests on it (LOGIC.md, section Goals and rules)."""
    if not isinstance(n["why"], str) or not n["why"].strip():
        raise LogicError("trusted: a reason is needed")
    if not same(n["f"], s.concl):
        raise LogicError("trusted: the step states another formula than the conclusion")
    return []


def _side(n: Node) -> tuple[Formula, ...]:
    side = n.get("side", ())
    if not isinstance(side, tuple):
        raise LogicError("side is a list of formulas")
    return side


def _leaf(s: Sequent, n: Node, _: Lemmas) -> list[Sequent]:
    """The leaves `field`, `nc` and `pos`. Trusted: what the docstrings in `leaves` say (LOGIC.md, their sections)."""
    side = _side(n)
    situation = leaves.Situation(s.ctx, s.hyps, side)
    eqs, rw = n.get("eqs", ()), n.get("rw", ())
    if n["r"] == "field":
        leaves.field(situation, s.concl, eqs, rw)
    elif n["r"] == "nc":
        leaves.nc(situation, s.concl, eqs, rw)
    else:
        leaves.pos(situation, s.concl, n.get("mul", ()), n.get("terms", ()), eqs, rw)
    return [s.with_concl(f) for f in side]


def _ball(s: Sequent, n: Node, _: Lemmas) -> list[Sequent]:
    balls.ball(s.ctx, s.hyps, s.concl, dict(n.get("box", {})), n["tree"])
    return []


def _flow(s: Sequent, n: Node, _: Lemmas) -> list[Sequent]:
    flows.flow(s.ctx, s.hyps, s.concl, n)
    return []


def _compute(s: Sequent, n: Node, _: Lemmas) -> list[Sequent]:
    finite.compute(s.concl)
    return []


def _oracle(s: Sequent, n: Node, _: Lemmas) -> list[Sequent]:
    oracle.oracle(s.ctx, s.hyps, s.concl, n)
    return []


RULES: dict[str, Callable[[Sequent, Node, Lemmas], list[Sequent]]] = {
    "fix": _fix, "assume": _assume, "and": _and, "or": _or, "iff": _iff, "witness": _witness, "have": _have,
    "em": _em, "contra": _contra, "split": _split, "cases": _cases, "obtain": _obtain, "push": _push,
    "apply": _apply, "hyp": _hyp, "absurd": _absurd, "clash": _clash, "truth": _truth, "induct": _induct, "leibniz": _leibniz,
    "lemma": _lemma, "fact": _fact, "clear": _clear, "refl": _refl, "ext": _ext, "extn": _extn, "ctx": _ctx,
    "trusted": _trusted, "field": _leaf, "nc": _leaf, "pos": _leaf, "ball": _ball, "flow": _flow, "compute": _compute,
    "oracle": _oracle,
}  # fmt: skip


def check(statement: Formula, node: Node, lemmas: Lemmas) -> Account:
    """Check a whole proof of a closed formula; raises LogicError where it fails."""
    check_formula(statement, {})
    account = Account()
    stack: list[tuple[Sequent, Node]] = [(Sequent({}, {}, statement), node)]
    while stack:
        seq, nd = stack.pop()
        try:
            goals = expand(seq, nd, lemmas)
        except KeyError as missing:
            raise LogicError(f"{nd.get('r')}: the argument {missing} is missing") from None
        children = nd.get("c", ())
        if len(children) != len(goals):
            raise LogicError(f"{nd['r']}: {len(goals)} children are needed, not {len(children)}")
        account.rules[nd["r"]] += 1
        if nd["r"] == "fact":
            account.facts[nd["fact"]] = fact_named(nd["fact"]).kind
        elif nd["r"] == "lemma":
            account.lemmas.add((nd["claim"], nd["role"]))
        elif nd["r"] == "trusted":
            account.trusted.append((nd["f"], nd["why"]))
        stack += list(zip(goals, children, strict=True))
    return account


__all__ = ["Account", "Lemmas", "Node", "Sequent", "check", "conj", "expand", "instantiate"]
