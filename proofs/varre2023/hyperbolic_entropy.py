"""The hyperbolic entropy: the gradient of the printed potential, the mirror flow, and the size of the potential for small gamma."""

from __future__ import annotations

from proofs.razin2020.scripts import using
from proofs.varre2023.flows import TWO_LAYERS
from proofs.varre2023.mirror_flow_of_singular_values import READING, setting
from verify.kernel import Goal
from verify.registry import amendment, holds, refuted

PRINTED = "1/2*z*asinh(z/c) - sqrt(z^2 + c^2)"
ENTROPY = "z*asinh(z/c) - sqrt(z^2 + c^2)"


@refuted(
    "varre2023.step-c-13-potential-gradient",
    f"all c x:R. 0 < c => 0 <= x => D(z, {PRINTED}, x) = asinh(x/c)",
    reading="entry by entry, at a singular value x >= 0",
    reason="the derivative is (asinh(x/gamma) - x/sqrt(x^2 + gamma^2))/2; at x = gamma = 1 it is below 1/10, and asinh(1) > 4/5",
)
def printed_gradient_of_the_potential(g: Goal) -> None:
    """x = gamma = 1."""
    g.witness(1, 1)

    def wrong(g: Goal) -> None:
        same = g.contra()
        g.have("0 < 1^2 + 1^2")
        rule = g.have(("=", g.hyp_formula(same)[1], g.term("1/2*asinh(1) - 1/2/sqrt(2)")), lambda g: g.field())
        left = g.have("1/2*asinh(1) - 1/2/sqrt(2) < 1/10", lambda g: g.ball())
        right = g.have("4/5 < asinh(1/1)", lambda g: g.ball())
        g.pos([f"@{left}"], [f"@{right}"], ["7/10"], eqs=[(same, 1), (rule, -1)])

    g.conj(None, lambda g: g.conj(None, wrong))


@amendment(
    "varre2023.step-c-13-potential-gradient",
    f"all c x:R. 0 < c => D(z, 1/2*({ENTROPY}), x) = 1/2*asinh(x/c) and D(z, {ENTROPY}, x) = asinh(x/c)",
    says="the gradient of the hyperbolic entropy x asinh(x/gamma) - sqrt(x^2 + gamma^2) is asinh(x/gamma)",
)
def gradient_of_the_entropy(g: Goal) -> None:
    """asinh'(x/gamma) = gamma/sqrt(x^2 + gamma^2)."""
    g.intro()
    g.have("0 < x^2 + c^2")
    g.have("0 < (x/c)^2 + 1")
    root = g.by_fact("sqrt_unique", "(x/c)^2 + 1", "sqrt(x^2 + c^2)/c", by=[None, lambda g: g.field()])
    rule = g.have("D(z, asinh(z/c), x) = 1/sqrt(x^2 + c^2)", lambda g: slope(g, root))
    g.conj(lambda g: g.field((rule, "x/2")), lambda g: g.field((rule, "x")))


def slope(g: Goal, root: str) -> None:
    """The derivative of the inverse hyperbolic sine."""
    h = g.differentiate("z", "asinh(z/c)", "x")
    g.rewrite(h)
    g.rewrite(root)
    g.field()


@holds(
    "varre2023.assertion-hyperbolic-entropy",
    setting(TWO_LAYERS, ENTROPY).rsplit("G'(t) = ", 1)[0] + "G'(t) = 2*" + setting(TWO_LAYERS, ENTROPY).rsplit("G'(t) = ", 1)[1],
    argument="repaired",
    reason="Theorem 3.2 (a) is printed with another potential; with the hyperbolic entropy the flow is the mirror flow in twice the time",
    reading=f"{READING}; the constant factor 2 is one of time",
    uses=["varre2023.thm-3-2-a"],
)
def mirror_flow_with_the_entropy(g: Goal) -> None:
    """Half of the entropy is the corrected potential of Theorem 3.2 (a)."""
    names = g.intro()
    h = g.lemma(
        "varre2023.thm-3-2-a",
        "amendment",
        *("n", "p", "k", "l", "c", "X", "Y", "P", "W1", "W2", "U", "V", "S", "i", "lam t:R. 1/2*G(t)"),
        by=given(names),
    )
    now = g.apply(h, "t")
    rule = g.have("D(s, 1/2*G(s), t) = 1/2*G'(t)", lambda g: g.field())
    g.field((now, 2), (rule, -2))


def given(names: list[str]) -> list:
    """The hypotheses, with the gradient halved."""
    by: list = [using(n) for n in names[:11]]

    def half(g: Goal) -> None:
        (t,) = g.fix("t")
        g.assume()
        at = g.apply(names[11], t)
        g.have(f"0 < S({t})[i,i]^2 + c^2")
        rule = g.have(f"D(z, 1/2*({ENTROPY}), S({t})[i,i]) = 1/2*D(z, {ENTROPY}, S({t})[i,i])", lambda g: g.field())
        g.rewrite(rule)
        g.rewrite(at)
        g.refl()

    return [*by, half]


def ratio(factor: str) -> str:
    """The potential for gamma = exp(-u) over u |x|, with a factor before the first term."""
    return f"({factor}x*asinh(x/exp(-u)) - sqrt(x^2 + exp(-u)^2))/(u*x)"


SMALL = "all x:R. 0 < x => tends(u, {0}, {1})"


@refuted(
    "varre2023.assertion-potential-small-gamma",
    SMALL.format(ratio("1/2*"), "1"),
    reading="Psi_gamma as in Theorem 3.2 (a), in one dimension with beta = x > 0 and gamma = exp(-u), so that -ln gamma = u; f ~ g means that f/g tends to 1",
    reason="the ratio tends to 1/2; for x asinh(x/gamma) - sqrt(x^2 + gamma^2), without the factor 1/2, it tends to 1",
)
def printed_size_of_the_potential(g: Goal) -> None:
    """x = 1: the limit is 1/2."""
    g.witness(1)

    def wrong(g: Goal) -> None:
        same = g.contra()
        own = g.lemma("varre2023.assertion-potential-small-gamma", "amendment", 1)
        half = g.split(own)[0]
        _, var, body, _ = g.hyp_formula(same)
        eq = g.by_fact("tends_unique", 1, "1/2", ("lam", ((var, "R"),), body), by=[using(same), using(half)])
        g.pos([], eqs=[(eq, -2)])

    g.conj(None, wrong)


@amendment(
    "varre2023.assertion-potential-small-gamma",
    f"all x:R. 0 < x => tends(u, {ratio('1/2*')}, 1/2) and tends(u, {ratio('')}, 1)",
    says="Psi_gamma ~ (-ln gamma) |beta|_*/2 for the potential of Theorem 3.2 (a), and (-ln gamma) |beta|_* for the hyperbolic entropy",
)
def size_of_the_potential(g: Goal) -> None:
    """asinh(x exp(u)) = u + log(x + sqrt(x^2 + exp(-2u)))."""
    g.intro()
    fading = g.by_fact("tends_exp_decay", 1)
    _, var, decay, _ = g.hyp_formula(fading)

    def limit(g: Goal, factor: str, value: str) -> None:
        rest = f"({factor}x*log(x + sqrt(x^2 + y^2)) - sqrt(x^2 + y^2))/x"
        own = g.by_fact("sqrt_of_square", "x")
        g.have("sqrt(x^2 + 0^2) = x", lambda g: g.field((own, 1)))
        g.have("0 < x^2 + 0^2")
        g.have("0 < x + sqrt(x^2 + 0^2)", lambda g: g.pos(["x"], ["sqrt(x^2 + 0^2)"]))
        one = g.by_fact("tends_compose", 0, ("lam", ((var, "R"),), decay), f"lam y:R. {rest}", by=[using(fading), None])
        inverse = g.fact("tends_inverse")
        _, v1, body, at = g.hyp_formula(one)
        _, v2, small, _ = g.hyp_formula(inverse)
        product = g.by_fact(
            "tends_mul", 0, at, ("lam", ((v2, "R"),), small), ("lam", ((v1, "R"),), body), by=[using(inverse), using(one)]
        )
        constant = g.fact("tends_const", value)
        _, v3, pbody, pat = g.hyp_formula(product)
        total = g.by_fact(
            "tends_add", value, pat, f"lam u:R. {value}", ("lam", ((v3, "R"),), pbody), by=[using(constant), using(product)]
        )
        _, v4, tbody, tat = g.hyp_formula(total)

        def same(g: Goal) -> None:
            g.fix("u")
            late = g.assume()
            g.have("0 < u", lambda g: g.pos([f"@{late}"], [1]))
            g.have("0 < x^2 + exp(-u)^2")
            g.have("0 < x + sqrt(x^2 + exp(-u)^2)")
            root = g.by_fact("sqrt_unique", "(x/exp(-u))^2 + 1", "sqrt(x^2 + exp(-u)^2)/exp(-u)", by=[None, lambda g: g.field()])
            log = g.have("asinh(x/exp(-u)) = u + log(x + sqrt(x^2 + exp(-u)^2))", lambda g: logarithm(g, root))
            g.rewrite(log)
            g.field()

        final = g.by_fact("tends_ext", 1, tat, ("lam", ((v4, "R"),), tbody), f"lam u:R. {ratio(factor)}", by=[same, using(total)])
        start = g.have(("=", tat, g.term(value)), lambda g: g.field())
        g.exact(g.rewritten(final, start))

    g.conj(lambda g: limit(g, "1/2*", "1/2"), lambda g: limit(g, "", "1"))


def logarithm(g: Goal, root: str) -> None:
    """asinh(y) = log(y + sqrt(y^2 + 1))."""
    whole = g.have("asinh(x/exp(-u)) = log(x/exp(-u) + sqrt((x/exp(-u))^2 + 1))", lambda g: g.field())
    g.rewrite(whole)
    g.rewrite(root)
    inner = g.have("x/exp(-u) + sqrt(x^2 + exp(-u)^2)/exp(-u) = exp(u)*(x + sqrt(x^2 + exp(-u)^2))", lambda g: g.field())
    g.rewrite(inner)
    general = g.have("all y:R. 0 < y => log(exp(u)*y) = u + log(y)")
    g.close_by(g.apply(general, "x + sqrt(x^2 + exp(-u)^2)"))
