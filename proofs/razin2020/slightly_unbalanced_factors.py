"""Theorem 3, assumption (iii): factors of every depth that satisfy it without being balanced.

S has the eigenvalues x and y with x^L = 9/10, y^L = 1/10; W_1 = v S, W_2 = S/v, W_l = S for l >= 3, with v slightly above 1.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from proofs.razin2020.problem import fro, loss
from proofs.razin2020.products_of_factors import INSIDE
from proofs.razin2020.radius_size import LIMIT_2, LIMIT_3, LIMIT_READING
from proofs.razin2020.scripts import only, using
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import holds, part

CLAIM = "razin2020.theorem-3-assumption-epsilon"
SMALL_2, SMALL_3 = (limit.replace("(m + 1)", "(32 + 1)") for limit in (LIMIT_2, LIMIT_3))
GAP = "T(W(l+1)) @ W(l+1) - W(l) @ T(W(l))"
NEXT = "1 <= l and l <= L - 1"


@part(
    CLAIM,
    "thresholds",
    f"""(all c m:R. 0 < c => c <= 1 => 32 <= m => 0 < {LIMIT_2} and {LIMIT_2} < 1) and
       (all L:Z, c m:R. 3 <= L => 0 < c => c <= 1 => 32 <= m => 0 < {LIMIT_3})""",
    says=f"both thresholds are positive for every depth, initial loss below 1 and initial norms; {LIMIT_READING}",
)
def thresholds_are_positive(g: Goal) -> None:
    """An exponential, and a quotient of positive numbers."""

    def two(g: Goal) -> None:
        c, _, m = g.intro()
        pm = g.have("0 < m + 1", lambda g: g.pos([f"@{m}"], [33]))
        only(g, c, pm)
        x = "-(2^16*(m + 1)^6/c^4)"
        neg = g.have(f"{x} < 0", lambda g: g.pos(["2^16*(m + 1)^6/c^4"]))
        k = g.by_fact("exp_strict", x, 0, by=[using(neg)])
        zero = g.fact("exp_zero")
        g.conj(None, lambda g: (only(g, k, zero), g.pos([f"@{k}"], eqs=[(zero, -1)]))[-1])

    def three(g: Goal) -> None:
        depth, c, _, m = g.intro()
        pl = g.have("0 < L", lambda g: g.pos([f"@{depth}"], [3]))
        pm = g.have("0 < m + 1", lambda g: g.pos([f"@{m}"], [33]))
        only(g, c, pl, pm)
        g.auto()

    g.conj(two, three)


def named(g: Goal, name: str, value: str, sort: str = "R") -> str:
    """Adds name = value for a new variable."""
    (h,) = g.obtain(g.have(f"ex {name}:{sort}. {name} = {value}", lambda g: (g.witness(value), g.refl())[-1]), name, split=False)
    return h


def root(g: Goal, name: str, value: str, depth: str) -> tuple[str, str, str]:
    """Adds a variable 0 < name <= 1 with name^L = value, a number below 1."""
    h = named(g, name, f"({value})^(1/L)")

    def power(g: Goal) -> None:
        only(g, h, depth)
        g.rewrite(h)
        g.field((g.by_fact("pow_pow", value, "1/L", "L"), 1))

    def bounded(g: Goal) -> None:
        k = g.by_fact("pow_base_mono", value, 1, "1/L")
        only(g, h, k)
        one = g.have("1^(1/L) = 1", lambda g: g.field())
        g.pos([f"@{k}"], eqs=[(h, -1), (one, 1)])

    positive = g.have(f"0 < {name}", lambda g: (only(g, h, depth), g.rewrite(h), g.auto())[-1])
    return positive, g.have(f"{name} <= 1", bounded), g.have(f"{name}^L = {value}", power)


PLACES = {"f": 1, "p": 2}
INDEX = {0: "l", 1: "l+1", -1: "l-1"}
Values = Callable[[Goal, int, str], list[str]]
"""Adds the values of marks at l + a, and returns their names."""


class Marks:
    """The values of f and p (0 at l = 1 and at l = 2, else 1) at l, l + 1 and l - 1, for 1 <= l."""

    def __init__(self, g: Goal) -> None:
        self.zero: dict[str, str] = {}
        self.one: dict[str, str] = {}
        for name, at in PLACES.items():
            (h,) = g.obtain(g.fact("indicator", f"lam i:Z. i - {at}"), name, split=False)
            self.zero[name] = g.apply(g.split(g.apply(h, str(at)))[0])
            self.one[name] = g.have(f"all i:Z. i != {at} => {name}(i) = 1", self._away(h, at))

    def _away(self, h: str, at: int) -> Script:
        def script(g: Goal) -> None:
            g.fix("i")
            ne = g.assume()

            def shifted(g: Goal) -> None:
                eq = g.contra()
                g.clash(g.have(f"i = {at}", lambda g: g.field((eq, 1))), ne)

            g.close_by(g.apply(g.split(g.apply(h, "i"))[1], by=[shifted]))

        return script

    def cases(self, g: Goal, low: str, script: Callable[[Goal, int, Values], None]) -> None:
        """The script in the cases l = 1, l = 2 and neither.

        Its second argument is 1, 2 or 0; its third adds the values at l + a of the marks that are named.
        """

        def equal(k: int) -> Script:
            def case(g: Goal) -> None:
                eq = next(reversed(g.seq.hyps))
                script(g, k, lambda g, a, marks: [self._given(g, m, a, k, eq) for m in marks])

            return case

        def not_one(g: Goal) -> None:
            first = next(reversed(g.seq.hyps))

            def other(g: Goal) -> None:
                names = {1: first, 2: next(reversed(g.seq.hyps))}
                script(g, 0, lambda g, a, marks: [self._free(g, m, a, low, names) for m in marks])

            g.em("l = 2", equal(2), other)

        g.em("l = 1", equal(1), not_one)

    def _given(self, g: Goal, name: str, a: int, k: int, eq: str) -> str:
        """The value at l + a, where l = k."""
        i, place = INDEX[a], PLACES[name]
        if a + k == place:

            def value(g: Goal) -> None:
                same = g.have(f"{name}({i}) = {name}({place})", lambda g: g.ctx(lambda g: g.field((eq, 1))))
                g.field((same, 1), (self.zero[name], 1))

            return g.have(f"{name}({i}) = 0", value)

        def differ(g: Goal) -> None:
            wrong = g.contra()
            factor = Fraction(-1, a + k - place)
            g.pos([], eqs=[(wrong, str(factor)), (eq, str(-factor))])

        g.have(f"{i} != {place}", differ)
        return g.apply(self.one[name], i)

    def _free(self, g: Goal, name: str, a: int, low: str, names: dict[int, str]) -> str:
        """The value at l + a, where l is neither 1 nor 2."""
        i, place = INDEX[a], PLACES[name]

        def differ(g: Goal) -> None:
            wrong = g.contra()
            if a == place:
                g.pos([1], [f"@{low}"], eqs=[(wrong, -1)])
            else:
                g.clash(g.have(f"l = {place - a}", lambda g: g.field((wrong, 1))), names[place - a])

        g.have(f"{i} != {place}", differ)
        return g.apply(self.one[name], i)


SCALE = "(1 + (v - 1)*(1 - f({0})) + (1/v - 1)*(1 - p({0})))"
"""The factor of S in W_l; f and p vanish at l = 1 and l = 2 only, and are 1 elsewhere."""
PARTIAL = "(1 + (v - 1)*(1 - f({0})))"
"""The factor of S^l in W_l ... W_1."""


def power(n: str) -> str:
    """S^n."""
    a, b = f"(x^({n}) + y^({n}))/2", f"(x^({n}) - y^({n}))/2"
    return f"[[{a}, {b}], [{b}, {a}]]"


ROOT = power("1")


@holds(
    CLAIM,
    f"""all L:Z. 2 <= L => ex W Q:Z->M(2,2), e c:R. Q(0) = I(2) and (all l:Z. {INSIDE} => Q(l) = W(l) @ Q(l-1)) and 0 < det(Q(L)) and
       {loss("Q(L)")} < 1 and c = 1 - sqrt({loss("Q(L)")}) and (all l:Z. {INSIDE} => {fro("W(l)")} <= 32) and
       0 < e and (all l:Z. {NEXT} => nuc({GAP}) <= e) and (ex l:Z. {NEXT} and nuc({GAP}) = e) and
       (L = 2 => e <= {SMALL_2}) and (3 <= L => e <= {SMALL_3})""",
    uses=["razin2020.def-nuclear-norm"],
    reading="an assumption is not true or false: for every depth, factors at the start are exhibited that satisfy it and the other hypotheses of"
    " Theorem 3 on the start; e is their unbalancedness magnitude, c = 1 - sqrt(l_init), m = 32 since no norm is larger, Q(L) the product matrix",
)
def slightly_unbalanced_factors_of_every_depth(g: Goal) -> None:
    """The product is S^L = [[1/2,2/5],[2/5,1/2]] for every v; the unbalancedness (v^2 - 1/v^2) nuc(S^2) tends to 0 with v - 1."""
    g.fix("L")
    depth = g.assume()
    pl = g.have("0 < L", lambda g: (only(g, depth), g.pos([f"@{depth}"], [2]))[-1])
    px, x1, xl = root(g, "x", "9/10", pl)
    py, y1, yl = root(g, "y", "1/10", pl)
    s = named(g, "S", ROOT, "M(2,2)")
    even = g.have("T(S) = S", lambda g: (g.rewrite(s), g.ext(lambda g: g.field()))[-1])
    size = g.have("tr(T(S) @ S) = x^2 + y^2", lambda g: (g.rewrite(s), g.field())[-1])
    _, low, definite, *_ = g.split(g.lemma("razin2020.def-nuclear-norm", "statement", 2, "S @ S"))
    n = named(g, "N", "nuc(S @ S)")

    def not_zero(g: Goal) -> None:
        g.contra("small")
        zero = g.have("nuc(S @ S) = 0", lambda g: g.antisym(lambda g: g.pos(["@small"], eqs=[(n, 1)]), using(low)))
        flat = g.apply(g.split(definite)[0], by=[using(zero)])
        trace = g.have("tr(S @ S) = tr(O(2,2))", lambda g: (g.rewrite(flat), g.refl())[-1])
        sym = g.have("tr(T(S) @ S) = tr(S @ S)", lambda g: (g.rewrite(even), g.refl())[-1])
        only(g, trace, sym, size, px, py)
        g.pos(["x^2"], ["y^2"], eqs=[(trace, -1), (sym, -1), (size, 1)])

    pn = g.have("0 < N", not_zero)
    c = named(g, "c", "1 - sqrt(97/200)")
    pc = g.have("0 < c", lambda g: (only(g, c), g.rewrite(c), only(g), g.ball())[-1])
    t = named(g, "t", f"min({SMALL_2}, {SMALL_3})")
    p2 = g.have(f"0 < {SMALL_2}", lambda g: (only(g, pc), g.auto())[-1])
    p3 = g.have(f"0 < {SMALL_3}", lambda g: (only(g, pc, pl), g.auto())[-1])

    def smaller(g: Goal) -> None:
        both = g.fact("min_cases", SMALL_2, SMALL_3)

        def case(g: Goal) -> None:
            order, value = g.split(next(reversed(g.seq.hyps)))
            only(g, order, value, t, p2, p3)
            g.rewrite(t)
            g.rewrite(value)
            g.auto()

        g.cases(both, case, case)

    pt, t2, t3 = g.split(g.have(f"0 < t and t <= {SMALL_2} and t <= {SMALL_3}", smaller))
    h = named(g, "h", "t/(6*N + t)")
    ph = g.have("0 < h", lambda g: (only(g, h, pn, pt), g.rewrite(h), g.auto())[-1])
    product = g.have("h*(6*N + t) = t", lambda g: (only(g, h, pn, pt), g.rewrite(h), g.field())[-1])
    h1 = g.have("h <= 1", lambda g: (only(g, product, pn, pt), g.pos([6, f"@{pn}"], eqs=[(product, -1)], mul=["6*N + t"]))[-1])
    narrow = g.have("6*h*N <= t", lambda g: (only(g, product, ph, pt), g.pos(["h*t"], eqs=[(product, -1)]))[-1])
    v = named(g, "v", "1 + h")
    v1 = g.have("1 <= v", lambda g: g.pos([f"@{ph}"], eqs=[(v, 1)]))
    pv = g.have("0 < v", lambda g: g.pos([f"@{v1}"], [1]))
    strict = g.have("1 < v", lambda g: g.pos([f"@{ph}"], eqs=[(v, 1)]))
    e = named(g, "e", "(v^2 - 1/v^2)*N")

    def positive(g: Goal) -> None:
        only(g, e, strict, pv, pn)
        g.pos(["N", f"@{strict}", "v + 1", "v^2 + 1"], mul=["v^2"], eqs=[(e, "v^2")])

    def below(g: Goal) -> None:
        rise = g.have(
            "v^2 - 1/v^2 <= 6*h",
            lambda g: (
                only(g, v, pv, ph, h1),
                g.rewrite(v),
                g.pos([2, "h"], [6, "h^2"], ["h^3"], ["h^3", f"@{h1}"], mul=["(1 + h)^2"]),
            )[-1],
        )
        only(g, rise, narrow, e, pn)
        g.pos([f"@{rise}", "N"], [f"@{narrow}"], eqs=[(e, -1)])

    pe = g.have("0 < e", positive)
    et = g.have("e <= t", below)

    marks = Marks(g)
    origin = g.apply(marks.one["f"], 0)
    late = g.have("L != 1", lambda g: (lambda w: g.pos([1], [f"@{depth}"], eqs=[(w, -1)]))(g.contra()))
    end = g.apply(marks.one["f"], "L", by=[using(late)])
    final = g.have(
        f"{PARTIAL.format('L')}*{power('L')} = [[1/2,2/5],[2/5,1/2]]",
        lambda g: (g.rewrite(xl), g.rewrite(yl), g.ext(lambda g: g.field(rw=[end])))[-1],
    )
    rise = g.have("0 <= v^2 - 1/v^2", lambda g: (only(g, v1, pv), g.pos([f"@{v1}", "v + 1", "v^2 + 1"], mul=["v^2"]))[-1])
    here, there = SCALE.format("l"), SCALE.format("l+1")
    change = f"({there}^2 - {here}^2)"

    def factor(g: Goal) -> None:
        """W_{l+1}^T W_{l+1} - W_l W_l^T is a multiple of S^2."""
        g.fix("l")
        gap = f"T({there}*S) @ ({there}*S) - ({here}*S) @ T({here}*S)"
        same = g.have(f"{gap} = {change}*(S @ S)", lambda g: (only(g, even), g.nc(rw=[even]))[-1])
        k = g.fact("nuc_scale", 2, 2, change, "S @ S")
        g.rewrite(same)
        g.field((k, 1), (n, f"-abs({change})"))

    gaps = g.have(f"all l:Z. nuc(T({there}*S) @ ({there}*S) - ({here}*S) @ T({here}*S)) = abs({change})*N", factor)
    g.witness(f"lam l:Z. {here}*S", f"lam l:Z. {PARTIAL.format('l')}*{power('l')}", "e", "c")

    def start(g: Goal) -> None:
        g.ext(lambda g: g.field(rw=[origin]))

    def products(g: Goal) -> None:
        g.fix("l")
        low, _ = g.split(g.assume())

        def case(g: Goal, k: int, values: Values) -> None:
            known = values(g, 0, "fp") + values(g, -1, "f")
            g.rewrite(s)
            g.ext(lambda g: g.field(rw=known))

        marks.cases(g, low, case)

    def norms(g: Goal) -> None:
        g.fix("l")
        low, _ = g.split(g.assume())
        two = g.have("v <= 2", lambda g: (only(g, v, h1), g.pos([f"@{h1}"], eqs=[(v, -1)]))[-1])

        def case(g: Goal, k: int, values: Values) -> None:
            f, p = values(g, 0, "fp")
            only(g, f, p, v1, pv, two)
            now = ("1", "v", "1/v")[k]
            g.rewrite(g.have(f"{here} = {now}", lambda g: g.field(rw=[f, p])))
            only(g, v1, pv, two)
            if now == "v":
                g.pos([f"@{two}", "2 + v"])
            elif now == "1":
                g.pos([3])
            else:
                g.pos([3, "v^2"], [f"@{v1}", "v + 1"], mul=["v^2"])

        bound = g.have(f"{here}^2 <= 4", lambda g: marks.cases(g, low, case))
        total = f"tr(T({here}*S) @ ({here}*S))"
        value = g.have(f"{total} = {here}^2*(x^2 + y^2)", lambda g: (only(g, size), g.field((size, f"{here}^2")))[-1])
        only(g, bound, value, x1, y1, px, py)
        r = g.have("x^2 + y^2 <= 2", lambda g: g.pos([f"@{x1}", "1 + x"], [f"@{y1}", "1 + y"]))
        most = g.have(f"{total} <= 1024", lambda g: g.pos([f"@{bound}", "x^2 + y^2"], [4, f"@{r}"], [1016], eqs=[(value, -1)]))
        only(g, most)
        k = g.by_fact("sqrt_mono", total, 1024, by=[lambda g: g.pos([total]), using(most)])
        own = g.have("sqrt(1024) = 32", lambda g: g.field())
        g.pos([f"@{k}"], eqs=[(own, -1)])

    def most(g: Goal) -> None:
        g.fix("l")
        low, _ = g.split(g.assume())
        g.rewrite(g.apply(gaps, "l"))

        def case(g: Goal, k: int, values: Values) -> None:
            known = values(g, 0, "fp") + values(g, 1, "fp")
            only(g, *known, v1, pv, rise)
            le = g.fact("abs_le", change, "v^2 - 1/v^2")

            def both(g: Goal) -> None:
                z = ("0", "1/v^2 - v^2", "1 - 1/v^2")[k]
                same = g.have(f"{change} = {z}", lambda g: g.field(rw=known))
                only(g, same, v1, pv, rise)
                if k == 1:
                    g.conj(lambda g: g.pos(eqs=[(same, 1)]), lambda g: g.pos([2, f"@{rise}"], eqs=[(same, -1)]))
                elif k == 2:
                    g.conj(
                        lambda g: g.pos([f"@{rise}"], [f"@{v1}", "(v + 1)/v^2"], eqs=[(same, 1)]),
                        lambda g: g.pos([f"@{v1}", "v + 1"], eqs=[(same, -1)]),
                    )
                else:
                    g.conj(lambda g: g.pos([f"@{rise}"], eqs=[(same, 1)]), lambda g: g.pos([f"@{rise}"], eqs=[(same, -1)]))

            g.close_by(g.apply(g.split(le)[1], by=[both], n=1))

        bound = g.have(f"abs({change}) <= v^2 - 1/v^2", lambda g: marks.cases(g, low, case))
        only(g, bound, e, pn)
        g.pos([f"@{bound}", "N"], eqs=[(e, 1)])

    def attained(g: Goal) -> None:
        g.witness(1)

        def value(g: Goal) -> None:
            g.rewrite(g.apply(gaps, 1))
            g.have("2 != 1", lambda g: g.field())
            g.have("1 != 2", lambda g: g.field())
            known = [marks.zero["f"], g.apply(marks.one["p"], 1), g.apply(marks.one["f"], 2), marks.zero["p"]]
            z = f"({SCALE.format('1+1')}^2 - {SCALE.format('1')}^2)"
            same = g.have(f"{z} = -(v^2 - 1/v^2)", lambda g: g.field(rw=known))
            g.rewrite(same)
            square = g.fact("abs_cases", "-(v^2 - 1/v^2)")

            def one(g: Goal) -> None:
                low, k = g.split(next(reversed(g.seq.hyps)))
                zero = g.have("v^2 - 1/v^2 = 0", lambda g: g.antisym(lambda g: g.pos([f"@{low}"]), using(rise)))
                g.field((k, "N"), (zero, "-2*N"), (e, -1))

            def two(g: Goal) -> None:
                k = g.split(next(reversed(g.seq.hyps)))[1]
                g.field((k, "N"), (e, -1))

            g.cases(square, one, two)

        g.conj(Goal.refl, lambda g: (only(g, depth), g.pos([f"@{depth}"]))[-1], value)

    def limit(h: str) -> Script:
        def script(g: Goal) -> None:
            g.assume()
            only(g, et, h)
            g.pos([f"@{et}"], [f"@{h}"])

        return script

    g.conj(
        start,
        products,
        lambda g: (g.rewrite(final), only(g), g.pos(["9/100"]))[-1],
        lambda g: (g.rewrite(final), only(g), g.pos(["103/200"]))[-1],
        lambda g: (g.rewrite(final), only(g, c), g.field((c, 1)))[-1],
        norms,
        using(pe),
        most,
        attained,
        limit(t2),
        limit(t3),
    )
