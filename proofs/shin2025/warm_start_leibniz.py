"""The derivatives of every order of the flow in the proof of Lemma 18, by the Leibniz rule."""

from __future__ import annotations

from proofs.shin2025.warm_start_flow import PAPER, claim
from proofs.shin2025.warm_start_lemmas import W11, W12, W22
from proofs.shin2025.warm_start_symmetry import entry_rates
from verify.kernel import Goal
from verify.registry import holds, part


def binomial(n: str, j: str) -> str:
    """The binomial coefficient as a product."""
    return f"prod(i, 1, {j}, ({n} + 1 - i)/i)"


@part(
    f"{PAPER}.eq-lemma18-leibniz",
    "absorption",
    f"all k:Z. all j:Z. 1 <= j => j*{binomial('k', 'j')} = k*{binomial('k - 1', 'j - 1')}",
    says="j C(k, j) = k C(k - 1, j - 1).",
)
def absorption(g: Goal) -> None:
    """By induction on j, splitting off the last factor."""
    g.fix("k")
    ih = g.induct("n", "ih")

    def one(g: Goal) -> None:
        h = list(g.seq.hyps)[-1]
        g.rewrite(g.have("n = 1", lambda g: g.field((h, "-1"))))
        g.field()

    def step(g: Goal) -> None:
        h = g.by_fact("int_lt", "1", "n")
        g.have("1 <= n - 1", lambda g: g.nlin(products=1, use=[h]))
        before = g.apply(ih, "n - 1")
        left = g.by_fact("prod_last", "1", "n", "lam i:Z. (k + 1 - i)/i")
        right = g.by_fact("prod_last", "1", "n - 1", "lam i:Z. (k - 1 + 1 - i)/i")
        g.have("n != 0")
        g.have("n - 1 != 0")
        g.field((left, "n"), (right, "-k"), (before, "(k + 1 - n)/(n - 1)"))

    g.less_or_equal("1 <= n", step, one)


@part(
    f"{PAPER}.eq-lemma18-leibniz",
    "pascal",
    f"""all N:Z->R, k:Z. 1 <= k => sum(j, 0, k - 1, {binomial("k - 1", "j")}*(N(j) + N(j + 1))) = sum(j, 0, k,
        {binomial("k", "j")}*N(j))""",
    says="Pascal's rule under a sum.",
)
def pascal(g: Goal) -> None:
    """The second sum is shifted by 1; C(k, j) = C(k - 1, j) + C(k - 1, j - 1) for j >= 1, and C(k - 1, k) = 0."""
    g.intro()[0]
    g.have("0 <= k - 1")
    g.have("0 <= k")
    lemma = g.lemma(f"{PAPER}.eq-lemma18-leibniz", "part:absorption")
    n, m = binomial("k - 1", "j"), binomial("k", "j")
    shift = g.fact("sum_shift", "0", "k - 1", "-1", f"lam j:Z. {n}*N(j + 1)")
    first = g.by_fact("sum_first", "0", "k", f"lam j:Z. {m}*N(j)")
    # the first sum, with the vanishing term j = k
    last = g.by_fact("sum_last", "0", "k", f"lam j:Z. {n}*N(j)")
    head = g.by_fact("sum_first", "0", "k", f"lam j:Z. {n}*N(j)")
    zero = g.by_fact("prod_last", "1", "k", "lam i:Z. (k - 1 + 1 - i)/i")

    def terms(g: Goal) -> None:
        _j, _ = g.intro()
        a = g.apply(g.apply(lemma, "k"), "i")
        b = g.by_fact("prod_last", "1", "i", "lam i:Z. (k - 1 + 1 - i)/i")
        g.have("i != 0")
        g.field((a, "N(i)/i"), (b, "-N(i)"))

    def coefficient(n: str, j: str) -> str:
        return f"prod(l, 1, {j}, ({n} + 1 - l)/l)"

    same = g.by_fact(
        "sum_ext",
        "1",
        "k",
        f"lam i:Z. {coefficient('k', 'i')}*N(i)",
        f"lam i:Z. {coefficient('k - 1', 'i')}*N(i) + {coefficient('k - 1', 'i - 1')}*N(i)",
        by=[terms],
    )
    g.field((shift, "1"), (first, "-1"), (last, "-1"), (head, "1"), (zero, "-N(k)"), (same, "-1"))


ENTRY = {m: {(i, j): f"d({{0}}, {m}, t)[{i},{j}]" for i in (1, 2) for j in (1, 2)} for m in "AB"}
RES = {"11": "d({0}, x, t)", "12": "d({0}, y, t)", "22": "d({0}, z, t)"}
# the flow (46), (47): each derivative is minus a sum of products (entry of the other factor) * (residual)
TABLE = [
    (("A", 1, 1), [(("B", 1, 1), "11"), (("B", 1, 2), "12")]),
    (("A", 1, 2), [(("B", 2, 1), "11"), (("B", 2, 2), "12")]),
    (("A", 2, 1), [(("B", 1, 2), "22")]),
    (("A", 2, 2), [(("B", 2, 2), "22")]),
    (("B", 1, 1), [(("A", 1, 1), "11")]),
    (("B", 1, 2), [(("A", 1, 1), "12"), (("A", 2, 1), "22")]),
    (("B", 2, 1), [(("A", 1, 2), "11")]),
    (("B", 2, 2), [(("A", 1, 2), "12"), (("A", 2, 2), "22")]),
]


def entry(e: tuple[str, int, int], n: str) -> str:
    return ENTRY[e[0]][e[1:]].format(n)


def products(row: list[tuple[tuple[str, int, int], str]], n: str) -> str:
    """The sum of products with orders n - j and j."""
    return "(" + " + ".join(f"{entry(e, f'{n} - j')}*{RES[r].format('j')}" for e, r in row) + ")"


def expansion(row: list[tuple[tuple[str, int, int], str]], n: str) -> str:
    """The Leibniz sum of order n (one less than the order of the derivative)."""
    return f"sum(j, 0, {n}, {binomial(n, 'j')}*{products(row, n)})"


RESIDUALS = f"(all t:R. x(t) = {W11} - w) => (all t:R. y(t) = {W12} - v) => (all t:R. z(t) = {W22} - w) => "
FORMULAS = " and ".join(f"{entry(e, 'k')} = -{expansion(row, 'k - 1')}" for e, row in TABLE)


@holds(
    f"{PAPER}.eq-lemma18-leibniz",
    claim(f"{RESIDUALS}all k:Z. 1 <= k => all t:R. 0 <= t => {FORMULAS}", ", x y z:R~>R"),
    argument="sound",
    reading=(
        "x, y, z are the residuals r11, r12, r22 as functions of time; the binomial coefficient C(k-1, j) is "
        "the product of (k - i)/i for i = 1..j."
    ),
)
def derivatives_of_every_order(g: Goal) -> None:
    """By induction on k: both sides of the formula of order k - 1 agree for t >= 0, hence so do their derivatives; then
    Pascal's rule."""
    hs = intro(g)
    flow, res = hs[4], hs[5:8]
    rule = g.lemma(f"{PAPER}.eq-lemma18-leibniz", "part:pascal")
    ready = [
        g.have(
            f"all k:Z. 1 <= k => all t:R. 0 <= t => {entry(e, 'k')} = -{expansion(row, 'k - 1')}",
            lambda g, e=e, row=row: induct(g, flow, res, rule, e, row),
        )
        for e, row in TABLE
    ]
    g.intro()
    g.conj(*[lambda g, h=h: g.close_by(g.apply(g.apply(h, "k"), "t")) for h in ready])


def intro(g: Goal) -> list[str]:
    """Fix and assume the setting and the residuals, not what follows."""
    g.fix()
    return [g.assume() for _ in range(8)]


def induct(
    g: Goal, flow: str, res: list[str], rule: str, e: tuple[str, int, int], row: list[tuple[tuple[str, int, int], str]]
) -> None:
    """One of the eight formulas."""
    ih = g.induct("n", "ih")
    g.fix("t")
    g.assume()

    def one(g: Goal) -> None:
        h = list(g.seq.hyps)[-1]
        g.rewrite(g.have("n = 1", lambda g: g.field((h, "-1"))))
        g.field(rw=entry_rates(g, flow, "t") + [g.apply(r, "t") for r in res])

    def step(g: Goal) -> None:
        h = g.by_fact("int_lt", "1", "n")
        g.have("1 <= n - 1", lambda g: g.nlin(products=1, use=[h]))
        g.have("0 <= n - 1")
        before = g.apply(ih, "n - 1")
        value = f"({entry(e, 'n - 1')} + {expansion(row, 'n - 1 - 1')})"

        def orders(g: Goal) -> None:
            g.auto()

        def flat(g: Goal, sign: str) -> None:
            up = g.obtain(g.by_fact("derivative_sign_right", "t", f"lam t:R. {sign}{value}"), "e")
            m = g.apply(up[1], "t + e")
            a, b = g.apply(before, "t"), g.apply(before, "t + e")
            s = -1 if sign else 1
            g.pos(["@" + m], eqs=[(a, s), (b, -s)])

        plus, minus = (g.differentiate("t", s + value, "t", by=[orders]) for s in ("", "-"))

        def turn(g: Goal) -> None:
            no = g.contra()
            g.have(f"0 < D(t, -{value}, t)", lambda g: g.pos(["@" + no], eqs=[(minus, "1"), (plus, "1")]))
            flat(g, "-")

        below = g.have(f"D(t, {value}, t) <= 0", lambda g: (g.contra(), flat(g, "")))
        above = g.have(f"0 <= D(t, {value}, t)", turn)
        zero = g.by_fact("le_antisym", f"D(t, {value}, t)", "0", by=[lambda g: g.close_by(below), lambda g: g.close_by(above)])
        p = g.apply(rule, f"lam j:Z. {products(row, 'n - 1')}", "n - 1")
        g.field((zero, "1"), (plus, "-1"), (p, "-1"))

    g.less_or_equal("1 <= n", step, one)
