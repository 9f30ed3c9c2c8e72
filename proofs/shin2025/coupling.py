"""Definition 2 and Proposition 3: coupled and decoupled dynamics for diagonal observations."""

from __future__ import annotations

from collections.abc import Callable

from proofs.shin2025.diagonal_flow import CONTEXT, FLOW, INITIAL, PRODUCTS, in_setting
from proofs.shin2025.gradients import DIAGONAL_DECOUPLED, decoupled
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import holds, part


def everywhere(x: str, relation: str) -> str:
    """All entries of a d x d matrix are positive (<) or nonnegative (<=)."""
    return f"(all i j:Z. 1 <= i and i <= d and 1 <= j and j <= d => 0 {relation} {x}[i,j])"


@part(
    "shin2025.prop-3-deep-coupled",
    "positive-product",
    f"all d:Z, X Y:M(d,d). 1 <= d => {everywhere('X', '<')} => {everywhere('Y', '<')} => {everywhere('(X @ Y)', '<')}",
    says="A product of entrywise positive matrices is entrywise positive.",
)
def product_of_positive_matrices_is_positive(g: Goal) -> None:
    """Each entry is a sum of positive terms; it is at least the first one."""
    g.intro("size", "left", "right", "range")
    rows = g.fact("mm_entry", "d", "d", "d", "X", "Y")
    entry = g.apply(rows, "i", "j")
    k = g.fact("sum_term_le", 1, "d", "lam l:Z. X[i,l]*Y[l,j]")

    def nonneg(g: Goal) -> None:
        g.fix("q")
        g.assume()
        g.apply("left", "i", "q")
        g.apply("right", "q", "j")
        g.auto()

    one = g.apply(g.apply(k, by=[nonneg]), "1")
    a = g.apply("left", "i", "1")
    b = g.apply("right", "1", "j")
    g.rewrite(entry)
    g.pos([f"@{one}"], [f"@{a}", f"@{b}"])


FACTORS = f"(all l:Z. 1 <= l and l <= L => {everywhere('W(l,0)', '<')})"


@part(
    "shin2025.prop-3-deep-coupled",
    "positive-partial-products",
    f"""all d L:Z, W P Q:(Z,R)~>M(d,d). 1 <= d => 1 <= L => {PRODUCTS} => {FACTORS} =>
        (all k:Z. 1 <= k => k <= L => {everywhere('P(k,0)', '<')}) and (all k:Z. 1 <= k => k <= L => {everywhere('Q(L-k,0)', '<')})""",
    says="Partial products of entrywise positive factors are entrywise positive.",
)
def partial_products_are_positive(g: Goal) -> None:
    """Induction over the number of factors."""
    g.fix()
    g.assume("size")
    g.assume("depth")
    p0, ps, q0, qs = g.split_all(g.assume("products"))
    g.assume("factors")

    def chain(product: str, first: str, step: str, start: Script, order: Callable[[str], tuple[str, str]]) -> Script:
        """product(k) from product(k - 1) and the k-th factor."""

        def script(g: Goal) -> None:
            g.induct("k", "ih")
            g.assume("top")

            def one(g: Goal) -> None:
                same = g.have("k = 1", lambda g: g.antisym())
                g.rewrite(same)
                start(g)

            def more(g: Goal) -> None:
                g.apply(g.fact("int_lt", "1", "k"))
                before = g.apply("ih", "k - 1")
                left, right = order("k")
                law = g.apply(step, "k - 1" if product == "P" else "L - k", "0")
                new = g.have(f"{product}({'k' if product == 'P' else 'L-k'},0) = {left} @ {right}", lambda g: g.exact(law))
                g.rewrite(new)
                factor = g.apply("factors", "k" if product == "P" else "L - k + 1")
                earlier = left if product == "Q" else right
                g.have(everywhere(earlier, "<"), lambda g: g.close_by(before))
                whole = g.lemma("shin2025.prop-3-deep-coupled", "part:positive-product", "d", left, right, by=[None, None, None])
                g.close_by(whole)

            g.em("k <= 1", one, more)

        return script

    def first_p(g: Goal) -> None:
        law = g.apply(ps, "0", "0")
        zero = g.apply(p0, "0")
        new = g.have("P(1,0) = W(1,0)", lambda g: (g.nc((law, 1, None, None), rw=[zero])))
        g.rewrite(new)
        g.close_by(g.apply("factors", "1"))

    def first_q(g: Goal) -> None:
        law = g.apply(qs, "L - 1", "0")
        zero = g.apply(q0, "0")
        new = g.have("Q(L-1,0) = W(L,0)", lambda g: (g.nc((law, 1, None, None), rw=[zero])))
        g.rewrite(new)
        g.close_by(g.apply("factors", "L"))

    g.conj(
        chain("P", p0, ps, first_p, lambda k: ("W(k,0)", "P(k-1,0)")),
        chain("Q", q0, qs, first_q, lambda k: ("Q(L-(k-1),0)", "W(L-k+1,0)")),
    )
