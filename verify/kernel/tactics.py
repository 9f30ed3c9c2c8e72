"""Building proofs: a `Goal` is an open place of a proof tree; its methods apply rules and search for leaves.

Nothing here is trusted: whatever a tactic finds, the finished tree is checked from the root (`prove`). A script works on one
goal; side branches are proved by callables that receive their own goal, by default `Goal.auto`.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from verify.kernel import balls, flow_search, flows, leaves, search
from verify.kernel.rules import Account, Lemmas, Node, Sequent, check, expand
from verify.kernel.sign import Known
from verify.kernel.syntax import parse, parse_term, rational
from verify.kernel.terms import (
    Formula,
    LogicError,
    Term,
    canon,
    check_formula,
    dom,
    free,
    freeze,
    fresh,
    negate,
    same,
    sort_of,
    subst,
    thaw,
)
from verify.kernel.text.surface import pretty

Script = Callable[["Goal"], Any]
Text = Any  # surface syntax, or an already parsed term or formula


class ProofError(LogicError):
    """A proof script failed; the message shows the goal."""


class Goal:
    """One open goal. Every method either closes it or replaces it by what remains."""

    def __init__(self, seq: Sequent, node: Node, lemmas: Lemmas) -> None:
        self.seq, self.lemmas = seq, lemmas
        self._node = node  # the place in the tree that the next rule fills
        self.closed = False

    # ------------------------------------------------------------------ looking

    @property
    def concl(self) -> Formula:
        return self.seq.concl

    def __str__(self) -> str:
        decls = ", ".join(self.seq.ctx)
        hyps = "\n".join(f"  {k}: {pretty(f)}" for k, f in self.seq.hyps.items())
        return f"[{decls}]\n{hyps}\n  |- {pretty(self.concl)}"

    def hyp_formula(self, h: str) -> Formula:
        return self.seq.hyp(h)

    def known(self) -> Known:
        return Known(self.seq.hyps.values(), self.seq.ctx)

    def formula(self, f: Text) -> Formula:
        return parse(f, self.seq.ctx) if isinstance(f, str) else f

    def term(self, t: Text) -> Term:
        return parse_term(t, self.seq.ctx) if isinstance(t, str) else t

    def name(self, base: str = "h") -> str:
        """A hypothesis name that is free here."""
        taken = set(self.seq.ctx) | set(self.seq.hyps)
        if base != "h" and base not in taken:
            return base
        return next(n for k in itertools.count(1) if (n := f"{base}{k}") not in taken)

    # ------------------------------------------------------------------ steps

    def step(self, rule: str, **arguments: Any) -> list[Goal]:
        """Apply a rule; returns goals for its children. The caller must close all but take over at most one."""
        if self.closed:
            raise ProofError(f"{rule}: the goal is closed already")
        node: Node = {"r": rule, **arguments}
        try:
            sequents = expand(self.seq, node, self.lemmas)
        except KeyError as missing:
            raise ProofError(f"{rule}: the argument {missing} is missing") from None
        except ProofError:
            raise
        except LogicError as error:
            raise ProofError(f"{error}\n{self}") from None
        children: list[Node] = [{} for _ in sequents]
        self._node.clear()
        self._node.update(node)
        if children:
            self._node["c"] = tuple(children)
        self.closed = True
        return [Goal(s, c, self.lemmas) for s, c in zip(sequents, children, strict=True)]

    def become(self, other: Goal) -> None:
        """Go on with a child goal."""
        self.seq, self._node, self.closed = other.seq, other._node, other.closed

    def run(self, script: Script | None) -> None:
        """Close the goal by a script (default: auto)."""
        if script is None:
            self.auto()
        else:
            script(self)
        if not self.closed:
            raise ProofError(f"a goal is left open\n{self}")

    def _after(self, goals: list[Goal], scripts: Sequence[Script | None]) -> None:
        """All goals but the last are side branches; the last is where the proof goes on."""
        given = list(scripts) + [None] * (len(goals) - 1 - len(scripts))
        for g, s in zip(goals[:-1], given, strict=True):
            g.run(s)
        self.become(goals[-1])

    # ------------------------------------------------------------------ logic

    def fix(self, *names: str) -> list[str]:
        decls = self.concl[1] if self.concl[0] == "all" else ()
        chosen = list(names) + [d[0] for d in decls[len(names) :]]
        taken = set(self.seq.ctx) | set(self.seq.hyps)
        final: list[str] = []
        for n in chosen:
            new = fresh(n, taken)
            taken.add(new)
            final.append(new)
        self.become(self.step("fix", names=tuple(final))[0])
        return final

    def assume(self, name: str | None = None) -> str:
        n = name or self.name()
        self.become(self.step("assume", name=n)[0])
        return n

    def intro(self, *names: str, split: bool = True) -> list[str]:
        """Fix and assume as long as possible; conjunctions among the hypotheses are split. Returns the hypothesis names."""
        given = list(names)
        out: list[str] = []
        while self.concl[0] in ("all", "=>"):
            if self.concl[0] == "all":
                self.fix()
            else:
                h = self.assume(given.pop(0) if given else None)
                out += self.split_all(h) if split and self.hyp_formula(h)[0] == "and" else [h]
        return out

    def split_all(self, h: str) -> list[str]:
        """Split a conjunction (and conjunctions in it) into hypotheses."""
        out: list[str] = []
        for n in self.split(h):
            out += self.split_all(n) if self.hyp_formula(n)[0] == "and" else [n]
        return out

    def split(self, h: str, *names: str) -> list[str]:
        f = self.hyp_formula(h)
        count = 2 if f[0] == "iff" else len(f) - 1
        chosen = list(names)
        taken = set(self.seq.ctx) | set(self.seq.hyps) | set(chosen)
        while len(chosen) < count:
            n = next(x for k in itertools.count(1) if (x := f"{h}_{k}") not in taken)
            taken.add(n)
            chosen.append(n)
        self.become(self.step("split", h=h, names=tuple(chosen))[0])
        return chosen

    def conj(self, *scripts: Script | None) -> None:
        goals = self.step("and")
        for g, s in zip(goals, [*scripts, *[None] * (len(goals) - len(scripts))], strict=True):
            g.run(s)

    def iff(self, forward: Script | None = None, backward: Script | None = None) -> None:
        a, b = self.step("iff")
        a.run(forward)
        b.run(backward)

    def left_or_right(self, i: int) -> None:
        self.become(self.step("or", i=i)[0])

    def witness(self, *terms: Text, sides: Sequence[Script | None] = ()) -> None:
        """Give values for `ex`; side goals (smoothness of functions) are proved by `sides`, the rest goes on here."""
        goals = self.step("witness", terms=tuple(self.term(t) for t in terms))
        for g, s in zip(goals[1:], [*sides, *[None] * (len(goals) - 1 - len(sides))], strict=True):
            g.run(s)
        self.become(goals[0])

    def have(self, f: Text, by: Script | None = None, name: str | None = None) -> str:
        """Prove a formula and keep it as a hypothesis; returns its name."""
        n = self.name(name or "h")
        self._after(self.step("have", name=n, f=self.formula(f)), [by])
        return n

    def suffices(self, f: Text, then: Script) -> None:
        """Prove the conclusion from f by `then`, and go on with f."""
        n = self.name()
        goals = self.step("have", name=n, f=self.formula(f))
        goals[1].run(then)
        self.become(goals[0])

    def em(self, f: Text, yes: Script | None, no: Script | None, name: str | None = None) -> None:
        n = self.name(name or "h")
        a, b = self.step("em", name=n, f=self.formula(f))
        a.run(yes)
        b.run(no)

    def contra(self, name: str | None = None) -> str:
        n = self.name(name or "h")
        self.become(self.step("contra", name=n)[0])
        return n

    def cases(self, h: str, *scripts: Script | None, name: str | None = None) -> None:
        n = self.name(name or "h")
        goals = self.step("cases", h=h, name=n)
        for g, s in zip(goals, [*scripts, *[None] * (len(goals) - len(scripts))], strict=True):
            g.run(s)

    def obtain(self, h: str, *names: str, name: str | None = None, split: bool = True) -> list[str]:
        """Take witnesses of an `ex` hypothesis; returns the hypothesis names that say what is known of them."""
        decls = self.hyp_formula(h)[1]
        taken = set(self.seq.ctx) | set(self.seq.hyps)
        final: list[str] = []
        for k, d in enumerate(decls):
            new = fresh(names[k] if k < len(names) else d[0], taken)
            taken.add(new)
            final.append(new)
        n = self.name(name or "h")
        if n in final:
            n = fresh(n, taken)
        self.become(self.step("obtain", h=h, names=tuple(final), name=n)[0])
        return self.split_all(n) if split and self.hyp_formula(n)[0] == "and" else [n]

    def apply(self, h: str, *terms: Text, by: Sequence[Script | None] = (), name: str | None = None, n: int = -1) -> str:
        """Instantiate a hypothesis and discharge its premises (by the given scripts, else auto); returns the new name."""
        new = self.name(name or "h")
        arguments: dict[str, Any] = {"h": h, "name": new}
        if terms:
            arguments["terms"] = tuple(self.term(t) for t in terms)
        if n >= 0:
            arguments["n"] = n
        self._after(self.step("apply", **arguments), by)
        return new

    def fact(self, fact: str, *params: Text, name: str | None = None) -> str:
        """Add an instance of a fact of the library as a hypothesis."""
        n = self.name(name or "h")
        self.become(self.step("fact", fact=fact, params=tuple(self.param(p) for p in params), name=n)[0])
        return n

    def param(self, p: Text) -> Term:
        """A parameter of a fact; the name of a function variable is read as a lambda."""
        t = self.term(p)
        sort = self.seq.ctx.get(t) if isinstance(t, str) else None
        if isinstance(sort, tuple) and sort[0] == "F":
            from verify.kernel.rules import eta

            return eta(t, sort, self.seq)
        return t

    def by_fact(self, fact: str, *params: Text, by: Sequence[Script | None] = (), name: str | None = None) -> str:
        """A fact with its premises discharged; returns the name of what it concludes."""
        h = self.fact(fact, *params)
        f = self.hyp_formula(h)
        return self.apply(h, by=by, name=name) if f[0] == "=>" else h

    def lemma(self, claim: str, role: str = "statement", *terms: Text, by: Sequence[Script | None] = ()) -> str:
        """Another claim's proved statement (role: statement, amendment, part:<k>), instantiated if terms are given."""
        n = self.name()
        self.become(self.step("lemma", claim=claim, role=role, name=n)[0])
        return self.apply(n, *terms, by=by) if terms else n

    def induct(self, x: str = "n", name: str = "ih") -> str:
        self.become(self.step("induct", x=fresh(x, {*self.seq.ctx, *self.seq.hyps}), name=self.name(name))[0])
        return name

    def close_by(self, h: str) -> None:
        """The conclusion is this hypothesis."""
        self.step("hyp", h=h)

    def clear(self, *hs: str) -> None:
        self.become(self.step("clear", hs=hs)[0])

    def refl(self) -> None:
        self.step("refl")

    def ctx(self, *scripts: Script | None) -> None:
        goals = self.step("ctx")
        for g, s in zip(goals, [*scripts, *[None] * (len(goals) - len(scripts))], strict=True):
            g.run(s)

    def ext(self, script: Script | None = None) -> None:
        """Equality of matrices of literal shape, entry by entry."""
        for g in self.step("ext"):
            g.run(script)

    def extn(self, i: str = "i", j: str = "j") -> None:
        """Equality of matrices of any shape, for a general entry."""
        self.become(self.step("extn", i=i, j=j)[0])

    def rewrite(self, h: str, back: bool = False) -> None:
        """Replace every occurrence of one side of an equation (a hypothesis) in the conclusion by the other."""
        f = self.hyp_formula(h)
        if f[0] != "=":
            raise ProofError(f"rewrite: {h} is no equation")
        a, b = (f[2], f[1]) if back else (f[1], f[2])
        v = fresh("hole", set(self.seq.ctx) | set(self.seq.hyps) | set(free(self.concl)))
        pattern = _abstract(self.concl, canon(a), v, frozenset(free(a)))
        if pattern == self.concl:
            raise ProofError(f"rewrite: {pretty(a)} does not occur in {pretty(self.concl)}")
        eq, rest = self.step("leibniz", v=v, sort=sort_of(a, self.seq.ctx), f=pattern, a=a, b=b)
        if back:
            eq.field_or_nc(h)
        else:
            eq.close_by(h)
        self.become(rest)

    def rewritten(self, h: str, eq: str) -> str:
        """A hypothesis with every occurrence of the left side of an equation replaced by the right side; returns the new name."""
        f, (_, a, b) = self.hyp_formula(h), self.hyp_formula(eq)
        v = fresh("hole", set(self.seq.ctx) | set(self.seq.hyps) | set(free(f)))
        pattern = _abstract(f, canon(a), v, frozenset(free(a)))

        def script(g: Goal) -> None:
            same_, rest = g.step("leibniz", v=v, sort=sort_of(a, g.seq.ctx), f=pattern, a=b, b=a)
            same_.field_or_nc(eq)
            rest.close_by(h)

        return self.have(subst(pattern, {v: b}), script)

    def field_or_nc(self, h: str) -> None:
        """Close an equation that is a hypothesis turned around."""
        if sort_of(self.concl[1], self.seq.ctx) in ("R", "Z"):
            self.step("field", eqs=((h, -1),))
        else:
            self.step("nc", eqs=((h, -1, (), ()),))

    def trusted(self, f: Text, why: str) -> None:
        """Close the goal by a step argued in prose only; it is listed and counted."""
        self.step("trusted", f=self.formula(f), why=why)

    # ------------------------------------------------------------------ leaves with search

    def sides_for(self, terms: Iterable[Any], deep: bool = True) -> list[tuple[Formula, Script]]:
        """Conditions of conversions in the terms that sign analysis does not see but a quick search proves."""
        known = self.known()
        out: list[tuple[Formula, Script]] = []
        for condition in search.conditions(terms, self.seq.ctx):
            if known.holds(condition) or any(same(condition, f) for f, _ in out):
                continue
            script = self._quick(condition)
            if script is not None:
                out.append((condition, script))
                known.add(condition)
        return out

    def _quick(self, condition: Formula) -> Script | None:
        """A script for a simple condition, tried out on a scratch goal."""
        probe = Goal(self.seq.with_concl(condition), {}, self.lemmas)
        try:
            probe.condition()
        except LogicError:
            return None
        return Goal.condition

    def condition(self) -> None:
        """Prove a condition such as u != 0 or 0 < u from the hypotheses, linearly."""
        if self._trivial():
            return
        c = self.concl
        if c[0] == "and":
            self.conj(*[Goal.condition] * (len(c) - 1))
            return
        if c[0] == "!=":
            for h, d in self.seq.hyps.items():
                if d[0] == "!=" and isinstance(sort_of(d[1], self.seq.ctx), str) and self._same_gap(h, d):
                    return
            for f in (("<", c[2], c[1]), ("<", c[1], c[2])):
                probe = Goal(self.seq.with_concl(f), {}, self.lemmas)
                try:
                    probe.nlin(products=1)
                except LogicError:
                    continue
                h = self.have(f, lambda g: g.nlin(products=1))
                self.contra("eq_")
                self.step("pos", terms=((("hyp", h),),), eqs=(("eq_", 1 if f[1] == c[1] else -1),))
                return
        elif c[0] in ("<", "<="):
            self.nlin(products=1)
            return
        raise ProofError(f"not found\n{self}")

    def _same_gap(self, h: str, d: Formula) -> bool:
        """Close a != b by a hypothesis with the same difference up to a rational factor."""
        c = self.concl
        s = leaves.Situation(self.seq.ctx, self.seq.hyps, ())
        n = s.normal
        mine = n.add(s.scalar(c[1]), s.scalar(c[2]), Fraction(-1))
        other = n.add(n.scalar(d[1]), n.scalar(d[2]), Fraction(-1))
        if mine.is_zero or other.is_zero:
            return False
        ratio = n.mul(other, n.inverse(mine)).as_constant() if not mine.den and not other.den else None
        if ratio is None:
            return False
        eq = self.contra("eq_")
        k = self.have(("=", d[1], d[2]), lambda g: g.step("field", eqs=((eq, rational(ratio)),)))
        self.step("clash", h=k, k=h)
        return True

    def clash(self, h: str, k: str) -> None:
        """Close any goal by two contradictory hypotheses."""
        self.step("clash", h=h, k=k)

    def antisym(self, below: Script | None = None, above: Script | None = None) -> None:
        """Prove a = b by a <= b and b <= a."""
        a, b = self.concl[1:]
        h = self.fact("le_antisym", a, b)
        k = self.apply(h, by=[below, above])
        self.close_by(k)

    def less_or_equal(self, f: Text, less: Script | None = None, equal: Script | None = None) -> None:
        """Split a known a <= b (proved by auto) into a < b and a = b."""
        c = self.formula(f)
        h = self.by_fact("lt_or_eq", c[1], c[2])
        self.cases(h, less, equal)

    def replace(self, old: Text, new: Text, by: Script | None = None) -> None:
        """Replace a subterm of the conclusion by an equal one (the equality proved by `by`, else auto)."""
        h = self.have(("=", self.term(old), self.term(new)), by)
        self.rewrite(h)

    def exact(self, h: str, by: Sequence[Script | None] = ()) -> None:
        """Close the goal by a hypothesis that agrees up to provable equality of subterms outside binders."""
        taken = set(self.seq.ctx) | set(self.seq.hyps) | set(free(self.concl)) | set(free(self.hyp_formula(h)))
        pairs: list[tuple[str, Any, Any]] = []
        pattern = _differences(self.concl, self.hyp_formula(h), pairs, taken)
        scripts = list(by) + [None] * (len(pairs) - len(by))
        for k, ((v, x, y), script) in enumerate(zip(pairs, scripts, strict=True)):
            others = {w: (b if j < k else a) for j, (w, a, b) in enumerate(pairs) if j != k}
            sort = sort_of(x, self.seq.ctx)
            if sort == "Z" and sort_of(y, self.seq.ctx) != "Z":
                sort = "R"
            eq, rest = self.step("leibniz", v=v, sort=sort, f=subst(pattern, others), a=x, b=y)
            eq.run(script)
            self.become(rest)
        if not self.closed:
            self.close_by(h)

    def field(self, *eqs: Any, rw: Sequence[str] = (), side: Mapping[Any, Script | None] | None = None) -> None:
        """Equation of scalars. eqs: (hypothesis, cofactor) pairs; rw: hypotheses whose left side is an atom to be replaced."""
        pairs = tuple((h, self.term(c)) for h, c in eqs)
        used = [
            self.concl,
            *(self._named(h, side) for h, _ in pairs),
            *(c for _, c in pairs),
            *(self._named(h, side) for h in rw),
        ]
        conditions = self._given_sides(side) + self.sides_for(used)
        arguments: dict[str, Any] = {"side": tuple(f for f, _ in conditions)} if conditions else {}
        if pairs:
            arguments["eqs"] = pairs
        if rw:
            arguments["rw"] = tuple(rw)
        for g, (_, s) in zip(self.step("field", **arguments), conditions, strict=True):
            g.run(s)

    def _named(self, h: str, side: Any) -> Any:
        return self.seq.hyps.get(h, 0)

    def _given_sides(self, side: Mapping[Any, Script | None] | None) -> list[tuple[Formula, Script | None]]:
        return [(self.formula(f), s) for f, s in (side or {}).items()]

    def nc(self, *eqs: Any, rw: Sequence[str] = (), side: Mapping[Any, Script | None] | None = None) -> None:
        """Equation of matrices in every dimension. eqs: (hypothesis, scalar, left or None, right or None)."""
        rows = tuple(
            (h, self.term(c), () if left is None else self.term(left), () if right is None else self.term(right))
            for h, c, left, right in eqs
        )
        conditions = self._given_sides(side) + self.sides_for([self.concl, *(self.seq.hyps.get(h, 0) for h in rw)])
        arguments: dict[str, Any] = {"side": tuple(f for f, _ in conditions)} if conditions else {}
        if rows:
            arguments["eqs"] = rows
        if rw:
            arguments["rw"] = tuple(rw)
        for g, (_, s) in zip(self.step("nc", **arguments), conditions, strict=True):
            g.run(s)

    def pos(
        self,
        *terms: Sequence[Any],
        mul: Sequence[Any] = (),
        eqs: Sequence[Any] = (),
        rw: Sequence[str] = (),
        side: Mapping[Any, Script | None] | None = None,
    ) -> None:
        """Inequality (or false): conclusion times mul = sum of products of factors.

        A factor is text for a nonnegative term (a square, say), or "@h" for the inequality of hypothesis h.
        """

        def factor(f: Any) -> Any:
            return ("hyp", f[1:]) if isinstance(f, str) and f.startswith("@") else self.term(f)

        rows = tuple(tuple(factor(f) for f in t) for t in terms)
        pairs = tuple((h, self.term(c)) for h, c in eqs)
        multipliers = tuple(factor(f) for f in mul)
        used = [self.concl, *rows, *pairs, *multipliers, *(f for f in self.seq.hyps.values() if f[0] in ("<", "<=", "="))]
        conditions = self._given_sides(side) + self.sides_for(used)
        arguments: dict[str, Any] = {"terms": rows}
        if conditions:
            arguments["side"] = tuple(f for f, _ in conditions)
        if multipliers:
            arguments["mul"] = multipliers
        if pairs:
            arguments["eqs"] = pairs
        if rw:
            arguments["rw"] = tuple(rw)
        for g, (_, s) in zip(self.step("pos", **arguments), conditions, strict=True):
            g.run(s)

    def nlin(
        self,
        *hints: Text,
        products: int = 2,
        use: Sequence[str] | None = None,
        mul: Sequence[Text] = (),
        cofactors: Sequence[Text] = (1,),
    ) -> None:
        """Search (exact linear programming) for a certificate of an inequality, of false, or of an equation.

        hints: nonnegative terms to combine with (squares are "(x-y)^2"); products: up to how many hypotheses are multiplied;
        use: names of the hypotheses to use (default all); mul: positive factors for the conclusion; cofactors: terms by which
        equations may be multiplied.
        """
        if self.concl[0] == "=":
            self._linear_equation(use, cofactors)
            return
        arguments = search.certificate(
            self.seq, [self.term(h) for h in hints], products, use, [self.term(m) for m in mul], [self.term(c) for c in cofactors]
        )
        if arguments is None:
            raise ProofError(f"nlin: no certificate found\n{self}")
        self.step("pos", **arguments)

    def sos(self, products: int = 1, use: Sequence[str] | None = None, degree: int | None = None) -> None:
        """Search for sums of squares: polynomial inequality from products of hypotheses."""
        from verify.kernel import sos

        arguments = sos.certificate(self.seq, products, use, degree)
        if arguments is None:
            raise ProofError(f"sos: no certificate found\n{self}")
        self.step("pos", **arguments)

    def oracle(self, use: Sequence[str] | None = None, ints: Sequence[str] = ()) -> None:
        """Take the `unsat` of an SMT solver (extra `smt`) for the negation of the goal: no proof, and counted as none.

        use: names of hypotheses (default: all that compare numbers). Terms that are no polynomials are unknown reals, and so are
        integers, but the variables in ints. Prefer `sos`, `nlin` or `pos`, which leave something to check.
        """
        from verify.kernel import oracle_search

        try:
            arguments = oracle_search.leaf(self.seq, use, ints)
        except LogicError as error:
            raise ProofError(str(error)) from None
        self.step("oracle", **arguments)

    def _linear_equation(self, use: Sequence[str] | None, cofactors: Sequence[Text]) -> None:
        eqs = search.cofactors(self.seq, use, [self.term(c) for c in cofactors])
        if eqs is None:
            raise ProofError(f"no cofactors found\n{self}")
        self.field(*eqs)

    def ball(
        self, box: Mapping[str, tuple[str, str]] | None = None, bits: int = 64, depth: int = 30, leaves_at_most: int = 20_000
    ) -> None:
        """Inequality over a box by ball arithmetic; the subdivision is searched for here.

        box: variable -> names of its lower and upper bound among the hypotheses.
        """
        names = dict(box or search.find_box(self.seq))
        sides = {
            x: (balls.rational(self.hyp_formula(lo)[1]), balls.rational(self.hyp_formula(hi)[2])) for x, (lo, hi) in names.items()
        }
        tree = search.subdivide(self.concl, sides, bits, depth, leaves_at_most)
        if tree is None:
            raise ProofError(f"ball: not decided\n{self}")
        self.step("ball", box=tuple((x, tuple(b)) for x, b in sorted(names.items())), tree=tree)

    def flow(
        self,
        ode: Sequence[str],
        start: Sequence[tuple[str, str]],
        digits: int,
        time: Fraction | None = None,
        residuals: Sequence[Text] = (),
        factor: Fraction = Fraction(1),
        growth: float = 8,
        order: int = 0,
        steps: int = 2000,
        certificate: dict[str, Any] | None = None,
        places: Sequence[str] = (),
    ) -> None:
        """Where the solutions of a polynomial differential equation are, at a time or (time None) at infinity.

        ode: hypotheses `all t. 0 <= t => x'(t) = F`, which give the variables; start: for each the names of a lower and an
        upper bound of x(0). residuals, factor: for infinity, polynomials r_k (x stands for its value) such that the field is
        -factor sum r_k grad r_k. certificate: of `verify flow`, whose steps are taken (`places`: the variable of each entry of
        its blocks; see `flow_search.of_certificate`); without one, steps are searched for (see `flow_search.find`).
        """
        names = tuple(self.hyp_formula(h)[2][2][1][2] for h in ode)
        arguments = {"vars": names, "ode": tuple(ode), "start": tuple(map(tuple, start))}
        given = flows.read(self.seq.ctx, self.seq.hyps, names, arguments["ode"], arguments["start"])
        terms = [parse_term(r, dict.fromkeys(names, "R")) if isinstance(r, str) else r for r in residuals]
        try:
            if certificate is None:
                found = flow_search.find(given, digits, time, terms, factor, growth, order, steps)
            else:
                found = flow_search.of_certificate(given, certificate, places, digits, terms, factor)
        except LogicError as error:
            raise ProofError(f"{error}\n{self}") from None
        self.step("flow", **arguments, **found.arguments)

    def compute(self) -> None:
        self.step("compute")

    # ------------------------------------------------------------------ automation

    def _trivial(self) -> bool:
        """Close by a hypothesis, truth, absurdity or sign analysis; False if none of them does."""
        c = self.concl
        for h, f in reversed(self.seq.hyps.items()):
            if f == ("false",):
                self.step("absurd", h=h)
                return True
            if same(f, c):
                self.step("hyp", h=h)
                return True
        if c == ("true",):
            self.step("truth")
            return True
        known = self.known()
        if c[0] in ("<", "<=") and c[1] == 0 and (known.pos(c[2]) if c[0] == "<" else known.nonneg(c[2])):
            self.step("pos", terms=((c[2],),))
            return True
        if c[0] == "!=" and c[2] == 0 and known.nonzero(c[1]):
            # u = 0 with u known nonzero: u * (1/u) = 1 would be 0
            self.contra("eq_")
            self.step("pos", terms=((),), eqs=(("eq_", ("/", -1, c[1])),))
            return True
        return False

    def auto(self) -> None:
        """Close an easy goal: logic, sign analysis, field, nc, one linear combination of hypotheses."""
        c = self.concl
        if self._trivial():
            return
        if c[0] == "and":
            self.conj(*[Goal.auto] * (len(c) - 1))
            return
        if c[0] in ("all", "=>"):
            self.intro()
            self.auto()
            return
        if c[0] == "iff":
            self.iff()
            return
        if c[0] == "or":
            for i in range(len(c) - 1):
                probe = Goal(self.seq.with_concl(c[i + 1]), {}, self.lemmas)
                try:
                    probe.auto()
                except LogicError:
                    continue
                self.left_or_right(i)
                self.auto()
                return
        tries: list[Script] = []
        if c[0] == "=" and isinstance(sort_of(c[1], self.seq.ctx), str):
            tries = [lambda g: g.field(), lambda g: g.nlin()]
        elif c[0] == "=":
            tries = [lambda g: g.nc()]
        elif c[0] in ("<", "<=", "false"):
            tries = [lambda g: g.nlin(products=1), lambda g: g.nlin(products=2)]
        elif c[0] == "!=":
            tries = [lambda g: g.field(), Goal.condition]
        for attempt in tries:
            node: Node = {}
            probe = Goal(self.seq, node, self.lemmas)
            try:
                attempt(probe)
            except LogicError:
                continue
            if probe.closed:
                self._node.clear()
                self._node.update(node)
                self.closed = True
                return
        raise ProofError(f"auto: not found\n{self}")

    def differentiate(self, t: str, body: Text, at: Text, by: Sequence[Script | None] = ()) -> str:
        """Name the derivative: adds D(t, body, at) = its symbolic value; returns the name of the equation."""
        from verify.kernel.terms import bind, evaluate_D

        inner = bind(self.seq.ctx, t, "R")
        b = parse_term(body, inner) if isinstance(body, str) else body
        p = self.term(at)
        e = ("D", t, b, p)
        value = evaluate_D(e, self.seq.ctx)
        condition = subst(dom(b, t, inner), {t: p})
        side = {} if condition == ("true",) else {condition: by[0] if by else None}
        return self.have(("=", e, value), lambda g: g.field(side=side) if sort_of(e, g.seq.ctx) == "R" else g.nc(side=side))


def _differences(a: Any, b: Any, out: list[tuple[str, Any, Any]], taken: set[str]) -> Any:
    """The first formula with a hole at each of the smallest term positions (outside binders) where the second differs."""
    if same(a, b):
        return a
    logical = ("=", "!=", "<", "<=", "and", "or", "not", "=>", "iff")
    if isinstance(a, tuple) and isinstance(b, tuple) and a[0] == b[0] and len(a) == len(b):
        if a[0] in (*logical, "exp", "log", "sqrt", "abs", "tr", "det"):
            return (a[0], *(_differences(x, y, out, taken) for x, y in zip(a[1:], b[1:], strict=True)))
        if a[0] in ("call", "op") and a[1] == b[1]:
            return (*a[:2], *(_differences(x, y, out, taken) for x, y in zip(a[2:], b[2:], strict=True)))
        if a[0] == "tends" and same((*a[:3], 0), (*b[:3], 0)):
            return (*a[:3], _differences(a[3], b[3], out, taken))
    if isinstance(a, tuple) and a[0] in (*logical, "all", "ex", "tends", "tendsoo", "true", "false"):
        raise ProofError(f"exact: {pretty(a)} is no {pretty(b)}")
    v = fresh("hole", taken)
    taken.add(v)
    out.append((v, a, b))
    return v


def _abstract(e: Any, target: Any, v: str, names: frozenset[str]) -> Any:
    """Replace occurrences of `target` (canonical) by v, not under binders that capture its variables."""
    if isinstance(e, (int, str)):
        return v if canon(e) == target else e
    if e[0] == "q":
        return v if e == target else e
    if (
        e[0] not in ("=", "!=", "<", "<=", "and", "or", "not", "=>", "iff", "all", "ex", "lam", "true", "false")
        and canon(e) == target
    ):
        return v
    head = e[0]
    if head in ("all", "ex", "lam"):
        if names & {n for n, _ in e[1]}:
            return e
        return (head, e[1], _abstract(e[2], target, v, names))
    if head in ("sum", "prod"):
        body = e[4] if e[1] in names else _abstract(e[4], target, v, names)
        return (head, e[1], _abstract(e[2], target, v, names), _abstract(e[3], target, v, names), body)
    if head in ("D", "tends"):
        body = e[2] if e[1] in names else _abstract(e[2], target, v, names)
        return (head, e[1], body, _abstract(e[3], target, v, names))
    if head == "tendsoo":
        return e if e[1] in names else (head, e[1], _abstract(e[2], target, v, names))
    if head in ("call", "op"):
        return (head, e[1], *(_abstract(a, target, v, names) for a in e[2:]))
    if head == "d":
        return (head, _abstract(e[1], target, v, names), e[2], *(_abstract(a, target, v, names) for a in e[3:]))
    if head == "mat":
        return ("mat", tuple(tuple(_abstract(a, target, v, names) for a in r) for r in e[1]))
    return (head, *(_abstract(a, target, v, names) for a in e[1:]))


class Theorem:
    """A statement with a checked proof; made by `prove` only. It counts once the independent checker accepted it."""

    __slots__ = ("account", "proof", "statement")

    def __init__(self, statement: Formula, proof: Node, account: Account) -> None:
        self.statement, self.proof, self.account = statement, proof, account

    @property
    def trusted(self) -> list[str]:
        return [f"{why} [{pretty(f)}]" for f, why in self.account.trusted]

    @property
    def axioms(self) -> list[str]:
        return sorted(n for n, kind in self.account.facts.items() if kind == "axiom")

    @property
    def lemmas(self) -> list[tuple[str, str]]:
        return sorted(self.account.lemmas)

    @property
    def counts(self) -> dict[str, int]:
        return dict(sorted(self.account.rules.items()))


def thaw_node(node: Node) -> dict[str, Any]:
    """The JSON form of a proof tree."""
    out: dict[str, Any] = {}
    for k, v in node.items():
        if k == "c":
            out[k] = [thaw_node(c) for c in v]
        elif k == "box":
            out[k] = {x: list(b) for x, b in v}
        else:
            out[k] = thaw(v)
    return out


def freeze_node(node: Any) -> Node:
    """The internal form of a proof tree read from JSON."""
    if not isinstance(node, dict):
        raise LogicError("a proof node is an object")
    out: Node = {}
    for k, v in node.items():
        if k == "c":
            if not isinstance(v, list):
                raise LogicError("the children of a node are a list")
            out[k] = tuple(freeze_node(c) for c in v)
        elif k == "box":
            if not isinstance(v, dict):
                raise LogicError("box is an object")
            out[k] = tuple((x, freeze(b)) for x, b in v.items())
        else:
            out[k] = freeze(v)
    return out


def no_lemmas(claim: str, role: str) -> Formula:
    raise LogicError(f"no proved claim {claim} ({role}) is at hand")


def prove(statement: Formula | str, script: Script, lemmas: Lemmas = no_lemmas) -> Theorem:
    """Run a script on a closed formula and check the whole tree; raises ProofError (a LogicError) where it fails."""
    f = parse(statement) if isinstance(statement, str) else statement
    check_formula(f, {})
    node: Node = {}
    goal = Goal(Sequent({}, {}, f), node, lemmas)
    goal.run(script)
    return Theorem(f, thaw_node(node), check(f, node, lemmas))


def disprove(statement: Formula | str, script: Script, lemmas: Lemmas = no_lemmas) -> Theorem:
    """Prove the negation of a statement."""
    f = parse(statement) if isinstance(statement, str) else statement
    return prove(negate(f), script, lemmas)


__all__ = ["Fraction", "Goal", "ProofError", "Script", "Theorem", "disprove", "leaves", "no_lemmas", "prove", "rational"]
