"""The scalar formulas of the proof of Lemma C.7: alpha and beta for k = 1."""

from __future__ import annotations

from proofs.varre2023.alpha import GRAM
from proofs.varre2023.flows import ALPHA, BETA, PROJECTED_ONE
from proofs.varre2023.mirror_flow import one_setting, scalar_matrix
from proofs.varre2023.scalar_potential import square
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import holds

N = "tr(T(a) @ a)"


@holds(
    "varre2023.step-c-7-sherman-morrison",
    f"all p:Z, a:V(p). sqrt({N}) != 1 => det(I(p) - a @ T(a)) != 0 and inv(I(p) - a @ T(a)) = I(p) + (1/(1 - {N}))*(a @ T(a))",
    argument="sound",
)
def sherman_morrison(g: Goal) -> None:
    """The product of the two matrices is the identity."""
    g.intro()
    g.have(f"0 <= {N}")
    one = scalar_matrix(g, "(T(a) @ a)")

    def gap(g: Goal) -> None:
        eq = g.contra()
        root = g.by_fact("sqrt_unique", N, 1, by=[None, lambda g: g.field((eq, 1))])
        g.clash(root, "h1")

    g.have(f"1 - {N} != 0", gap)
    g.have(f"(I(p) - a @ T(a)) @ (I(p) + (1/(1 - {N}))*(a @ T(a))) = I(p)", lambda g: g.nc((one, f"-1/(1 - {N})", "a", "T(a)")))
    h, _, regular = g.split(g.by_fact("inv_unique", "p", "I(p) - a @ T(a)", f"I(p) + (1/(1 - {N}))*(a @ T(a))"))
    g.conj(lambda g: g.close_by(regular), lambda g: g.close_by(h))


@holds(
    "varre2023.step-c-7-inverse-flow",
    """all p:Z, a:R~>V(p), r:V(p), t:R. sqrt(tr(T(a(t)) @ a(t))) < 1 =>
       (a'(t) = (I(p) - a(t) @ T(a(t))) @ r <=> inv(I(p) - a(t) @ T(a(t))) @ a'(t) = r) and
       (inv(I(p) - a(t) @ T(a(t))) @ a'(t) = r <=> (I(p) + (1/(1 - tr(T(a(t)) @ a(t))))*(a(t) @ T(a(t)))) @ a'(t) = r)""",
    argument="sound",
    uses=["varre2023.step-c-7-sherman-morrison"],
)
def inverse_form(g: Goal) -> None:
    """I - a a^T is invertible, by Sherman-Morrison."""
    g.intro()
    h = g.lemma(
        "varre2023.step-c-7-sherman-morrison",
        "statement",
        "p",
        "a(t)",
        by=[lambda g: (g.contra("same"), g.pos(["@h1"], eqs=[("same", 1)]))],
    )
    regular, formula = g.split(h)
    m = "(I(p) - a(t) @ T(a(t)))"
    left = g.by_fact("inv_left", "p", m, by=[lambda g: g.close_by(regular)])
    right = g.by_fact("inv_right", "p", m, by=[lambda g: g.close_by(regular)])

    def forth(g: Goal) -> None:
        (eq,) = g.intro()
        g.nc((eq, 1, f"inv({m})", None), (left, 1, None, "r"))

    def back(g: Goal) -> None:
        (eq,) = g.intro()
        g.nc((eq, 1, m, None), (right, -1, None, "a'(t)"))

    g.conj(
        lambda g: g.iff(forth, back),
        lambda g: (g.rewrite(formula), g.iff(lambda g: g.close_by(g.intro()[0]), lambda g: g.close_by(g.intro()[0]))),
    )


@holds(
    "varre2023.step-c-7-beta-alpha",
    f"""{PROJECTED_ONE} all t:R. 0 <= t => {square(ALPHA)} < 1 => {BETA} = (2*c)*(inv({GRAM}) @ {ALPHA}) and
       (2*c)*(inv({GRAM}) @ {ALPHA}) = (2*c)*((I(p) + (1/(1 - {square(ALPHA)}))*({ALPHA} @ T({ALPHA}))) @ {ALPHA}) and
       (2*c)*((I(p) + (1/(1 - {square(ALPHA)}))*({ALPHA} @ T({ALPHA}))) @ {ALPHA}) = (2*c/(1 - {square(ALPHA)}))*{ALPHA}""",
    argument="sound",
    uses=["varre2023.lemma-c-2-beta", "varre2023.step-c-7-sherman-morrison"],
    context="|alpha| < 1, stated as the square [step-c-7-integrating-factor]",
)
def beta_of_alpha(g: Goal) -> None:
    """Lemma C.2 and Sherman-Morrison."""
    names = g.intro()
    _, beta = g.split(one_setting(g, "varre2023.lemma-c-2-beta", "statement", names))
    below = names[6]
    one = scalar_matrix(g, f"(T({ALPHA}) @ {ALPHA})")
    gap = g.have(f"0 < 1 - {square(ALPHA)}", lambda g: g.pos([f"@{below}"]))

    def different(g: Goal) -> None:
        eq = g.contra()
        sq = g.by_fact("sqrt_sq", square(ALPHA))
        g.have(f"{square(ALPHA)} = 1", lambda g: (g.rewrite(sq, back=True), g.rewrite(eq), g.field()), name="unit")
        g.pos([f"@{gap}"], eqs=[("unit", 1)])

    g.have(f"0 <= {square(ALPHA)}")
    _, formula = g.split(g.lemma("varre2023.step-c-7-sherman-morrison", "statement", "p", ALPHA, by=[different]))
    g.conj(
        lambda g: g.close_by(beta),
        lambda g: g.nc((formula, "2*c", None, ALPHA)),
        lambda g: g.nc((one, f"2*c/(1 - {square(ALPHA)})", ALPHA, None)),
    )


@holds(
    "varre2023.step-c-7-norm-quadratic",
    f"""{PROJECTED_ONE} all t:R, a b:R. 0 <= t => a = sqrt({square(ALPHA)}) => b = sqrt({square(BETA)}) => a < 1 => 0 < b =>
       b = 2*c*a/(1 - a^2) and (all x y:R. 0 < y => x^2 != 1 => (y = 2*c*x/(1 - x^2) <=> x^2 + 2*c/y*x - 1 = 0))""",
    argument="sound",
    uses=["varre2023.step-c-7-beta-alpha"],
)
def norms_of_alpha_and_beta(g: Goal) -> None:
    """The norm of beta = 2 gamma alpha / (1 - |alpha|^2); clearing denominators."""
    names = g.intro()
    a_is, b_is, below, _positive = names[6:10]
    n = square(ALPHA)
    g.have(f"0 <= {n}")
    root = g.by_fact("sqrt_sq", n)
    a_sq = g.have(f"a^2 = {n}", lambda g: (g.rewrite(a_is), g.close_by(root)))
    g.have("0 <= a", lambda g: (g.rewrite(a_is), g.close_by(g.by_fact("sqrt_nonneg", n))))
    under = g.have(f"{n} < 1", lambda g: (g.rewrite(a_sq, back=True), g.pos([f"@{below}", "1 + a"])))
    chain = g.lemma(
        "varre2023.step-c-7-beta-alpha",
        "statement",
        "n",
        "p",
        "l",
        "c",
        "X",
        "Y",
        "P",
        "Z1",
        "Z2",
        by=[lambda g, k=k: g.close_by(k) for k in names[:5]],
    )
    one, two, three = g.split(g.apply(chain, "t"))
    beta = g.have(f"{BETA} = (2*c/(1 - {n}))*{ALPHA}", lambda g: (g.rewrite(one), g.rewrite(two), g.close_by(three)))
    g.have("0 < 1 - a^2", lambda g: g.pos([f"@{under}"], eqs=[(a_sq, -1)]))

    def norm(g: Goal) -> None:
        g.rewrite(b_is)
        g.rewrite(beta)
        unique = g.by_fact(
            "sqrt_unique",
            f"tr(T((2*c/(1 - {n}))*{ALPHA}) @ ((2*c/(1 - {n}))*{ALPHA}))",
            "2*c*a/(1 - a^2)",
            by=[None, lambda g: squared(g, a_sq, n)],
        )
        g.exact(unique)

    def squared(g: Goal, a_sq: str, n: str) -> None:
        g.rewrite(a_sq)
        g.have(f"0 < 1 - {n}", lambda g: g.pos([f"@{under}"]))
        g.field((a_sq, f"4*c^2/(1 - {n})^2"))

    def equivalent(g: Goal) -> None:
        g.intro()
        g.have("1 - x^2 != 0", lambda g: unequal(g))

        def forth(g: Goal) -> None:
            (eq,) = g.intro()
            g.field((eq, "-(1 - x^2)/y"))

        def back(g: Goal) -> None:
            (eq,) = g.intro()
            g.field((eq, "y/(1 - x^2)*(-1)"))

        g.iff(forth, back)

    g.conj(norm, equivalent)


def unequal(g: Goal) -> None:
    """1 - x^2 != 0 from x^2 != 1."""
    eq = g.contra()
    k = g.have("x^2 = 1", lambda g: g.field((eq, -1)))
    other = next(h for h, f in g.seq.hyps.items() if f[0] == "!=" and f[2] == 1)
    g.clash(k, other)


NORMS = f"{PROJECTED_ONE} all t:R, a b:R. 0 <= t => a = sqrt({square(ALPHA)}) => b = sqrt({square(BETA)}) => a < 1 => 0 < b =>"


def relation(g: Goal) -> tuple[str, str, str]:
    """b = 2 gamma a / (1 - a^2) with 0 < a < 1 from the setting; then all else is forgotten."""
    names = g.intro()
    h = g.lemma(
        "varre2023.step-c-7-norm-quadratic",
        "statement",
        "n",
        "p",
        "l",
        "c",
        "X",
        "Y",
        "P",
        "Z1",
        "Z2",
        by=[lambda g, k=k: g.close_by(k) for k in names[:5]],
    )
    eq, _ = g.split(g.apply(h, "t", "a", "b", by=[lambda g, k=k: g.close_by(k) for k in names[5:]]))
    g.have(f"0 <= {square(ALPHA)}")
    nonneg = g.have("0 <= a", lambda g: (g.rewrite(names[6]), g.close_by(g.by_fact("sqrt_nonneg", square(ALPHA)))))
    below, positive = names[8], names[9]
    gap = g.have("0 < 1 - a^2", lambda g: g.pos([f"@{below}", "1 + a"]))

    def nonzero(g: Goal) -> None:
        zero = g.contra()
        none = g.have("a = 0", lambda g: g.antisym(lambda g: g.close_by(zero), lambda g: g.close_by(nonneg)))
        g.pos([f"@{positive}"], eqs=[(eq, -1), (none, "-2*c/(1 - a^2)")])

    big = g.have("0 < a", nonzero)
    g.clear(*[k for k in g.seq.hyps if k not in (eq, below, gap, big, names[0], positive)])
    return eq, gap, big


def inverse_relation(g: Goal) -> tuple[str, str, str]:
    """gamma / b = (1 - a^2) / (2 a) and its root sqrt((gamma/b)^2 + 1) = (1 + a^2) / (2 a)."""
    eq, _, _ = relation(g)
    ratio = g.have("c/b = (1 - a^2)/(2*a)", lambda g: (g.rewrite(eq), g.field()))
    root = g.by_fact("sqrt_unique", "(c/b)^2 + 1", "(1 + a^2)/(2*a)", by=[None, lambda g: (g.rewrite(ratio), g.field())])
    return eq, ratio, root


@holds(
    "varre2023.step-c-7-alpha-norm",
    f"{NORMS} a = -c/b + sqrt((c/b)^2 + 1)",
    argument="sound",
    uses=["varre2023.step-c-7-norm-quadratic"],
)
def positive_root(g: Goal) -> None:
    """The root is (1 + a^2) / (2 a)."""
    _, ratio, root = inverse_relation(g)
    g.rewrite(root)
    minus = g.have("-c/b = -(1 - a^2)/(2*a)", lambda g: g.field((ratio, -1)))
    g.rewrite(minus)
    g.field()


@holds(
    "varre2023.step-c-7-one-minus-alpha",
    f"""{NORMS} 1 - a^2 = 1 - (-c/b + sqrt((c/b)^2 + 1))^2 and
       1 - (-c/b + sqrt((c/b)^2 + 1))^2 = 2*(c/b)*sqrt((c/b)^2 + 1) - 2*(c/b)^2 and
       2*(c/b)*sqrt((c/b)^2 + 1) - 2*(c/b)^2 = 2*c/(sqrt(c^2 + b^2) + c)""",
    argument="sound",
    uses=["varre2023.step-c-7-norm-quadratic"],
)
def one_minus_the_square(g: Goal) -> None:
    """Everything in terms of a: sqrt(gamma^2 + b^2) = gamma (1 + a^2) / (1 - a^2)."""
    eq, ratio, root = inverse_relation(g)
    minus = g.have("-c/b = -(1 - a^2)/(2*a)", lambda g: g.field((ratio, -1)))
    whole = g.by_fact("sqrt_unique", "c^2 + b^2", "c*(1 + a^2)/(1 - a^2)", by=[None, lambda g: (g.rewrite(eq), g.field())])

    def last(g: Goal) -> None:
        g.rewrite(root)
        g.rewrite(ratio)
        g.rewrite(whole)
        g.have("0 < c*(1 + a^2)/(1 - a^2) + c")
        g.have("0 < 2*c/(1 - a^2)")
        g.field(side={"c*(1 + a^2)/(1 - a^2) + c != 0": None})

    g.conj(
        lambda g: (g.rewrite(root), g.rewrite(minus), g.field()),
        lambda g: (g.rewrite(root), g.rewrite(minus), g.rewrite(ratio), g.field()),
        last,
    )


@holds(
    "varre2023.step-c-7-integrating-factor",
    """all p:Z, a:R~>V(p), r:V(p), t:R. 0 < 1 - tr(T(a(t)) @ a(t)) => a'(t) = (I(p) - a(t) @ T(a(t))) @ r =>
       ((1/(1 - tr(T(a(t)) @ a(t)))^(1/2))*I(p) + (1/(1 - tr(T(a(t)) @ a(t)))^(3/2))*(a(t) @ T(a(t)))) @ a'(t) =
           (1/(1 - tr(T(a(t)) @ a(t)))^(1/2))*r and
       D(s, (1/(1 - tr(T(a(s)) @ a(s)))^(1/2))*a(s), t) = (1/(1 - tr(T(a(t)) @ a(t)))^(1/2))*r""",
    argument="sound",
    context="|alpha| < 1, stated as 0 < 1 - |alpha|^2 [the display divides by it]",
)
def integrating_factor(g: Goal) -> None:
    """Products of 1 x 1 blocks; the derivative of (1 - |a|^2)^{-1/2} is (1 - |a|^2)^{-1/2} <a, r>."""
    _gap, motion = g.intro()
    n, q = "tr(T(a(t)) @ a(t))", "tr(T(a(t)) @ r)"
    f = f"(1/(1 - {n})^(1/2))"
    own, along = scalar_matrix(g, "(T(a(t)) @ a(t))"), scalar_matrix(g, "(T(a(t)) @ r)")
    velocity = g.have(f"a'(t) = r - ({q})*a(t)", lambda g: g.nc((motion, 1, None, None), (along, -1, "a(t)", None)))
    dot = g.have(f"tr(T(a(t)) @ a'(t)) = {q}*(1 - {n})", lambda g: (g.rewrite(velocity), g.field()))

    def static(g: Goal) -> None:
        g.rewrite(velocity)
        c = f"1/(1 - {n})^(3/2)"
        g.nc((along, c, "a(t)", None), (own, f"-({q})*({c})", "a(t)", None))

    def moving(g: Goal) -> None:
        factor = g.have(f"D(s, 1/(1 - tr(T(a(s)) @ a(s)))^(1/2), t) = {f}*{q}", lambda g: g.field((dot, f"1/(1 - {n})^(3/2)")))
        rule = g.have(
            f"D(s, (1/(1 - tr(T(a(s)) @ a(s)))^(1/2))*a(s), t) = D(s, 1/(1 - tr(T(a(s)) @ a(s)))^(1/2), t)*a(t) + {f}*a'(t)",
            lambda g: g.nc(),
        )
        g.rewrite(rule)
        g.rewrite(factor)
        g.nc((velocity, f, None, None))

    g.conj(static, moving)


A2, B2 = square(ALPHA), square(BETA)
SCALE = f"(sqrt(c^2 + {B2}) + c)"


@holds(
    "varre2023.step-c-7-alpha-to-beta",
    f"""{PROJECTED_ONE} all t:R. 0 <= t => {A2} < 1 =>
       (1/(1 - {A2})^(1/2))*{ALPHA} = ((1 - {A2})^(1/2)/(2*c))*{BETA} and
       ((1 - {A2})^(1/2)/(2*c))*{BETA} = ((2*c/{SCALE})^(1/2)/(2*c))*{BETA} and
       ((2*c/{SCALE})^(1/2)/(2*c))*{BETA} = (1/(sqrt(2*c)*{SCALE}^(1/2)))*{BETA}""",
    argument="sound",
    uses=["varre2023.step-c-7-beta-alpha"],
    context="|alpha| < 1, stated as the square [step-c-7-integrating-factor]",
)
def alpha_in_terms_of_beta(g: Goal) -> None:
    """beta = 2 gamma alpha / (1 - |alpha|^2), so sqrt(gamma^2 + |beta|^2) + gamma = 2 gamma / (1 - |alpha|^2)."""
    names = g.intro()
    below = names[6]
    chain = g.lemma(
        "varre2023.step-c-7-beta-alpha",
        "statement",
        *("n", "p", "l", "c", "X", "Y", "P", "Z1", "Z2"),
        by=[lambda g, k=k: g.close_by(k) for k in names[:5]],
    )
    one, two, three = g.split(g.apply(chain, "t"))
    g.have(f"0 <= {A2}")
    g.have(f"0 < 1 - {A2}", lambda g: g.pos([f"@{below}"]))
    beta = g.have(f"{BETA} = (2*c/(1 - {A2}))*{ALPHA}", lambda g: (g.rewrite(one), g.rewrite(two), g.close_by(three)))
    norm = g.have(f"{B2} = 4*c^2*{A2}/(1 - {A2})^2", lambda g: (g.rewrite(beta), g.field()))
    root = g.by_fact("sqrt_unique", f"c^2 + {B2}", f"c*(1 + {A2})/(1 - {A2})", by=[None, lambda g: (g.rewrite(norm), g.field())])
    size = g.have(f"{SCALE} = 2*c/(1 - {A2})", lambda g: (g.rewrite(root), g.field()))
    back = g.have(f"{ALPHA} = ((1 - {A2})/(2*c))*{BETA}", lambda g: g.nc((beta, f"-(1 - {A2})/(2*c)", None, None)))

    half = f"(1/(1 - {A2})^(1/2))"
    product = f"({half}*((1 - {A2})/(2*c)))"
    whole = g.have(f"{half}*{ALPHA} = {product}*{BETA}", lambda g: g.nc((back, half, None, None)))
    general = g.have("all z:R. 0 < z => 1/z^(1/2)*(z/(2*c)) = z^(1/2)/(2*c)")
    factor = g.apply(general, f"1 - {A2}")

    def first(g: Goal) -> None:
        g.rewrite(whole)
        g.rewrite(factor)
        g.refl()

    positive = g.have(f"0 < {SCALE}", lambda g: (g.rewrite(size), g.auto()))
    split = g.have("all y:R. 0 < y => (2*c/y)^(1/2)/(2*c) = 1/(sqrt(2*c)*y^(1/2))")
    parts = g.apply(split, SCALE, by=[lambda g: g.close_by(positive)])

    def last(g: Goal) -> None:
        g.rewrite(parts)
        g.refl()

    def scalars() -> Script:
        return lambda g: g.ctx(lambda g: (g.rewrite(size), g.field()))

    g.conj(
        first,
        scalars(),
        last,
    )
