"""Lemma 4, preparation: Gram matrices of partial products of balanced factors are powers of those of the outer factors."""

from __future__ import annotations

from proofs.razin2020.factorisation import INNER
from proofs.razin2020.scripts import using
from verify.kernel import Goal
from verify.registry import part

S = "T(A) @ A"
R = "B @ T(B)"
STATIC = f"""Q(1) = A => P(L-1) = B => X = B @ Q(L-1) =>
       (all l:Z. {INNER} => Q(l) = W(l) @ Q(l-1) and P(l-1) = P(l) @ W(l)) =>"""


def power_sum(g: Goal, dim: str, base: str, a: str, b: str, total: str) -> str:
    """Adds base^total = base^a base^b, where total = a + b."""
    for e in (a, b, total):
        g.have(f"0 <= {e}")
    h = g.by_fact("mpow_add", dim, a, b, base)
    g.have(("<=", 0, g.hyp_formula(h)[1][2]))  # so that the kernel sees the exponent a + b as that of the left side
    return g.have(f"({base})^({total}) = ({base})^({a}) @ ({base})^({b})", lambda g: g.nc((h, 1, None, None)))


@part(
    "razin2020.lemma-4",
    "right-powers",
    f"""all r c n L:Z, A:M(n,c), B:M(r,n), W:Z->M(n,n), P:Z->M(r,n), Q:Z->M(n,c), X:M(r,c), C:Z->M(n,n). 2 <= L =>
       {STATIC}
       C(1) = A @ T(A) => T(B) @ B = C(L-1) =>
       (all l:Z. {INNER} => C(l) = W(l) @ T(W(l)) and T(W(l)) @ W(l) = C(l-1)) =>
       (all l:Z. 1 <= l and l <= L - 1 => T(Q(l)) @ Q(l) = ({S})^l and T(P(l)) @ X = Q(l) @ ({S})^(L-l)) and
         T(X) @ X = ({S})^L""",
    says="for balanced factors: (W_l..W_1)^T (W_l..W_1) = (W_1^T W_1)^l, and (W_L..W_{l+1})^T X = (W_l..W_1) (W_1^T W_1)^(L-l)",
)
def gram_matrices_are_powers(g: Goal) -> None:
    """C(l) Q(l) = Q(l) S by induction, as W(l) C(l-1) = C(l) W(l); both claims follow by induction, upwards and downwards."""
    _, first, last, product, steps, low, high, inner = g.intro()

    def up(g: Goal) -> None:
        ih = g.induct("l")
        lo = next(k for k in g.seq.hyps if k.endswith("_lo"))
        g.assume()

        def base(g: Goal) -> None:
            eq = next(reversed(g.seq.hyps))
            g.rewrite(eq, back=True)
            g.conj(lambda g: g.nc(rw=[first, low]), lambda g: g.nc(rw=[first]))

        def step(g: Goal) -> None:
            strict = next(reversed(g.seq.hyps))
            g.by_fact("int_lt", 1, "l", by=[using(strict)])
            before = g.split(g.apply(ih, "l - 1"))
            q, _ = g.split(g.apply(steps, "l"))
            c, gram = g.split(g.apply(inner, "l"))
            power = power_sum(g, "c", S, "l - 1", "1", "l")
            g.conj(
                lambda g: g.nc((gram, 1, "W(l)", "Q(l-1)"), (before[0], 1, "W(l)", None), rw=[q, c]),
                lambda g: g.nc(
                    (gram, 1, "T(Q(l-1))", "Q(l-1)"),
                    (before[0], 1, "T(Q(l-1))", None),
                    (before[1], 1, None, S),
                    (power, -1, None, None),
                    rw=[q],
                ),
            )

        g.cases(g.by_fact("lt_or_eq", 1, "l", by=[using(lo)]), step, base)

    both = g.have(f"all l:Z. 1 <= l => l <= L - 1 => C(l) @ Q(l) = Q(l) @ {S} and T(Q(l)) @ Q(l) = ({S})^l", up)

    def down(g: Goal) -> None:
        ih = g.induct("k")
        lo = next(k for k in g.seq.hyps if k.endswith("_lo"))
        g.assume()

        def base(g: Goal) -> None:
            eq = next(reversed(g.seq.hyps))
            g.rewrite(eq, back=True)
            end = g.split(g.apply(both, "L - 1"))[0]
            g.nc((high, 1, None, "Q(L-1)"), (end, 1, None, None), rw=[last, product])

        def step(g: Goal) -> None:
            strict = next(reversed(g.seq.hyps))
            g.by_fact("int_lt", 1, "k", by=[using(strict)])
            before = g.apply(ih, "k - 1")
            q, p = g.split(g.apply(steps, "L - k + 1"))
            _, gram = g.split(g.apply(inner, "L - k + 1"))
            end = g.split(g.apply(both, "L - k"))[0]
            power = power_sum(g, "c", S, "1", "k - 1", "k")
            shift = f"({S})^(k-1)"
            g.nc(
                (before, 1, "T(W(L-k+1))", None),
                (gram, 1, None, f"Q(L-k) @ {shift}"),
                (end, 1, None, shift),
                (power, -1, "Q(L-k)", None),
                rw=[p, q],
            )

        g.cases(g.by_fact("lt_or_eq", 1, "k", by=[using(lo)]), step, base)

    downwards = g.have(f"all k:Z. 1 <= k => k <= L - 1 => T(P(L-k)) @ X = Q(L-k) @ ({S})^k", down)

    def each(g: Goal) -> None:
        g.fix("l")
        g.split_all(g.assume())
        up_l = g.split(g.apply(both, "l"))[1]
        down_l = g.apply(downwards, "L - l")
        g.conj(using(up_l), lambda g: g.nc((down_l, 1, None, None)))

    def whole(g: Goal) -> None:
        end = g.split(g.apply(both, "L - 1"))
        power = power_sum(g, "c", S, "L - 1", "1", "L")
        g.nc(
            (high, 1, "T(Q(L-1))", "Q(L-1)"),
            (end[0], 1, "T(Q(L-1))", None),
            (end[1], 1, None, S),
            (power, -1, None, None),
            rw=[product],
        )

    g.conj(each, whole)


@part(
    "razin2020.lemma-4",
    "splits",
    f"""all r c n L:Z, A:M(n,c), B:M(r,n), W:Z->M(n,n), P:Z->M(r,n), Q:Z->M(n,c), X:M(r,c). 2 <= L =>
       {STATIC} all l:Z. 1 <= l => l <= L - 1 => P(l) @ Q(l) = X""",
    says="the product matrix split after the l-th factor",
)
def product_splits_after_each_factor(g: Goal) -> None:
    """Upwards from P(1) Q(1): it does not depend on l, and at l = L - 1 it is X."""
    _, _, last, product, steps, *_ = g.intro()

    def downwards(g: Goal) -> None:
        ih = g.induct("k")
        lo = next(k for k in g.seq.hyps if k.endswith("_lo"))
        g.assume()

        def base(g: Goal) -> None:
            g.rewrite(next(reversed(g.seq.hyps)), back=True)
            g.nc(rw=[last, product])

        def step(g: Goal) -> None:
            strict = next(reversed(g.seq.hyps))
            g.by_fact("int_lt", 1, "k", by=[using(strict)])
            before = g.apply(ih, "k - 1")
            q, p = g.split(g.apply(steps, "L - k + 1"))
            g.nc((before, 1, None, None), (q, -1, "P(L-k+1)", None), (p, 1, None, "Q(L-k)"))

        g.cases(g.by_fact("lt_or_eq", 1, "k", by=[using(lo)]), step, base)

    h = g.have("all k:Z. 1 <= k => k <= L - 1 => P(L-k) @ Q(L-k) = X", downwards)
    g.intro()
    k = g.apply(h, "L - l")
    g.nc((k, 1, None, None))


@part(
    "razin2020.lemma-4",
    "left-powers",
    f"""all r c n L:Z, A:M(n,c), B:M(r,n), W:Z->M(n,n), P:Z->M(r,n), Q:Z->M(n,c), X:M(r,c), C:Z->M(n,n). 2 <= L =>
       {STATIC}
       C(1) = A @ T(A) => T(B) @ B = C(L-1) =>
       (all l:Z. {INNER} => C(l) = W(l) @ T(W(l)) and T(W(l)) @ W(l) = C(l-1)) =>
       (all l:Z. 1 <= l and l <= L - 1 => P(l) @ T(P(l)) = ({R})^(L-l)) and X @ T(X) = ({R})^L""",
    says="for balanced factors: (W_L..W_{l+1}) (W_L..W_{l+1})^T = (W_L W_L^T)^(L-l)",
)
def gram_matrices_of_left_products(g: Goal) -> None:
    """The same for the transposed factors in reversed order."""
    _, first, last, _product, steps, low, high, inner = g.intro()
    splits = g.lemma("razin2020.lemma-4", "part:splits", "r", "c", "n", "L", "A", "B", "W", "P", "Q", "X")
    at_one = g.apply(splits, 1)

    def reversed_steps(g: Goal) -> None:
        g.intro()
        q, p = g.split(g.apply(steps, "L + 1 - l"))
        g.conj(lambda g: transposed(g, p), lambda g: transposed(g, q))

    def reversed_inner(g: Goal) -> None:
        g.intro()
        c, gram = g.split(g.apply(inner, "L + 1 - l"))
        g.conj(lambda g: g.nc((gram, -1, None, None)), lambda g: g.nc((c, -1, None, None)))

    h = g.lemma(
        "razin2020.lemma-4",
        "part:right-powers",
        "c",
        "r",
        "n",
        "L",
        "T(B)",
        "T(A)",
        "lam l:Z. T(W(L + 1 - l))",
        "lam l:Z. T(Q(L - l))",
        "lam l:Z. T(P(L - l))",
        "T(X)",
        "lam l:Z. C(L - l)",
        by=[
            None,
            lambda g: transposed(g, last),
            lambda g: transposed(g, first),
            lambda g: product_transposed(g, at_one, first),
            reversed_steps,
            lambda g: g.nc((high, -1, None, None)),
            lambda g: g.nc((low, -1, None, None)),
            reversed_inner,
        ],
    )
    each, whole = g.split(h)

    def powers(g: Goal) -> None:
        g.fix("l")
        g.split_all(g.assume())
        k = g.split(g.apply(each, "L - l"))[0]
        g.nc((k, 1, None, None))

    g.conj(powers, lambda g: g.nc((whole, 1, None, None)))


def transposed(g: Goal, h: str) -> None:
    """T(u) = T(v) from u = v, where u is one letter."""
    g.nc(rw=[h])


def product_transposed(g: Goal, split: str, first: str) -> None:
    """T(X) = T(A) T(P(1)) from P(1) Q(1) = X."""

    def turned(g: Goal) -> None:
        g.rewrite(split, back=True)
        g.nc()

    eq = g.have("T(X) = T(Q(1)) @ T(P(1))", turned)
    g.nc((eq, 1, None, None), rw=[first])
