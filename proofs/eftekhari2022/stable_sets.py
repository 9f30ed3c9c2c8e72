"""Sections 3 and 4: the sets (28), (36), (119) of initialisations, and the terms of (35) on them."""

from __future__ import annotations

from proofs.eftekhari2022.alignment_strictness import ONE, numeric, one_dimension
from proofs.eftekhari2022.deflation import LEADING, nonempty, unit_trace
from proofs.eftekhari2022.invariant_sets import ALIGNED, LARGE, SMALL
from proofs.eftekhari2022.rank_one_flow import POWER
from proofs.eftekhari2022.rank_one_numbers import GAP, POINT, SECOND, T1, T2, TOP, C, form_bounds, numbers
from proofs.eftekhari2022.theorem_twenty import GAMMA, nested
from proofs.razin2020.scripts import using
from verify.kernel import Goal
from verify.registry import amendment, holds, refuted

THIN = "0 < s => W = s*(u @ T(v)) => T(u) @ u = I(1) => T(v) @ v = I(1) =>"
OTHER = "0 < r => W = r*(p @ T(q)) => T(p) @ p = I(1) => T(q) @ q = I(1) =>"
TWO = "s r:R, u p:V(y), v q:V(x)."
STATIC = f"all x y:Z, Z Z1:M(y,x), uZ:V(y), vZ:V(x). {GAP} {LEADING}"
READING = "w stands for alpha (and b for beta); a member is a matrix of rank one, and its thin singular value decomposition is unique up to the joint sign of u and v"
CONTEXT = "the spectral gap [Assumption 14]"


def renamed(text: str) -> str:
    """A bound for the decomposition r, p, q."""
    return text.replace("< s", "< r").replace("s <", "r <").replace("T(u) @ Z1 @ v", "T(p) @ Z1 @ q")


def well_defined(*bounds: str) -> str:
    """The bounds of a set do not depend on the decomposition, and each matrix of rank one has one."""
    own = " and ".join(bounds)
    other = " and ".join(renamed(b) for b in bounds)
    scales = "all w b:R. 1 < b =>" if SMALL in bounds else "all w:R."
    return f"""{STATIC} {scales} {GAMMA} <= w => w < 1 => all W:M(y,x).
       (rank(W) = 1 => ex s:R, u:V(y), v:V(x). 0 < s and W = s*(u @ T(v)) and T(u) @ u = I(1) and T(v) @ v = I(1)) and
       all {TWO} {THIN} {OTHER} {own} => {other}"""


def set_is_well_defined(g: Goal) -> None:
    """Thin decompositions agree."""
    g.intro(split=False)

    def exists(g: Goal) -> None:
        h = g.assume()
        g.close_by(g.lemma("eftekhari2022.eq-32", "part:thin-exists", "x", "y", "W", by=[using(h)]))

    def same(g: Goal) -> None:
        names = g.intro(split=False)
        h = g.lemma(
            "eftekhari2022.eq-32", "part:thin-unique", "x", "y", "W", "Z1", "s", "r", "u", "p", "v", "q",
            by=[using(k) for k in names[:8]],
        )  # fmt: skip
        size, form = g.split(h)
        back = g.have("r = s", lambda g: g.field((size, -1)))
        turned = g.have("tr(T(p) @ Z1 @ q) = tr(T(u) @ Z1 @ v)", lambda g: g.field((form, -1)))
        g.rewrite(back)
        g.rewrite(turned)
        g.close_by(names[8])

    g.conj(exists, same)


@holds(
    "eftekhari2022.def-n-alpha",
    well_defined(LARGE, ALIGNED),
    argument="sound",
    context=CONTEXT,
    uses=["eftekhari2022.eq-32"],
    reading=f"well-formed: the conditions on the product W of the layers do not depend on its decomposition; {READING}",
)
def stable_set_of_layers_is_well_defined(g: Goal) -> None:
    """See the helper."""
    set_is_well_defined(g)


@holds(
    "eftekhari2022.def-n-alpha-z1",
    well_defined(LARGE, ALIGNED),
    argument="sound",
    context=CONTEXT,
    uses=["eftekhari2022.eq-32"],
    reading=f"well-formed: the conditions do not depend on the decomposition; {READING}",
)
def stable_set_of_products_is_well_defined(g: Goal) -> None:
    """See the helper."""
    set_is_well_defined(g)


@holds(
    "eftekhari2022.def-n-alpha-beta",
    well_defined(LARGE, SMALL, ALIGNED),
    argument="sound",
    context=CONTEXT,
    uses=["eftekhari2022.eq-32"],
    reading=f"well-formed: the conditions do not depend on the decomposition; {READING}",
)
def bounded_stable_set_is_well_defined(g: Goal) -> None:
    """See the helper."""
    set_is_well_defined(g)


@holds(
    "eftekhari2022.assertion-z1-in-n",
    f"""{STATIC} all w b:R. {GAMMA} <= w => w < 1 => 1 < b => rank(Z1) = 1 and
       all s:R, u:V(y), v:V(x). {THIN.replace("W", "Z1")} {LARGE} and {SMALL} and {ALIGNED}""",
    argument="sound",
    reading=READING,
    context=CONTEXT,
    uses=["eftekhari2022.eq-32"],
)
def target_is_a_member(g: Goal) -> None:
    """s = s_Z and u^T Z_1 v = s_Z."""
    names = g.intro(split=False)
    top, _, left, right, _, _, best, _, below, above = names
    rank = g.lemma(
        "eftekhari2022.eq-32",
        "part:thin-has-rank-one",
        "x",
        "y",
        TOP,
        "uZ",
        "vZ",
        "Z1",
        by=[using(h) for h in (top, best, left, right)],
    )

    def each(g: Goal) -> None:
        parts = g.intro(split=False)
        h = g.lemma(
            "eftekhari2022.eq-32", "part:thin-unique", "x", "y", "Z1", "Z1", "s", TOP, "u", "uZ", "v", "vZ",
            by=[using(k) for k in (*parts, top, best, left, right)],
        )  # fmt: skip
        size, form = g.split(h)
        one = g.have(f"T(uZ) @ Z1 @ vZ = {TOP}*I(1)", lambda g: g.nc(rw=[best, left, right]))
        value = g.have(f"tr(T(uZ) @ Z1 @ vZ) = {TOP}", lambda g: (g.rewrite(one), g.field()))
        order = g.fact("sv_range", "y", "x", "Z")
        g.split(g.apply(order, 2, 2))
        g.have(f"0 <= {GAMMA}")
        g.rewrite(size)
        g.rewrite(form)
        g.rewrite(value)
        g.conj(
            lambda g: g.pos([TOP, f"@{below}"], [TOP, GAMMA]),
            lambda g: g.pos([TOP, f"@{above}"]),
            lambda g: g.pos([TOP, f"@{below}"]),
        )

    g.conj(using(rank), each)


@holds(
    "eftekhari2022.assertion-n-alpha-positive-correlation",
    f"{POINT} all w:R. {GAMMA} <= w => w < 1 => {LARGE} => {ALIGNED} => 0 < tr(T(s*(u @ T(v))) @ Z1)",
    argument="sound",
    reading=f"W = s u v^T; {READING}",
    context=CONTEXT,
)
def members_are_positively_correlated(g: Goal) -> None:
    """<W, Z_1> = s u^T Z_1 v > s alpha s_Z >= 0."""
    names = g.intro(split=False)
    order = g.fact("sv_range", "y", "x", "Z")
    g.split(g.apply(order, 2, 2))
    g.have(f"0 <= {GAMMA}")
    g.have("0 <= w")
    value = g.have(f"tr(T(s*(u @ T(v))) @ Z1) = s*{C}", lambda g: g.field())
    g.pos(["s", f"@{names[-1]}"], ["s", "w", TOP], eqs=[(value, 1)])


@holds(
    "eftekhari2022.assertion-residual-terms-vanish",
    f"""all m N:Z. 1 <= m => 2 <= N => {POINT} Z = Z1 => {SECOND} = 0 and {GAMMA} = 0 and
       sqrt(2)*m*N*s^{POWER}*{GAMMA}*sqrt({T1})*{T2} = 0 and 2*m*s^{POWER}*{SECOND}*{T2} = 0""",
    argument="sound",
    reading="Z of rank one is Z = Z_1; the terms are the third and the fourth of (35), at W_t = s u v^T for a fixed time; from which part of Z "
    "a term originates is its description, and its sign is the subject of the assertion on the signs",
    context=f"{CONTEXT}; N >= 2 and m >= 1 [Assumption 14]",
    uses=["eftekhari2022.eq-32", "eftekhari2022.lemma-11"],
)
def residual_terms_vanish_at_rank_one(g: Goal) -> None:
    """A matrix of rank one has no second singular value."""
    names = g.intro(split=False)
    top, _, left, right, _, _, best = names[2:9]
    same = names[12]
    rank = g.lemma(
        "eftekhari2022.eq-32",
        "part:thin-has-rank-one",
        "x",
        "y",
        TOP,
        "uZ",
        "vZ",
        "Z1",
        by=[using(h) for h in (top, best, left, right)],
    )
    nonempty(g, "x", "vZ", unit_trace(g, right, "vZ"))
    nonempty(g, "y", "uZ", unit_trace(g, left, "uZ"))
    beyond, _ = g.split(g.lemma("eftekhari2022.lemma-11", "part:rank-by-singular-values", "x", "y", "Z1"))
    none = g.apply(beyond, 2, by=[None, lambda g: (g.rewrite(rank), g.auto())])
    back = g.have("Z1 = Z", lambda g: g.nc((same, -1, None, None)))
    none = g.rewritten(none, back)
    g.conj(
        using(none),
        lambda g: g.field((none, f"1/{TOP}")),
        lambda g: g.field((none, f"sqrt(2)*m*N*s^{POWER}*sqrt({T1})*{T2}/{TOP}")),
        lambda g: g.field((none, f"2*m*s^{POWER}*{T2}")),
    )


TERMS = [
    f"-(2*m*N*s^{POWER}*{T1})",
    f"-(2*m*s^{POWER}*{C}*{T2})",
    f"sqrt(2)*m*N*s^{POWER}*{GAMMA}*sqrt({T1})*{T2}",
    f"2*m*s^{POWER}*{SECOND}*{T2}",
]
SIGNS = f"{TERMS[0]} <= 0 and {TERMS[1]} <= 0 and 0 <= {TERMS[2]} and 0 <= {TERMS[3]}"
DEPTH = "all m N:Z. 1 <= m => 2 <= N =>"


@refuted(
    "eftekhari2022.assertion-sign-of-terms",
    f"{DEPTH} {POINT} {SIGNS}",
    reason="the second term is positive where u^T Z_1 v is negative, which Lemma 18 admits: one dimension, Z = 1, W = -1",
    context=f"{CONTEXT}; N >= 2 and m >= 1 [Assumption 14]",
    uses=["eftekhari2022.eq-32", "eftekhari2022.lemma-11"],
)
def second_term_may_be_positive(g: Goal) -> None:
    """u = 1, v = -1."""
    values = one_dimension(g)
    g.witness("1", "2")

    def inner(g: Goal) -> None:
        g.witness("1", "1", ONE, ONE, ONE, ONE, ONE, "[[-1]]", "1")
        nested(g, *[numeric(values) for _ in range(10)], last)

    def last(g: Goal) -> None:
        g.left_or_right(1)
        form = g.have(f"tr(T({ONE}) @ {ONE} @ [[-1]]) = -1", lambda g: g.field())
        g.rewrite(form)
        g.rewrite(values[0])
        left = g.concl[2]
        h = g.have(("=", left, 4), lambda g: g.field())
        g.rewrite(h)
        g.auto()

    nested(g, None, None, inner)


def angles(g: Goal, names: list[str]) -> str:
    """Adds 0 <= s_Z - u^T Z_1 v and what the signs need."""
    form, a, b, *_ = numbers(g, names[2:12])
    upper, _ = form_bounds(g, form, a, b)
    order = g.fact("sv_range", "y", "x", "Z")
    g.split(g.apply(order, 2, 2))
    g.have(f"0 <= {GAMMA}")
    g.have("0 < m")
    g.have("0 < N")
    g.have(f"0 <= {T1}")
    g.by_fact("sqrt_nonneg", T1)
    g.by_fact("sqrt_nonneg", "2")
    return g.have(f"0 <= {T2}", lambda g: g.pos([f"@{upper}"]))


@amendment(
    "eftekhari2022.assertion-sign-of-terms",
    f"{DEPTH} {POINT} {TERMS[0]} <= 0 and (0 <= {C} => {TERMS[1]} <= 0) and (not 0 <= {C} => 0 <= {TERMS[1]}) and 0 <= {TERMS[2]} and 0 <= {TERMS[3]}",
    says="the second term has the opposite sign of u^T Z_1 v; the others are as stated",
    uses=["eftekhari2022.eq-169-identity"],
)
def signs_of_the_terms(g: Goal) -> None:
    """s_Z - u^T Z_1 v is not negative."""
    names = g.intro(split=False)
    angle = angles(g, names)
    scale = f"s^{POWER}"

    def down(g: Goal) -> None:
        h = g.assume()
        g.pos(["2", "m", scale, f"@{h}", f"@{angle}"])

    def up(g: Goal) -> None:
        h = g.assume()
        total = g.fact("total", 0, C)

        def contradiction(g: Goal) -> None:
            g.clash(next(reversed(g.seq.hyps)), h)

        g.cases(total, contradiction, lambda g: g.pos(["2", "m", scale, f"@{next(reversed(g.seq.hyps))}", f"@{angle}"]))

    g.conj(
        lambda g: g.pos(["2", "m", "N", scale, T1]),
        down,
        up,
        lambda g: g.pos(["sqrt(2)", "m", "N", scale, GAMMA, f"sqrt({T1})", f"@{angle}"]),
        lambda g: g.pos(["2", "m", scale, SECOND, f"@{angle}"]),
    )


@holds(
    "eftekhari2022.assertion-beta-controls-positive-terms",
    f"""{DEPTH} {POINT} all b:R. 1 < b => {SMALL} => {TERMS[2]} + {TERMS[3]} <=
       m*N*(b*{TOP})^{POWER}*{GAMMA}*sqrt(2)*sqrt({T1})*{T2} + 2*m*(b*{TOP})^{POWER}*{SECOND}*{T2}""",
    argument="sound",
    reading=READING,
    context=CONTEXT,
    uses=["eftekhari2022.eq-169-identity"],
)
def upper_bound_controls_the_positive_terms(g: Goal) -> None:
    """s^(2-2/N) increases in s."""
    names = g.intro(split=False)
    angle = angles(g, names)
    one = g.have("1 <= N")
    g.have(f"0 <= {POWER}", lambda g: g.pos(["2", f"@{one}"], mul=["N"]))
    above = g.by_fact("pow_base_mono", "s", f"b*{TOP}", POWER)
    g.pos(
        [f"@{above}", "sqrt(2)", "m", "N", GAMMA, f"sqrt({T1})", f"@{angle}"],
        [f"@{above}", "2", "m", SECOND, f"@{angle}"],
    )


@refuted(
    "eftekhari2022.assertion-n-alpha-away-from-zero",
    f"""{STATIC} all w:R. {GAMMA} <= w => w < 1 => ex c:R. 0 < c and all s:R, u:V(y), v:V(x). 0 < s => T(u) @ u = I(1) => T(v) @ v = I(1) =>
       {LARGE} => {ALIGNED} => c <= s""",
    reason="for alpha = gamma_Z, which is admitted just before (28), the set contains every positive multiple of Z_1: one dimension, Z = 1, alpha = 0",
    reading=f"the norm of a member W = s u v^T is s; {READING}",
    context=CONTEXT,
    uses=["eftekhari2022.eq-32", "eftekhari2022.lemma-11"],
)
def stable_set_reaches_the_origin(g: Goal) -> None:
    """W = c/2 for each bound c."""
    values = one_dimension(g)
    g.witness("1", "1", ONE, ONE, ONE, ONE)

    def gamma(g: Goal) -> None:
        for h in values:
            g.rewrite(h)
        g.auto()

    def each(g: Goal) -> None:
        g.fix("c")
        positive = g.have("0 < c or c <= 0", lambda g: g.cases(g.fact("total", "c", 0), None, lambda g: split_sign(g)))

        def small(g: Goal) -> None:
            g.left_or_right(1)
            g.witness("c/2", ONE, ONE)

            def low(g: Goal) -> None:
                for h in values:
                    g.rewrite(h)
                g.auto()

            def form(g: Goal) -> None:
                k = g.have(f"tr(T({ONE}) @ {ONE} @ {ONE}) = 1", lambda g: g.field())
                g.rewrite(k)
                g.rewrite(values[0])
                g.auto()

            nested(g, None, numeric(values), numeric(values), low, form, None)

        g.cases(positive, small, lambda g: g.left_or_right(0) or g.auto())

    def start(g: Goal) -> None:
        g.witness("0")
        nested(g, gamma, None, each)

    nested(g, *[numeric(values) for _ in range(7)], start)


def split_sign(g: Goal) -> None:
    """0 < c or c <= 0 from 0 <= c."""
    h = next(reversed(g.seq.hyps))
    g.cases(
        g.by_fact("lt_or_eq", 0, "c", by=[using(h)]),
        lambda g: g.left_or_right(0) or g.auto(),
        lambda g: g.left_or_right(1) or g.auto(),
    )


@amendment(
    "eftekhari2022.assertion-n-alpha-away-from-zero",
    f"""{STATIC} all w:R. {GAMMA} < w => w < 1 => ex c:R. 0 < c and all s:R, u:V(y), v:V(x). 0 < s => T(u) @ u = I(1) => T(v) @ v = I(1) =>
       {LARGE} => {ALIGNED} => c <= s""",
    says="for alpha > gamma_Z, with the bound (alpha - gamma_Z) s_Z",
)
def stable_set_is_away_from_the_origin(g: Goal) -> None:
    """By definition."""
    names = g.intro(split=False)
    g.witness(f"(w - {GAMMA})*{TOP}")
    g.conj(lambda g: g.pos([f"@{names[-2]}", TOP]), None)
