"""Appendix H: which hypotheses of Lemmas 32 to 36 are needed. Each counterexample satisfies all the others.

Lemmas 37 and 38 have theirs in `analytic_functions` and `congruence`; the signs in Lemma 32 are in `singular_value_flow`.
"""

from __future__ import annotations

from proofs.shin2025.derivatives_of_products import factorial
from proofs.shin2025.leibniz import agreement_in_every_order
from proofs.shin2025.measurement_flow import n2
from proofs.shin2025.singular_value_flow import BALANCED, DECOMPOSITION, GENERAL_FLOW, NONNEGATIVE
from verify.kernel import Goal
from verify.kernel.library.analytic_functions import analytic
from verify.kernel.tactics import Script
from verify.registry import part

L32, L33, L34, L35, L35_DET, L36 = (f"shin2025.lemma-{n}" for n in ("32", "33", "34", "35-sv", "35-det", "36"))


@part(
    L33,
    "without-size",
    "all d:Z, A:M(d,d). d < 1 => abs(det(A)) = prod(i, 1, d, sv(A,i))",
    says="Without d >= 1: the lemma holds for empty matrices, too.",
)
def empty_matrices(g: Goal) -> None:
    """An empty matrix is the empty identity; both sides are 1."""
    (small,) = g.intro()

    def identity(g: Goal) -> None:
        g.extn("i", "j")
        g.contra()
        g.nlin(products=1)

    same = g.have("A = I(d)", identity)
    one = g.fact("det_identity", "d")
    none = g.by_fact("prod_empty", "1", "d", "lam i:Z. sv(A,i)")
    g.rewrite(none)
    value = g.have("det(A) = 1", lambda g: (g.rewrite(same), g.close_by(one))[-1])
    g.rewrite(value)
    g.field()


@part(
    L33,
    "without-squareness",
    "all m n:Z, A:M(m,n). 1 <= n => abs(det(T(A) @ A)) = prod(i, 1, n, sv(A,i)^2)",
    says="Without squareness: det(A) means nothing, but the lemma survives with the root of the determinant of A^T A in its place, here "
    "squared, for A of any shape.",
    uses=[L33],
)
def gram_determinant(g: Goal) -> None:
    """The lemma for A^T A, whose singular values are its eigenvalues, the squares of those of A."""
    g.intro()
    x = "(T(A) @ A)"
    h = g.lemma(L33, "statement", "n", x)
    low = g.by_fact("eig_lower_bound", "n", "0", x, by=[None, None, lambda g: (g.fix("v"), g.pos([n2("A @ v")]))[-1]])

    def equal(g: Goal) -> None:
        g.fix("i")
        g.split_all(g.assume())
        square = g.have(f"T{x} @ {x} = {x} @ {x} + 0*{x} + 0*I(n)", lambda g: g.nc())
        s = g.rewritten(g.by_fact("sv_gram", "n", "n", "i", x), square)
        q = g.by_fact("eig_quadratic", "n", "i", "0", "0", x)
        a = g.by_fact("sv_gram", "m", "n", "i", "A")
        z = g.have(f"sv({x}, i)^2 = (sv(A, i)^2)^2", lambda g: g.field((s, 1), (q, 1), (a, f"-(sv(A, i)^2 + eig({x}, i))")))
        g.split(g.apply(g.fact("sv_range", "n", "n", x), "i", "i"))
        b, c = f"sv({x}, i)", "sv(A, i)^2"
        g.antisym(
            lambda g: (h := g.contra(), g.pos([f"@{h}", f"@{h}"], [f"@{h}", "2", c], eqs=[(z, "-1")]))[-1],
            lambda g: (h := g.contra(), g.pos([f"@{h}", f"@{h}"], [f"@{h}", "2", b], eqs=[(z, "1")]))[-1],
        )

    same = g.by_fact("prod_ext", "1", "n", f"lam i:Z. sv({x}, i)", "lam i:Z. sv(A, i)^2", by=[equal])
    g.field((h, 1), (same, 1))
    del low


def at_rest(g: Goal, a: str, b: str, *scripts: Script | None) -> None:
    """d = 1, constant factors and a vanishing gradient."""
    g.witness(f"lam t:R. [[{a}]]", f"lam t:R. [[{b}]]", "lam t:R. [[0]]")
    entries: Script = lambda g: g.ext(lambda g: g.field())  # noqa: E731
    g.conj(lambda g: (g.intro(), g.conj(entries, entries))[-1], *scripts)


def example(*claims: str) -> str:
    """There is a flow of 1 x 1 factors with these properties."""
    return f"ex A B G:R~>M(1,1). {GENERAL_FLOW} and {' and '.join(claims)}"


EQUAL: Script = lambda g: g.ext(lambda g: g.field())  # noqa: E731


@part(
    L34,
    "without-positive-start",
    example(BALANCED, "det(A(0)) < 0", "det(A(1)) < 0"),
    says="Without det A(0) > 0: the conclusion fails at t = 0 already: A = -1, B = 1 at rest.",
)
def negative_determinants_stay_negative(g: Goal) -> None:
    """A flow at rest."""
    at_rest(g, "-1", "1", EQUAL, None, None)


@part(
    L34,
    "without-flow",
    f"ex A B G:R~>M(1,1). {BALANCED} and 0 < det(A(0)) and det(A(1)) < 0",
    says="Without the flow: it fails, A = B = 1 - 2t.",
)
def curves_may_change_the_sign(g: Goal) -> None:
    """A straight line through 0."""
    g.witness("lam t:R. [[1 - 2*t]]", "lam t:R. [[1 - 2*t]]", "lam t:R. [[0]]")
    g.conj(EQUAL, None, None)


@part(
    L35,
    "without-balance",
    example("sv(A(0) @ B(0), 1) != sv(A(0), 1)^2"),
    says="Without balanced factors: the lemma fails, A = 2, B = 1 at rest.",
    uses=[L33],
)
def unbalanced_singular_values(g: Goal) -> None:
    """The product has the singular value 2, as A has."""
    at_rest(g, "2", "1", lambda g: differ(g, "[[2]]", "[[2]] @ [[1]]"))


def differ(g: Goal, a: str, w: str) -> None:
    """The singular values of two 1 x 1 matrices with the entry 2."""
    for x in (a, w):
        k = g.lemma(L33, "statement", "1", x)
        size = g.have(f"abs(det({x})) = 2", lambda g: g.field())
        g.rewrite(g.have(f"sv({x}, 1) = 2", lambda g, k=k, size=size: g.field((k, -1), (size, 1))))
    g.field()


@part(
    L35,
    "without-flow",
    f"ex A B G:R~>M(1,1). {BALANCED} and sv(A(1) @ B(1), 1) != sv(A(1), 1)^2",
    says="Without the flow, balanced at the start only: it fails, A = 1 + t, B = 1.",
    uses=[L33],
)
def curves_lose_the_balance(g: Goal) -> None:
    """A moves, B does not."""
    g.witness("lam t:R. [[1 + t]]", "lam t:R. [[1]]", "lam t:R. [[0]]")
    g.conj(EQUAL, lambda g: differ(g, "[[1 + 1]]", "[[1 + 1]] @ [[1]]"))


DETERMINANTS = "det(A(0) @ B(0)) != det(A(0))^2"

for _name, _a, _b, _claims, _says in (
    (
        "without-balance",
        "2",
        "1",
        ("0 < det(A(0))", "0 < det(B(0))"),
        "Without balanced factors: it fails, A = 2, B = 1 at rest.",
    ),
    ("without-positive-a", "-1", "1", (BALANCED, "0 < det(B(0))"), "Without det A(0) > 0: it fails, A = -1, B = 1 at rest."),
    ("without-positive-b", "1", "-1", (BALANCED, "0 < det(A(0))"), "Without det B(0) > 0: it fails, A = 1, B = -1 at rest."),
):

    def _flow(g: Goal, a: str = _a, b: str = _b, n: int = len(_claims)) -> None:
        """A flow at rest."""
        first: list[Script | None] = [EQUAL if n and _is_balance(g) else None] + [None] * (n - 1)
        at_rest(g, a, b, *first, None)

    part(L35_DET, _name, example(*_claims, DETERMINANTS), says=_says)(_flow)


@part(
    L35_DET,
    "without-flow",
    f"""ex A B:R~>M(1,1). {BALANCED} and 0 < det(A(0)) and 0 < det(B(0)) and det(A(1) @ B(1)) != det(A(1))^2""",
    says="Without the flow, balanced at the start only: it fails, A = 1 + t, B = 1.",
)
def curves_lose_equal_determinants(g: Goal) -> None:
    """det A B = 2 and det A^2 = 4 at t = 1."""
    g.witness("lam t:R. [[1 + t]]", "lam t:R. [[1]]")
    g.conj(EQUAL, None, None, None)


def _is_balance(g: Goal) -> bool:
    """The first claim of the example is that the factors are balanced."""
    return bool(g.concl[2][2][0] == "=")


@part(
    L32,
    "without-flow",
    f"""ex A B G U S V:R~>M(1,1). {BALANCED} and {DECOMPOSITION.replace("I(d)", "I(1)")} and {NONNEGATIVE.replace("d =>", "1 =>")} and
        S'(0)[1,1] != -(2*S(0)[1,1]*(T(U(0)) @ G(0) @ V(0))[1,1])""",
    says="Without the flow: (78) fails, A = B = 1 + t with the gradient 0.",
)
def curves_have_other_rates(g: Goal) -> None:
    """sigma = (1 + t)^2."""
    line = "lam t:R. [[1 + t]]"
    g.witness(line, line, "lam t:R. [[0]]", "lam t:R. [[1]]", "lam t:R. [[(1 + t)^2]]", "lam t:R. [[1]]")

    def decomposition(g: Goal) -> None:
        g.intro()

        def off(g: Goal) -> None:
            g.fix("i", "j")
            ne = g.assume()
            out = g.fact("entry_outside", "1", "1", "[[(1 + t)^2]]")

            def within(g: Goal) -> None:
                g.split(list(g.seq.hyps)[-1])
                one, two = (g.have(f"{x} = 1", lambda g: g.antisym()) for x in "ij")
                g.contra()
                g.clash(g.have("i = j", lambda g: g.field((one, 1), (two, -1))), ne)

            g.em("i < 1 or 1 < i or j < 1 or 1 < j", lambda g: g.close_by(g.apply(out, "i", "j")), within)

        g.conj(EQUAL, EQUAL, EQUAL, off)

    def nonneg(g: Goal) -> None:
        g.intro()
        one = g.have("r = 1", lambda g: g.antisym())
        g.rewrite(one)
        g.pos(["(1 + t)^2"])

    def rate(g: Goal) -> None:
        d = g.differentiate("t", "[[(1 + t)^2]]", "0")
        g.rewrite(d)
        g.field()

    g.conj(EQUAL, decomposition, nonneg, rate)


@part(
    L36,
    "without-flow",
    f"ex A:R~>M(1,1). not {analytic('A', '1', '1')}",
    says="Without the flow: smooth curves need not be analytic, exp(-1/t), continued by 0.",
)
def smooth_is_not_analytic(g: Goal) -> None:
    """All terms of the Taylor series at 0 vanish, but the function is positive for t > 0."""
    flat, value = g.obtain(g.fact("flat_function"), "f")
    entry = g.obtain(
        g.have("ex A:R~>M(1,1). all t:R. A(t) = [[f(t)]]", lambda g: (g.witness("lam t:R. [[f(t)]]"), g.intro(), g.nc())[-1]), "A"
    )[0]

    def only_entry(g: Goal) -> None:
        g.fix("t")
        e = g.have("A(t)[1,1] = [[f(t)]][1,1]", lambda g: (g.rewrite(g.apply(entry, "t")), g.refl())[-1])
        g.field((e, 1))

    here = g.have("all t:R. A(t)[1,1] = f(t)", only_entry)
    same = agreement_in_every_order(g, "d({0},A,{1})[1,1]", "d({0},f,{1})", here, None)
    g.witness("A")
    h = g.assume()
    r0, near = g.obtain(g.apply(h, "0", by=[None]), "r")
    g.have("0 < r/2")
    k = g.apply(near, "r/2", n=1, by=[lambda g: g.conj(None, lambda g: size_of(g))])
    positive = g.apply(value, "r/2")
    e = "exp(-1/(r/2))"
    p = g.obtain(g.apply(k, "1", "1", f"{e}/2", by=[lambda g: g.auto(), lambda g: g.pos([f"{e}/2"])]), "p")[0]
    top = g.fact("max_cases", "p", "0")
    low = g.obtain(
        g.have("ex m:Z. p <= m and 0 <= m", lambda g: g.cases(top, lambda g: larger(g, "0"), lambda g: larger(g, "p"))), "m"
    )[1]
    b = g.apply(p, "m")
    terms = f"d(k,A,0)[1,1]*(r/2 - 0)^k/{factorial('k')}"

    def vanish(g: Goal) -> None:
        (x,) = g.fix("x")
        g.split(g.assume())
        v, z = g.apply(g.apply(same, x), "0"), g.apply(flat, x, "0")
        c = f"(r/2 - 0)^{x}/{factorial(x)}"
        g.field((v, c), (z, c))

    zero = g.by_fact("sum_ext", "0", "m", f"lam k:Z. {terms}", "lam k:Z. 0", by=[vanish])
    none = g.fact("sum_const", "0", "m", "0")
    none = g.apply(none, by=[lambda g: g.pos(["@" + low], ["1"])])
    here = g.apply(g.apply(same, "0"), "r/2")
    bound = g.apply(g.split(g.fact("abs_le", g.hyp_formula(b)[1][1], f"{e}/2"))[0], by=[lambda g: g.close_by(b)])
    g.pos([f"{e}/2"], ["@" + g.split(bound)[1]], eqs=[(here, 1), (positive, 1), (zero, -1), (none, -1)])


def size_of(g: Goal) -> None:
    """|r/2 - 0| < r."""
    same = g.have(("=", g.concl[1], ("abs", g.term("r/2"))), lambda g: g.ctx(lambda g: g.field()))
    g.pos(["r/2"], eqs=[(same, -1)])


def larger(g: Goal, name: str) -> None:
    """The larger of two integers bounds both."""
    g.split(list(g.seq.hyps)[-1])
    g.witness(name)
    g.auto()
