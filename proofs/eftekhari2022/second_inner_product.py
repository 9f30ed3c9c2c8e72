"""Equations (183), (184), (188): the second inner product of (172), printed for W - Z in place of W - Z_1."""

from __future__ import annotations

from proofs.eftekhari2022.alignment_rate import REST
from proofs.eftekhari2022.deflation import size
from proofs.eftekhari2022.loss_derivative import OWN, POINT_CONTEXT, ROOTS_AT, operator_value, static_pairing
from proofs.eftekhari2022.rank_one_flow import POWER, ROOTS_READING
from proofs.eftekhari2022.rank_one_numbers import BASES, POINT, SECOND, TOP, A, B, C, Q, W, numbers, product_bounds
from proofs.eftekhari2022.residual_bounds import RA, RB, cosine_sizes, residual_root
from proofs.eftekhari2022.theorem_twenty import closed, nested
from proofs.razin2020.scripts import only, using
from proofs.varre2023.mirror_flow import scalar_matrix
from verify.kernel import Goal
from verify.kernel.tactics import ProofError, Script
from verify.kernel.terms import sort_of
from verify.registry import amendment, part, refuted

SCALE = f"s^{POWER}"
ROW1, ROW2 = "(T(u) @ Z1 @ V)", f"(T(u) @ {REST} @ V)"
COLUMN1, COLUMN2 = "(T(U) @ Z1 @ v)", f"(T(U) @ {REST} @ v)"
SETTING = f"{POINT} {BASES} {ROOTS_AT}"
GAP = f"({W} - Z)"


def closed_form(left: str) -> str:
    """(183) with W - Z or W - Z_1 on the left."""
    return f"""{static_pairing(left, REST)} = N*{SCALE}*(s - {C})*{Q} - {SCALE}*tr(T{ROW1} @ {ROW2}) - {SCALE}*tr(T{COLUMN1} @ {COLUMN2})"""


def norms(left: str) -> str:
    """(184)."""
    return f"""abs({static_pairing(left, REST)}) <= N*{SCALE}*abs(s - {C})*abs({Q}) + {SCALE}*sqrt({size(ROW1)})*sqrt({size(ROW2)}) +
       {SCALE}*sqrt({size(COLUMN1)})*sqrt({size(COLUMN2)})"""


def final(left: str, cosines: str) -> str:
    """(188)."""
    first = f"N*{SCALE}*{SECOND}*abs(s - {C})*(1 - {A}*{B})"
    middle = f"{first} + {SCALE}*{TOP}*{SECOND}*({cosines})*{RA}*{RB}"
    return f"abs({static_pairing(left, REST)}) <= {middle} and {middle} <= {first} + 2*{SCALE}*{TOP}*{SECOND}*(1 - {A}*{B})"


@part(
    "eftekhari2022.eq-183",
    "value",
    f"{POINT} {ROOTS_AT} {static_pairing(OWN, REST)} = {SCALE}*(N*(s - {C})*{Q} + 2*{C}*{Q})",
    says="the second inner product of (172) in numbers",
    uses=["eftekhari2022.eq-139", "eftekhari2022.eq-169-identity"],
)
def second_inner_product_in_numbers(g: Goal) -> None:
    """u^T R (W - Z_1)^T u = s q as R v_Z = 0, and u^T R v = q."""
    names = g.intro(split=False)
    left, right, image, back, best = names[2:7]
    uu, vv = names[8:10]
    form = numbers(g, names[:10])[0]
    value = operator_value(g, names, REST)
    au, bv = scalar_matrix(g, "(T(uZ) @ u)"), scalar_matrix(g, "(T(vZ) @ v)")
    one = scalar_matrix(g, f"(T(u) @ {REST} @ v)")
    c = f"({TOP}*({A}*{B}))"
    both = g.have(f"T(u) @ Z @ v = ({c} + {Q})*I(1)", lambda g: g.nc((one, 1, None, None), (best, 1, "T(u)", "v"), rw=[au, bv]))
    rules = [best, left, right, uu, vv, au, bv, both, image, back]

    def trace(word: str, number: str) -> str:
        h = g.have(f"{word} = ({number})*I(1)", lambda g: g.nc(rw=rules))
        return g.have(f"tr({word}) = {number}", lambda g: (g.rewrite(h), g.field()))

    first = trace(f"T(u) @ {REST} @ T({OWN}) @ u", f"s*{Q}")
    second = trace(f"T(v) @ T({OWN}) @ {REST} @ v", f"s*{Q}")
    third = trace(f"T(u) @ {REST} @ v @ T(v) @ T({OWN}) @ u", f"{Q}*(s - {c})")
    total = f"u @ T(u) @ {REST} + {REST} @ v @ T(v) + (N-2)*(u @ T(u) @ {REST} @ v @ T(v))"

    def expanded(g: Goal) -> None:
        d = g.obtain(
            g.have(f"ex D_:M(y,x), R_:M(y,x). D_ = {OWN} and R_ = {REST}", lambda g: (g.witness(OWN, REST), g.auto())), "D_", "R_"
        )
        letters = [
            g.have(f"{t} = {x}", lambda g, h=h: g.nc((h, -1, None, None))) for t, x, h in ((OWN, "D_", d[0]), (REST, "R_", d[1]))
        ]
        for h in letters:
            g.rewrite(h)
        g.field()

    whole = g.have(
        f"tr(T({OWN}) @ ({total})) = tr(T(u) @ {REST} @ T({OWN}) @ u) + tr(T(v) @ T({OWN}) @ {REST} @ v) + "
        f"(N-2)*tr(T(u) @ {REST} @ v @ T(v) @ T({OWN}) @ u)",
        expanded,
    )
    g.rewrite(value)
    g.field(
        (whole, SCALE), (first, SCALE), (second, SCALE), (third, f"{SCALE}*(N-2)"), (form, f"{SCALE}*{Q}*(N - 2)"),
    )  # fmt: skip


def pairing_value(g: Goal, names: list[str]) -> str:
    """Adds the value of <W - Z_1, A_W(Z - Z_1)>."""
    h = g.lemma(
        "eftekhari2022.eq-183", "part:value", *("x", "y", "Z", "Z1", "uZ", "u", "vZ", "v", "s"), by=[using(k) for k in names[:10]]
    )
    return g.apply(h, "N", "S", "H", by=[using(k) for k in names[-5:]])


def side_products(g: Goal, names: list[str]) -> tuple[str, str]:
    """Adds <u^T Z_1 V, u^T R V> = -c q and <U^T Z_1 v, U^T R v> = -c q."""
    left, right, image, back, best = names[2:7]
    uu, vv = names[8:10]
    _, uc, _, vc = names[10:14]
    form = numbers(g, names[:10])[0]
    au, bv = scalar_matrix(g, "(T(uZ) @ u)"), scalar_matrix(g, "(T(vZ) @ v)")
    one = scalar_matrix(g, f"(T(u) @ {REST} @ v)")
    c = f"({TOP}*({A}*{B}))"
    both = g.have(f"T(u) @ Z @ v = ({c} + {Q})*I(1)", lambda g: g.nc((one, 1, None, None), (best, 1, "T(u)", "v"), rw=[au, bv]))
    rules = [best, left, right, uu, vv, au, bv, both, image, back]

    def product(word: str, complement: str, before: str, after: str, whole: str) -> str:
        h = g.have(f"{word} = (-({c}*{Q}))*I(1)", lambda g: g.nc((complement, 1, before, after), rw=rules))
        k = g.have(f"tr({word}) = -({c}*{Q})", lambda g: (g.rewrite(h), g.field()))
        return g.have(f"{whole} = -({C}*{Q})", lambda g: g.field((k, 1), (form, Q)))

    row = product(f"T(u) @ Z1 @ (V @ T(V)) @ T({REST}) @ u", vc, "T(u) @ Z1", f"T({REST}) @ u", f"tr(T{ROW1} @ {ROW2})")
    column = product(f"T(v) @ T(Z1) @ (U @ T(U)) @ {REST} @ v", uc, "T(v) @ T(Z1)", f"{REST} @ v", f"tr(T{COLUMN1} @ {COLUMN2})")
    return row, column


@amendment(
    "eftekhari2022.eq-183",
    f"{SETTING} {closed_form(OWN)}",
    says="with W - Z_1 in place of W - Z",
    uses=["eftekhari2022.eq-183", "eftekhari2022.eq-169-identity"],
)
def second_inner_product(g: Goal) -> None:
    """Both side products are -c q."""
    names = g.intro(split=False)
    value = pairing_value(g, names)
    row, column = side_products(g, names)
    g.field((value, 1), (row, SCALE), (column, SCALE))


@amendment(
    "eftekhari2022.eq-184",
    f"{SETTING} {norms(OWN)}",
    says="with W - Z_1 in place of W - Z",
    uses=["eftekhari2022.eq-183", "eftekhari2022.eq-142"],
)
def second_inner_product_by_norms(g: Goal) -> None:
    """The triangle inequality and Cauchy-Schwarz."""
    names = g.intro(split=False)
    h = g.lemma(
        "eftekhari2022.eq-183", "amendment", *("x", "y", "Z", "Z1", "uZ", "u", "vZ", "v", "s"), by=[using(k) for k in names[:10]]
    )
    h = g.apply(h, "U", "V", by=[using(k) for k in names[10:14]])
    value = g.apply(h, "N", "S", "H", by=[using(k) for k in names[-5:]])
    depth = names[-5]
    roots = []
    for x, y, rows, cols in ((ROW1, ROW2, "1", "x-1"), (COLUMN1, COLUMN2, "y-1", "1")):
        cauchy = g.fact("frobenius_cauchy", rows, cols, x, y)
        bound = g.lemma(
            "eftekhari2022.eq-142", "part:root-bound", f"tr(T{x} @ {y})", size(x), size(y), by=[None, None, using(cauchy)]
        )
        forward, _ = g.split(g.fact("abs_le", f"tr(T{x} @ {y})", f"sqrt({size(x)})*sqrt({size(y)})"))
        roots.append(g.split(g.apply(forward, by=[using(bound)])))
    z = f"((s - {C})*{Q})"
    product = g.fact("abs_product", f"s - {C}", Q)
    forward, _ = g.split(g.fact("abs_le", z, f"abs({z})"))
    low, high = g.split(g.apply(forward, by=[lambda g: g.refl()]))
    top = g.concl[2]
    _, back = g.split(g.fact("abs_le", g.concl[1][1], top))
    g.have("0 <= N", lambda g: g.pos([f"@{depth}"], ["2"]))
    keep = [value, product, low, high, *roots[0], *roots[1], names[7], depth]
    scale = SCALE

    def below(g: Goal) -> None:
        only(g, *keep)
        g.have("0 <= N", lambda g: g.pos([f"@{depth}"], ["2"]))
        g.pos(
            ["N", scale, f"@{low}"],
            [scale, f"@{roots[0][1]}"],
            [scale, f"@{roots[1][1]}"],
            eqs=[(value, 1), (product, f"-N*{scale}")],
        )

    def above(g: Goal) -> None:
        only(g, *keep)
        g.have("0 <= N", lambda g: g.pos([f"@{depth}"], ["2"]))
        g.pos(
            ["N", scale, f"@{high}"],
            [scale, f"@{roots[0][0]}"],
            [scale, f"@{roots[1][0]}"],
            eqs=[(value, -1), (product, f"-N*{scale}")],
        )

    g.close_by(g.apply(back, by=[lambda g: g.conj(below, above)]))


@amendment(
    "eftekhari2022.eq-188",
    f"{POINT} {ROOTS_AT} {final(OWN, f'abs({A}) + abs({B})')}",
    says="with W - Z_1 in place of W - Z, and |a_t| + |b_t| in place of a_t + b_t",
    uses=["eftekhari2022.eq-183", "eftekhari2022.eq-142", "eftekhari2022.eq-151", "eftekhari2022.eq-169-identity"],
)
def bounds_of_the_second_inner_product(g: Goal) -> None:
    """|q| <= s_2 (1 - a b), |q| <= s_2 sqrt((1 - a^2)(1 - b^2)) and 2 |a b| <= |a| + |b|."""
    names = g.intro(split=False)
    value = pairing_value(g, names)
    depth = names[-5]
    form, a, b, square, low, high, *_ = numbers(g, names[:10])
    first, second = cosine_sizes(g, a, b)
    root = residual_root(g, a, b, square)
    less, _ = product_bounds(g, a, b)
    order = g.fact("sv_range", "y", "x", "Z")
    nonneg, _ = g.split(g.apply(order, 2, 2))
    p, q, r, x = f"abs({A})", f"abs({B})", f"abs({Q})", f"abs(s - {C})"
    _, back = g.split(g.fact("abs_le", Q, f"{SECOND}*(1 - {A}*{B})"))
    cap = g.apply(back, by=[lambda g: g.conj(lambda g: g.pos([f"@{low}"]), using(high))])
    signs = [g.have(f"0 <= {t}") for t in (p, q, r, x)]
    one, two = f"((s - {C})*{Q})", f"({A}*({B}*{Q}))"
    products = [
        g.fact("abs_product", f"s - {C}", Q), g.fact("abs_product", A, f"{B}*{Q}"), g.fact("abs_product", B, Q),
    ]  # fmt: skip
    pairs = []
    for z in (one, two):
        forward, _ = g.split(g.fact("abs_le", z, f"abs({z})"))
        pairs.append(g.split(g.apply(forward, by=[lambda g: g.refl()])))
    whole = g.have(f"abs({two}) = {p}*({q}*{r})", lambda g: g.field((products[1], 1), (products[2], p)))
    flat = g.have(f"{C}*{Q} = {TOP}*{two}", lambda g: g.field((form, Q)))
    ra, rb = f"0 <= {RA}", f"0 <= {RB}"
    roots = [g.have(f, lambda g: g.auto()) for f in (ra, rb)]
    positive = names[0]
    keep = [
        value,
        depth,
        root,
        cap,
        first,
        second,
        less,
        nonneg,
        products[0],
        whole,
        flat,
        *signs,
        *roots,
        *pairs[0],
        *pairs[1],
        positive,
        names[7],
    ]
    bound = f"N*{SCALE}*{SECOND}*{x}*(1 - {A}*{B}) + {SCALE}*{TOP}*{SECOND}*({p} + {q})*{RA}*{RB}"
    pairing = static_pairing(OWN, REST)

    def side(sign: int) -> list[list[str]]:
        """The terms of the two bounds."""
        which = 0 if sign > 0 else 1
        return [
            ["N", SCALE, f"@{pairs[0][which]}"],
            ["N", SCALE, x, f"@{cap}"],
            ["2", SCALE, TOP, f"@{pairs[1][which]}"],
            ["2", SCALE, TOP, p, q, f"@{root}"],
            [SCALE, TOP, SECOND, RA, RB, p, f"@{second}"],
            [SCALE, TOP, SECOND, RA, RB, q, f"@{first}"],
        ]

    def closing(sign: int) -> Script:
        def script(g: Goal) -> None:
            only(g, *keep)
            g.have("0 <= N", lambda g: g.pos([f"@{depth}"], ["2"]))
            g.pos(
                *side(sign),
                eqs=[(value, sign), (flat, f"{2 * sign}*{SCALE}"), (products[0], f"-N*{SCALE}"), (whole, f"-2*{SCALE}*{TOP}")],
            )

        return script

    lower, upper = g.have(f"-({bound}) <= {pairing}", closing(1)), g.have(f"{pairing} <= {bound}", closing(-1))
    _, back = g.split(g.fact("abs_le", pairing, bound))

    def outer(g: Goal) -> None:
        only(g, first, second, a, b, nonneg, *signs, *roots, positive, names[7])
        for t, k in ((A, a), (B, b)):
            g.have(f"0 <= 1 - {t}^2", lambda g, k=k: g.pos([f"@{k}"]))
        h = g.lemma("eftekhari2022.eq-151", "statement", A, B, by=[using(first), using(second)])
        same, grown, last = g.split(h)
        squares = [g.by_fact("sqrt_sq", f"1 - {t}^2") for t in (A, B)]
        both = g.by_fact(
            "sqrt_unique", f"(1 - {A}^2)*(1 - {B}^2)", f"{RA}*{RB}",
            by=[None, lambda g: g.field((squares[0], f"{RB}^2"), (squares[1], f"1 - {A}^2"))],
        )  # fmt: skip
        short = g.have(f"{RA}*{RB} <= 1 - {A}*{B}", lambda g: g.pos([f"@{grown}"], eqs=[(both, 1), (same, -1), (last, -1)]))
        only(g, short, first, second, nonneg, *signs, *roots, positive, names[7])
        c = [SCALE, TOP, SECOND]
        g.pos([*c, "2", f"@{short}"], [*c, RA, RB, f"@{first}"], [*c, RA, RB, f"@{second}"])

    g.conj(lambda g: g.close_by(g.apply(back, by=[lambda g: g.conj(lambda g: g.pos([f"@{lower}"]), using(upper))])), outer)


LEFT, RIGHT, BASE = "[[1],[0]]", "[[3/5],[4/5]]", "[[1,0],[0,1/2]]"
TARGET = "[[1,0],[0,0]]"
DATA = "two dimensions, Z = diag(1, 1/2), u = (3/5, 4/5), v = (1, 0), s = 3/5, N = 2 give -12/125"


def two_dimensions(g: Goal) -> tuple[str, str]:
    """Adds the singular values 1 and 1/2 of diag(1, 1/2)."""
    product, total = g.split(g.fact("sv_2x2", BASE))
    one, two = f"sv({BASE},1)", f"sv({BASE},2)"
    order = g.fact("sv_range", 2, 2, BASE)
    first, _ = g.split(g.apply(order, 1, 1))
    second, _ = g.split(g.apply(order, 2, 2))
    _, sorted_ = g.split(g.apply(order, 1, 2))
    below = g.apply(sorted_)
    det = g.have(f"det({BASE}) = 1/2", lambda g: g.field())
    size_ = g.have(f"tr(T({BASE}) @ {BASE}) = 5/4", lambda g: g.field())
    product, total = g.rewritten(product, det), g.rewritten(total, size_)
    value = g.have("abs(1/2) = 1/2", lambda g: g.field())
    product = g.rewritten(product, value)
    sum_ = g.have(f"({one} + {two} - 3/2)*({one} + {two} + 3/2) = 0", lambda g: g.field((total, 1), (product, 2)))
    difference = g.have(f"({one} - {two} - 1/2)*({one} - {two} + 1/2) = 0", lambda g: g.field((total, 1), (product, -2)))

    def root(h: str, left: str, right: str, impossible: list[str]) -> str:
        either = g.apply(g.fact("product_zero", left, right), by=[using(h)])

        def wrong(g: Goal) -> None:
            eq = next(reversed(g.seq.hyps))
            g.contra()
            g.pos(["1/2"], *[[f"@{k}"] for k in impossible], eqs=[(eq, -1)]) if len(impossible) == 1 else g.pos(
                ["3/2"], *[[f"@{k}"] for k in impossible], eqs=[(eq, -1)]
            )

        return g.have(f"{left} = 0", lambda g: g.cases(either, lambda g: g.close_by(next(reversed(g.seq.hyps))), wrong))

    plus = root(sum_, f"{one} + {two} - 3/2", f"{one} + {two} + 3/2", [first, second])
    minus = root(difference, f"{one} - {two} - 1/2", f"{one} - {two} + 1/2", [below])
    return (
        g.have(f"{one} = 1", lambda g: g.field((plus, "1/2"), (minus, "1/2"))),
        g.have(f"{two} = 1/2", lambda g: g.field((plus, "1/2"), (minus, "-1/2"))),
    )


def counterexample(g: Goal, bases: bool, end: Script) -> None:
    """The data as a witness of the negated statement; `end` gets the goal with the value of the inner product."""
    values = two_dimensions(g)
    g.witness("2", "2", BASE, TARGET, LEFT, RIGHT, LEFT, LEFT, "3/5")

    def put(g: Goal) -> None:
        for h in values:
            try:
                g.rewrite(h)
            except ProofError:
                continue
        if g.concl[0] == "=" and not isinstance(sort_of(g.concl[1], g.seq.ctx), str):
            closed(g)
        else:
            g.auto()

    def frames(g: Goal) -> None:
        g.witness("[[-4/5],[3/5]]", "[[0],[1]]")
        nested(g, *[lambda g: g.ext(lambda g: g.field()) for _ in range(4)], roots)

    def roots(g: Goal) -> None:
        left, right = f"(3/5)*({RIGHT} @ T({RIGHT}))", f"(3/5)*({LEFT} @ T({LEFT}))"
        g.witness("2", left, right)
        nested(
            g,
            None,
            semidefinite(RIGHT),
            power(RIGHT),
            semidefinite(LEFT),
            power(LEFT),
            lambda g: valued(g, values, left, right, end),
        )

    nested(g, *[put] * 10, frames if bases else roots)


def semidefinite(vector: str) -> Script:
    """3/5 u u^T is symmetric and positive semidefinite."""

    def nonneg(g: Goal) -> None:
        g.fix("w")
        g.pos(["3/5", f"tr(T(T({vector}) @ w) @ (T({vector}) @ w))"])

    return lambda g: g.conj(lambda g: g.nc(), nonneg)


def power(vector: str) -> Script:
    """The square of 3/5 u u^T."""

    def script(g: Goal) -> None:
        root = f"((3/5)*({vector} @ T({vector})))"
        g.replace(f"{root}^2", f"{root} @ {root}", lambda g: g.nc())
        g.ext(lambda g: g.field())

    return script


def valued(g: Goal, values: tuple[str, str], left: str, right: str, end: Script) -> None:
    """Puts in the operator at s u v^T and the singular values."""
    value = g.lemma(
        "eftekhari2022.eq-139", "part:operator", 2, 2, 2, "3/5", RIGHT, LEFT, f"({BASE} - {TARGET})", left, right,
        by=[None, None, closed, closed, semidefinite(RIGHT), power(RIGHT), semidefinite(LEFT), power(LEFT)],
    )  # fmt: skip
    g.rewrite(value)
    for h in values:
        if str(g.hyp_formula(h)[1]) in str(g.concl):
            g.rewrite(h)
    end(g)


@refuted(
    "eftekhari2022.eq-183", f"{SETTING} {closed_form(GAP)}",
    reason=f"with W - Z the left side has a further term -<Z_1+, A_W(Z_1+)>: {DATA} and 0",
    reading=ROOTS_READING, context=POINT_CONTEXT, uses=["eftekhari2022.eq-139"],
)  # fmt: skip
def printed_inner_product_differs(g: Goal) -> None:
    """The right side is 0 for v = v_Z."""

    def end(g: Goal) -> None:
        a = g.have(("=", g.concl[1], ("q", -12, 125)), lambda g: g.field())
        b = g.have(("=", g.concl[2], 0), lambda g: g.field())
        g.rewrite(a)
        g.rewrite(b)
        g.auto()

    counterexample(g, True, end)


def put(g: Goal, values: dict[str, str]) -> None:
    """Replaces traces of literal matrices by their values."""
    for word, number in values.items():
        h = g.have(f"{word} = {number}", lambda g: g.field())
        g.rewrite(h)


def too_large(g: Goal) -> None:
    """The absolute value on the right is 12/125."""
    inner = g.have(("=", g.concl[2][1], ("q", -12, 125)), lambda g: g.field())
    g.rewrite(inner)
    value = g.have(("=", g.concl[2], ("q", 12, 125)), lambda g: g.field())
    g.rewrite(value)
    zero = g.have(("=", g.concl[1], 0), lambda g: g.field())
    g.rewrite(zero)
    g.auto()


FORMS = {f"tr(T({RIGHT}) @ {TARGET} @ {LEFT})": "3/5"}
U, V = "[[-4/5],[3/5]]", "[[0],[1]]"


@refuted(
    "eftekhari2022.eq-184",
    f"{SETTING} {norms(GAP)}",
    reason=f"with W - Z the left side has a further term -<Z_1+, A_W(Z_1+)>: {DATA}, and the bound 0",
    reading=ROOTS_READING,
    context=POINT_CONTEXT,
    uses=["eftekhari2022.eq-139"],
)
def printed_bound_by_norms_fails(g: Goal) -> None:
    """The right side is 0 for v = v_Z."""

    def end(g: Goal) -> None:
        rest = f"({BASE} - {TARGET})"
        put(
            g,
            {
                **FORMS,
                f"tr(T({RIGHT}) @ {rest} @ {LEFT})": "0",
                size(f"(T({RIGHT}) @ {TARGET} @ {V})"): "0",
                size(f"(T({U}) @ {rest} @ {LEFT})"): "0",
            },
        )
        flat = g.by_fact("sqrt_unique", "0", "0")
        g.rewrite(flat)
        put(g, {"abs(3/5 + (-1)*(3/5))": "0", "abs(0)": "0"})
        too_large(g)

    counterexample(g, True, end)


@refuted(
    "eftekhari2022.eq-188",
    f"{POINT} {ROOTS_AT} {final(GAP, f'{A} + {B}')}",
    reason=f"with W - Z the left side has a further term -<Z_1+, A_W(Z_1+)>: {DATA}, and the bound 0",
    reading=ROOTS_READING,
    context=POINT_CONTEXT,
    uses=["eftekhari2022.eq-139"],
)
def printed_final_bound_fails(g: Goal) -> None:
    """The second member is 0 for b = 1 and s = c."""

    def end(g: Goal) -> None:
        g.left_or_right(0)
        put(g, {**FORMS, f"tr(T({LEFT}) @ {RIGHT})": "3/5", f"tr(T({LEFT}) @ {LEFT})": "1"})
        flat = g.by_fact("sqrt_unique", "1 - 1^2", "0")
        g.rewrite(flat)
        put(g, {"abs(3/5 + (-1)*(3/5))": "0"})
        too_large(g)

    counterexample(g, False, end)
