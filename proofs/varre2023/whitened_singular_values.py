"""Theorem C.12: the singular values of beta for whitened data in closed form."""

from __future__ import annotations

from proofs.varre2023.flows import BETA
from proofs.varre2023.riccati import TARGET, USES, WHITE, exponential_below, root_above, solution
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import holds, part


def gain(f: str) -> str:
    """2 gamma f / (1 - f^2)."""
    return f"(2*c*{f}/(1 - {f}^2))"


@part(
    "varre2023.thm-c-12-formula",
    "compare",
    """all g0 v w p1 p2 e1 e2:R. 0 < g0 => 0 <= v => v <= w => 0 < p1 => 0 < p2 => v*p2 <= w*p1 => 0 < e1 => 0 < e2 => e1 <= 1 => e2 <= 1 =>
       e2 <= e1 => 0 < (p1 + g0) + (p1 - g0)*e1 => 0 < (p2 + g0) + (p2 - g0)*e2 =>
       v*(1 - e1)/((p1 + g0) + (p1 - g0)*e1) <= w*(1 - e2)/((p2 + g0) + (p2 - g0)*e2)""",
    says="comparison of two solutions of the scalar Riccati equation",
)
def solutions_compare(g: Goal) -> None:
    """Cross multiplication."""
    names = g.intro()
    order, cross, one, two, falls = names[2], names[5], names[8], names[9], names[10]
    g.pos(
        ["g0", f"@{order}", f"@{one}", f"@{two}"],
        [f"@{cross}", f"@{two}", "1 + e1"],
        ["2", "v", "p2", f"@{falls}"],
        mul=["(p1 + g0) + (p1 - g0)*e1", "(p2 + g0) + (p2 - g0)*e2"],
    )


@part(
    "varre2023.thm-c-12-formula",
    "gain",
    "all m x y:R. 0 < m => 0 <= x => 0 <= y => x <= y => x < 1 => y < 1 => 0 <= 2*m*x/(1 - x^2) and 2*m*x/(1 - x^2) <= 2*m*y/(1 - y^2)",
    says="2 gamma x / (1 - x^2) increases on [0, 1)",
)
def gain_increases(g: Goal) -> None:
    """y (1 - x^2) - x (1 - y^2) = (y - x)(1 + x y)."""
    _, _, _, less, first, second = g.intro()
    g.have("0 < 1 - x^2", lambda g: g.pos([f"@{first}", "1 + x"]))
    g.have("0 < 1 - y^2", lambda g: g.pos([f"@{second}", "1 + y"]))
    g.conj(
        lambda g: g.pos(["2*m*x"], mul=["1 - x^2"]), lambda g: g.pos(["2*m", f"@{less}", "1 + x*y"], mul=["1 - x^2", "1 - y^2"])
    )


@part(
    "varre2023.thm-c-12-formula",
    "order",
    f"""all c t r s:R. 0 < c => 0 <= t => 0 <= r => r <= s =>
       0 <= {gain(solution("t", "r"))} and {gain(solution("t", "r"))} <= {gain(solution("t", "s"))}""",
    says="the closed form increases with the singular value of beta*",
)
def closed_form_is_monotone(g: Goal) -> None:
    """r q_s <= s q_r and exp(-2 t q_s) <= exp(-2 t q_r) <= 1; then x / (1 - x^2) increases."""
    positive, late, nonneg, order = g.intro()
    further = g.have("0 <= s")
    x, y = solution("t", "r"), solution("t", "s")
    p, q = "sqrt(r^2 + c^2)", "sqrt(s^2 + c^2)"
    a, b = f"exp(-2*t*{p})", f"exp(-2*t*{q})"
    g.have("0 < r^2 + c^2")
    g.have("0 < s^2 + c^2")
    p_pos, q_pos = g.have(f"0 < {p}"), g.have(f"0 < {q}")
    squares = g.have("r^2 <= s^2", lambda g: g.pos([f"@{order}", "r + s"]))
    roots = g.by_fact("sqrt_mono", "r^2 + c^2", "s^2 + c^2")
    cross = g.have(f"r*{q} <= s*{p}", lambda g: crossing(g, squares, p, q))
    falls = g.by_fact("exp_mono", f"-2*t*{q}", f"-2*t*{p}", by=[lambda g: g.pos(["2", "t", f"@{roots}"])])
    one = g.have(f"{a} <= 1", lambda g: exponential_below(g, f"-2*t*{p}"))
    two = g.have(f"{b} <= 1", lambda g: g.nlin(use=[falls, one]))
    bounds = []
    for v in ("r", "s"):
        sign = nonneg if v == "r" else further
        h = g.lemma(
            "varre2023.thm-c-12-formula",
            "part:solution",
            "c",
            v,
            by=[lambda g: g.close_by(positive), lambda g, n=sign: g.close_by(n)],
        )
        _, each = g.split(h)
        den, _, inside = g.split(g.apply(each, "t"))
        bounds.append((den, *g.split(g.apply(inside, by=[lambda g: g.close_by(late)]))))
    (den_r, low_r, high_r), (den_s, low_s, high_s) = bounds
    given = [positive, nonneg, order, p_pos, q_pos, cross, None, None, one, two, falls, den_r, den_s]
    compare = g.lemma("varre2023.thm-c-12-formula", "part:compare", "c", "r", "s", p, q, a, b, by=[closing(n) for n in given])
    grows = g.lemma(
        "varre2023.thm-c-12-formula",
        "part:gain",
        "c",
        x,
        y,
        by=[closing(n) for n in (positive, low_r, low_s, compare, high_r, high_s)],
    )
    g.close_by(grows)


def closing(h: str | None) -> Script | None:
    """Close by a hypothesis, or automatically."""
    return None if h is None else lambda g: g.close_by(h)


def crossing(g: Goal, squares: str, p: str, q: str) -> None:
    """r q <= s p, as both sides are nonnegative and the squares compare."""
    less = g.contra()
    g.have(f"0 <= s*{p}")
    g.pos([f"@{less}", f"r*{q} + s*{p}"], ["c^2", f"@{squares}"])


S = TARGET
FORMULA = "sqrt(1 + c^2/r^2)*((c + q - e*(q - c))/(c + q + e*(q - c))) - c/r"


@holds(
    "varre2023.thm-c-12-formula",
    f"""{WHITE} all t:R, i:Z, r q e a:R. 0 <= t => r = sv({S},i) => 0 < r => q = sqrt(r^2 + c^2) => e = exp(-2*t*q) =>
       a = {FORMULA} => sv({BETA},i) = 2*c*a/(1 - a^2)""",
    argument="repaired",
    reason="uniqueness for the Riccati equation, along pairs of singular vectors, in place of the alignment theorem; order of the values checked",
    reading="r = sigma_{*,i} > 0: the printed formula divides by it",
    uses=[*USES, "varre2023.lemma-c-2-beta"],
)
def singular_values_in_closed_form(g: Goal) -> None:
    """In the singular bases of beta* the matrix beta(t) is diagonal with entries 2 gamma f/(1 - f^2), ordered like those of beta*."""
    names = g.intro()
    setting, later = names[:6], names[6]
    value, positive, root, power, formula = names[7:12]
    u_orth, v_orth, product, off, diag = g.obtain(g.fact("svd", "p", "k", S), "U", "V", "D0")
    _, u_back, _ = g.split(g.by_fact("inv_unique", "p", "T(U)", "U"))
    _, v_back, _ = g.split(g.by_fact("inv_unique", "k", "T(V)", "V"))
    m = f"(T(U) @ {BETA} @ V)"
    outside_m, outside_d = g.fact("entry_outside", "p", "k", m), g.fact("entry_outside", "p", "k", "D0")
    order = g.fact("sv_range", "p", "k", S)

    single = g.have("all z:R. z*1 = z")

    def columns(g: Goal) -> None:
        g.fix("j")
        g.split_all(g.assume())
        e_p = g.obtain(g.by_fact("unit_vector", "p", "j"), "ep")[0]
        e_k = g.obtain(g.by_fact("unit_vector", "k", "j"), "ek")[0]
        s = f"sv({S},j)"
        forth = g.have(f"D0 @ ek = {s}*ep", lambda g: column(g, e_k, e_p, "D0", off, diag))
        back = g.have(f"T(D0) @ ep = {s}*ek", lambda g: column(g, e_p, e_k, "T(D0)", off, diag))
        f = solution("t", s)
        h = g.lemma("varre2023.thm-c-12-formula", "part:solution", "c", s, by=[None, lambda g: nonnegative(g, order, "j")])
        start, each = g.split(h)
        pair = g.lemma(
            "varre2023.thm-c-12-formula",
            "part:pairs",
            *("n", "p", "k", "l", "c", "X", "Y", "P", "Z1", "Z2", "U @ ep", "V @ ek", s, f"lam t:R. {f}"),
            by=[
                *[lambda g, n=n: g.close_by(n) for n in setting],
                lambda g: g.nc((product, 1, None, "V @ ek"), (v_orth, 1, "U @ D0", "ek"), (forth, 1, "U", None)),
                lambda g: g.nc((product_t(g, product), 1, None, "U @ ep"), (u_orth, 1, "V @ T(D0)", "ep"), (back, 1, "V", None)),
                lambda g: g.exact(start),
                lambda g: equation(g, each),
                lambda g: smooth(g, each),
            ],
        )
        one, two = g.split(g.apply(pair, "t"))
        _, _, inside = g.split(g.apply(each, "t"))
        _low, high = g.split(g.apply(inside))
        mapped = g.lemma(
            "varre2023.thm-c-12-formula",
            "part:beta",
            *("n", "p", "k", "l", "c", "X", "Y", "P", "Z1", "Z2", "U @ ep", "V @ ek", f),
            by=[closing(n) for n in setting],
        )
        done = g.apply(
            mapped,
            "t",
            by=[None, lambda g: g.pos([f"@{high}", f"1 + {f}"]), lambda g: g.close_by(one), lambda g: g.close_by(two)],
        )
        image = g.have(
            ("=", ("mm", g.term(m), "ek"), g.term(f"{gain(f)}*ep")),
            lambda g: g.nc((done, 1, "T(U)", None), (u_orth, gain(f), None, "ep")),
        )
        g.fix("ii")
        g.split_all(g.assume())
        left = g.apply(e_k, "p", m, "ii")
        right = unit_entry(g, e_p, "p", "ep", "ii")
        scaled = g.apply(g.have("all z:R. (z*ep)[ii,1] = z*ep[ii,1]"), gain(f))
        g.rewrite(left, back=True)
        g.rewrite(image)
        g.rewrite(scaled)
        g.rewrite(right)
        g.refl()

    inner = g.have(
        f"all j:Z. 1 <= j and j <= p and j <= k => all ii:Z. 1 <= ii and ii <= p => {m}[ii,j] = {gain(solution('t', f'sv({S},j)'))}*I(p)[ii,j]",
        columns,
    )
    beyond = g.have(
        f"all j:Z. p < j and 1 <= j and j <= k => all ii:Z. {m}[ii,j] = 0",
        lambda g: zero_columns(g, m, off, product, v_orth, setting, later, outside_d),
    )

    def off_diagonal(g: Goal) -> None:
        g.fix("ii", "j")
        g.assume()
        out = g.apply(outside_m, "ii", "j", n=0)
        g.em(
            "1 <= ii",
            lambda g: g.em(
                "ii <= p",
                lambda g: g.em("1 <= j", lambda g: g.em("j <= k", inside, outside(3, out)), outside(2, out)),
                outside(1, out),
            ),
            outside(0, out),
        )

    def inside(g: Goal) -> None:
        def within(g: Goal) -> None:
            column_ = g.apply(inner, "j")
            entry = g.apply(column_, "ii")
            g.rewrite(entry)
            g.field()

        def past(g: Goal) -> None:
            h = g.apply(beyond, "j")
            g.close_by(g.apply(h, "ii"))

        g.em("j <= p", within, past)

    diagonal = g.have("all i j:Z. i != j => " + f"{m}[i,j] = 0", off_diagonal)

    def entry(g: Goal, at: str) -> str:
        """The diagonal entry inside."""
        for bound in (f"1 <= {at}", f"{at} <= p", f"{at} <= k"):
            g.have(bound, integers)
        h = g.apply(g.apply(inner, at), at)
        f = gain(solution("t", f"sv({S},{at})"))
        unit = g.have(f"I(p)[{at},{at}] = 1", lambda g: g.field())
        once = g.apply(single, f)
        return g.have(f"{m}[{at},{at}] = {f}", lambda g: (g.rewrite(h), g.rewrite(unit), g.close_by(once)))

    def ordered(g: Goal) -> None:
        g.fix("ii")
        g.assume()
        out = g.apply(outside_m, "ii + 1", "ii + 1", n=0)
        here = g.apply(outside_m, "ii", "ii", n=0)

        def both(g: Goal) -> None:
            one, two = entry(g, "ii"), entry(g, "ii + 1")
            _, falls = g.split(g.apply(order, "ii", "ii + 1"))
            less = g.apply(falls)
            sign, _ = g.split(g.apply(order, "ii + 1", "ii + 1"))
            sign_here, _ = g.split(g.apply(order, "ii", "ii"))
            grows = g.lemma(
                "varre2023.thm-c-12-formula", "part:order", "c", "t", f"sv({S},ii + 1)", f"sv({S},ii)",
                by=[closing(setting[0]), closing(later), closing(sign), closing(less)],
            )  # fmt: skip
            _small, compare = g.split(grows)
            own = g.lemma(
                "varre2023.thm-c-12-formula", "part:order", "c", "t", f"sv({S},ii)", f"sv({S},ii)",
                by=[closing(setting[0]), closing(later), closing(sign_here), lambda g: g.refl()],
            )  # fmt: skip
            nonneg, _ = g.split(own)
            g.rewrite(one)
            g.rewrite(two)
            g.conj(closing(nonneg), closing(compare))

        def next_outside(g: Goal) -> None:
            zero = g.apply(out, by=[lambda g: some_side(g)])
            g.rewrite(zero)

            def here_inside(g: Goal) -> None:
                one = entry(g, "ii")
                sign_here, _ = g.split(g.apply(order, "ii", "ii"))
                own = g.lemma(
                    "varre2023.thm-c-12-formula", "part:order", "c", "t", f"sv({S},ii)", f"sv({S},ii)",
                    by=[closing(setting[0]), closing(later), closing(sign_here), lambda g: g.refl()],
                )  # fmt: skip
                nonneg, _ = g.split(own)
                g.rewrite(one)
                g.conj(closing(nonneg), closing(nonneg))

            def here_outside(g: Goal) -> None:
                zero = g.apply(here, by=[lambda g: some_side(g)])
                g.rewrite(zero)
                g.conj(lambda g: g.refl(), lambda g: g.refl())

            g.em("ii <= p", lambda g: g.em("ii <= k", here_inside, here_outside), here_outside)

        g.em("ii + 1 <= p", lambda g: g.em("ii + 1 <= k", both, next_outside), next_outside)

    values = g.by_fact(
        "svd_values",
        *("p", "k", BETA, m, "U", "V"),
        by=[
            closing(u_orth),
            closing(v_orth),
            lambda g: g.nc((u_back, -1, None, f"{BETA} @ V @ T(V)"), (v_back, -1, BETA, None)),
            closing(diagonal),
            ordered,
        ],
    )
    at = g.apply(values, "i")
    d = g.apply(diag, "i")
    beyond_d = g.apply(outside_d, "i", "i", n=0)

    def impossible(g: Goal) -> None:
        zero = g.apply(beyond_d, by=[lambda g: some_side(g)])
        g.contra()
        g.step("pos", terms=((("hyp", positive),),), eqs=((value, -1), (d, 1), (zero, -1)))

    def finish(g: Goal) -> None:
        last = entry(g, "i")
        g.rewrite(at)
        g.rewrite(last)
        g.rewrite(value, back=True)
        same = g.lemma(
            "varre2023.thm-c-12-formula",
            "part:printed",
            "c",
            "t",
            "r",
            "q",
            "e",
            "a",
            by=[closing(n) for n in (setting[0], positive, root, power, formula)],
        )
        g.rewrite(same)
        g.refl()

    g.em("1 <= i", lambda g: g.em("i <= p", lambda g: g.em("i <= k", finish, impossible), impossible), impossible)


def integers(g: Goal) -> None:
    """Linear arithmetic with the short inequalities among the hypotheses."""
    g.nlin(products=1, use=[h for h, f in g.seq.hyps.items() if f[0] in ("<", "<=") and len(str(f)) < 60])


def outside(place: int, h: str) -> Script:
    """Entries outside vanish."""

    def script(g: Goal) -> None:
        g.close_by(g.apply(h, by=[lambda g: some_side(g)]))

    return script


def some_side(g: Goal) -> None:
    """One of the alternatives is among the last hypotheses."""
    for i in range(1, len(g.concl)):
        part_ = g.concl[i]
        for h, f in g.seq.hyps.items():
            if f == part_:
                g.left_or_right(i - 1)
                g.close_by(h)
                return
    g.auto()


def zero_columns(g: Goal, m: str, off: str, product: str, v_orth: str, setting: list[str], later: str, outside_d: str) -> None:
    """Columns beyond the rows: beta* maps the singular vector to 0, hence so does beta."""
    g.fix("j")
    g.split_all(g.assume())
    e_k = g.obtain(g.by_fact("unit_vector", "k", "j"), "ek")[0]

    def empty(g: Goal) -> None:
        g.extn("ii", "zz")
        h = g.apply(e_k, "p", "D0", "ii")
        only = g.have("zz = 1", lambda g: g.antisym())
        g.rewrite(only)
        g.rewrite(h)
        d = g.apply(off, "ii", "j", by=[lambda g: (g.contra(), g.nlin())])
        g.rewrite(d)
        g.field()

    none = g.have("D0 @ ek = O(p,1)", empty)
    common = ("n", "p", "k", "l", "c", "X", "Y", "P", "Z1", "Z2", "O(p,1)", "V @ ek", "0")
    pair = g.lemma(
        "varre2023.thm-c-12-formula",
        "part:pairs",
        *(*common, "lam t:R. 0"),
        by=[
            *[closing(n) for n in setting],
            lambda g: g.nc((product, 1, None, "V @ ek"), (v_orth, 1, "U @ D0", "ek"), (none, 1, "U", None)),
            lambda g: g.nc(),
            lambda g: g.refl(),
            lambda g: (g.fix("w"), g.assume(), g.field()),
        ],
    )
    one, two = g.split(g.apply(pair, "t", by=[closing(later)]))
    mapped = g.lemma("varre2023.thm-c-12-formula", "part:beta", *common, by=[closing(n) for n in setting])
    done = g.apply(mapped, "t", by=[closing(later), lambda g: g.pos([1]), closing(one), closing(two)])
    image = g.have(("=", ("mm", g.term(m), "ek"), g.term("O(p,1)")), lambda g: g.nc((done, 1, "T(U)", None)))
    g.fix("ii")
    left = g.apply(e_k, "p", m, "ii")
    g.rewrite(left, back=True)
    g.rewrite(image)
    g.field()


@part(
    "varre2023.thm-c-12-formula",
    "printed",
    f"""all c t r q e a:R. 0 < c => 0 < r => q = sqrt(r^2 + c^2) => e = exp(-2*t*q) => a = {FORMULA} =>
       {gain(solution("t", "r"))} = 2*c*a/(1 - a^2)""",
    says="the printed form of the solution",
)
def printed_form_of_the_solution(g: Goal) -> None:
    """The printed A is the solution of the Riccati equation."""
    _positive, _big, root, power, formula = g.intro()
    g.have("0 < r^2 + c^2")
    qq = "sqrt(r^2 + c^2)"
    g.have(f"0 < {qq}")
    squares = g.have(f"({qq})^2 = r^2 + c^2", lambda g: g.field())
    above = g.have(f"c <= {qq}", lambda g: root_above(g, "c", squares, qq))
    ee = f"exp(-2*t*{qq})"
    g.have(f"0 < ({qq} + c) + ({qq} - c)*{ee}", lambda g: g.pos([qq], ["c"], [f"@{above}", ee]))
    g.have("0 < 1 + c^2/r^2")

    def same(g: Goal) -> None:
        g.rewrite(formula)
        g.rewrite(power)
        g.rewrite(root)
        g.field()

    eq = g.have(f"a = {solution('t', 'r')}", same)
    g.rewrite(eq)
    g.refl()


def unit_entry(g: Goal, h: str, dim: str, e: str, i: str) -> str:
    """The i-th entry of the j-th unit vector is that of the identity."""
    k = g.apply(h, dim, f"I({dim})", i)
    eq = g.have(f"I({dim}) @ {e} = {e}", lambda g: g.nc())
    return g.rewritten(k, eq)


def column(g: Goal, e: str, target: str, a: str, off: str, diag: str) -> None:
    """The j-th column of a diagonal matrix."""
    rows = "p" if a == "D0" else "k"
    g.extn("ii", "zz")
    h = g.apply(e, rows, a, "ii")
    k = unit_entry(g, target, rows, "ep" if rows == "p" else "ek", "ii")
    only = g.have("zz = 1", lambda g: g.antisym())
    g.rewrite(only)
    g.rewrite(h)

    def same(g: Goal) -> None:
        eq = next(reversed(g.seq.hyps))
        d = g.apply(diag, "j")
        g.rewrite(eq)
        k2 = g.rewritten(k, eq)
        g.field((d, 1), (k2, f"-sv({S},j)"))

    def other(g: Goal) -> None:
        d = g.apply(off, *(("ii", "j") if a == "D0" else ("j", "ii")))
        g.field((d, 1), (k, f"-sv({S},j)"))

    g.em("ii = j", same, other)


def nonnegative(g: Goal, order: str, i: str) -> None:
    """Singular values are nonnegative."""
    h, _ = g.split(g.apply(order, i, i))
    g.close_by(h)


def product_t(g: Goal, product: str) -> str:
    """T(S) = V D^T U^T."""
    return g.have(f"T({S}) = V @ T(D0) @ T(U)", lambda g: (g.rewrite(product), g.nc()))


def smooth(g: Goal, each: str) -> None:
    """The denominators are positive at all times."""
    g.fix("w")
    h = g.apply(each, "w")
    g.split(h)
    q = f"sv({S},j)^2 + c^2"
    g.have(f"0 < {q}")
    g.auto()


def equation(g: Goal, each: str) -> None:
    """The differential equation."""
    g.fix("w")
    g.assume()
    _, h, _ = g.split(g.apply(each, "w"))
    g.exact(h)
