"""Section 3.2 and Appendix D.1: for L >= 3 all starts but those of a Lebesgue null set are coupled, whatever is observed."""

from __future__ import annotations

from proofs.shin2025.decoupled_factors import last
from proofs.shin2025.gradients import decoupled, masked
from proofs.shin2025.parameter_vector import CLAIM, INDEX, MODEL, PLACE, VARIABLES, all_pairs, inner_at, model, setting
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import holds

COVER = """(all k r:Z. 1 <= r and r <= Np => A(k)[r,1] <= B(k)[r,1]) and
  (all n:Z. sum(k, 1, n, prod(r, 1, Np, B(k)[r,1] - A(k)[r,1])) <= e)"""
FLOW = f"""(all l i j:Z, t:R. 1 <= l and l <= L => {PLACE} => 0 <= t => th'(t)[{INDEX},1] =
  -((T(Q(l,th(t))) @ had(Om, P(L,th(t)) - Ws) @ T(P(l-1,th(t))))[i,j]))"""
OBSERVED = "(all i j:Z. Om[i,j] = 0 or (Om[i,j] = 1 and 1 <= i and i <= d and 1 <= j and j <= d))"
DECOUPLED = decoupled(masked, inner_at("th(t)"))
STATEMENT = f"""all {VARIABLES}, Om Ws:M(N,N). {MODEL} {OBSERVED} =>
  all e:R. 0 < e => ex A B:Z->V(Np). {COVER} and
    (all th:R~>V(Np). {FLOW} => {DECOUPLED} =>
      ex k:Z. 1 <= k and all r:Z. 1 <= r and r <= Np => A(k)[r,1] <= th(0)[r,1] and th(0)[r,1] <= B(k)[r,1])"""
READING = (
    "the starts theta(0) from which a flow is decoupled (Definition 2) form a Lebesgue null set: for every e > 0 countably many boxes"
    " of a total volume of at most e cover them. Gaussian laws with positive variances have a density, so null sets have"
    " probability 0. Any widths, any observations, any observed values; a factor of the shape r x c is padded with zeros to N x N"
)


@holds(
    CLAIM,
    STATEMENT,
    reading=READING,
    context="the gradient flow (3) of the objective (2) [Section 2]",
)
def decoupled_starts_are_a_null_set(g: Goal) -> None:
    """A decoupled start is a zero of the product of the inner products of the gradients over all pairs of entries. It is a polynomial
    of the parameters that is positive where all parameters are 1."""
    setting(g)
    g.assume("observed")
    g.fix("e")
    g.assume("small")
    x = "x"
    start = g.split(model(g, "positive-start"))
    lines = model(g, "polynomial-on-lines")

    def plain(g: Goal) -> None:
        g.fix("x", "y")
        _, terms = g.obtain(g.apply(lines, "x", "y"), "dg", "co")
        g.witness("dg", "co")
        g.fix("t")
        g.close_by(g.apply(terms, "t", "dg"))

    def somewhere(g: Goal) -> None:
        g.witness("J(Np,1)")
        names = "ijuv"

        def level(g: Goal, depth: int) -> None:
            """Close 0 < the inner product, or the product of it over the last 4 - depth indices."""
            if depth == 4:
                g.close_by(g.apply(start[1], *names))
                return
            body = inner_at("J(Np,1)")(*names)
            for later in reversed(names[depth + 1 :]):
                body = f"prod({later}, 1, d, {body})"

            def each(g: Goal) -> None:
                g.fix(names[depth])
                g.split(g.assume())
                level(g, depth + 1)

            g.close_by(g.lemma(CLAIM, "part:positive-product", f"lam {names[depth]}:Z. {body}", "d", by=[each]))

        g.have(f"0 < {all_pairs('J(Np,1)')}", lambda g: level(g, 0))
        g.condition()

    null = g.by_fact(
        "polynomial_zeros_null", "Np", f"lam x:V(Np). {all_pairs(x)}", by=[lambda g: g.close_by(start[0]), plain, somewhere]
    )
    boxes = g.obtain(g.apply(null, "e"), "A", "B")
    g.witness("A", "B")

    def covered(g: Goal) -> None:
        g.fix("th")
        g.assume()
        system = g.assume()
        _, _, members, orthogonal = g.obtain(system, "C", "part", name="sys")
        one = g.obtain(g.apply(members, "1"), "i", "j", name="one")
        two = g.obtain(g.apply(members, "2"), "u", "v", name="two")

        def differ(g: Goal) -> None:
            eq = g.contra()
            g.pos([], eqs=[(eq, "1"), (one[-1], "-1"), (two[-1], "1")])

        g.have("part(i,j) != part(u,v)", differ)
        zero = g.apply(orthogonal, "i", "j", "u", "v", "0")
        for a, b, hit in (("i", "j", one[0]), ("u", "v", two[0])):

            def none(g: Goal, hit: str = hit) -> None:
                g.contra()
                g.pos([], eqs=[(hit, "1"), (last_but_one(g), "-1")])

            def last_but_one(g: Goal) -> str:
                return list(g.seq.hyps)[-2]

            h = g.have(
                f"1 <= {a} and {a} <= d and 1 <= {b} and {b} <= d",
                lambda g, a=a, b=b, none=none: g.cases(g.apply("observed", a, b), none, seen),  # type: ignore[misc]
            )
            g.split(h)
        known = zero
        names = "ijuv"
        for depth in (3, 2, 1, 0):
            body = inner_at("th(0)")(*names)
            for later in reversed(names[depth + 1 :]):
                body = f"prod({later}9, 1, d, {body})".replace(f"[{later},", f"[{later}9,").replace(f",{later}]", f",{later}9]")
            body = body.replace(f"[{names[depth]},", "[k,").replace(f",{names[depth]}]", ",k]")
            by: list[Script | None] = [None, None, lambda g, known=known: g.close_by(known)]  # type: ignore[misc]
            known = g.lemma(CLAIM, "part:vanishing-product", f"lam k:Z. {body}", "d", names[depth], by=by)
        g.close_by(g.apply(boxes[2], "th(0)", by=[lambda g: g.close_by(known)]))

    def seen(g: Goal) -> None:
        hs = g.split(last(g))
        g.conj(*[lambda g, h=h: g.close_by(h) for h in hs[1:]])  # type: ignore[misc]

    g.conj(lambda g: g.close_by(boxes[0]), lambda g: g.close_by(boxes[1]), covered)


@holds(
    "shin2025.assertion-d1-deep-typical",
    STATEMENT,
    argument="repaired",
    uses=[CLAIM],
    reading="typically: but for a null set of starts; "
    + READING
    + ". The clause with 'since' is the printed reason and no part of the formula:"
    " a parameter of an intermediate layer enters several entries also from the exceptional starts",
    context="the gradient flow (3) of the objective (2) [Section 2]",
)
def deep_dynamics_are_typically_coupled(g: Goal) -> None:
    """The statement on random starts: that parameters enter several entries makes inner products polynomials that are not
    identically zero; that they vanish for exceptional starts only is the further step that the text leaves out."""
    g.close_by(g.lemma(CLAIM))
