"""Section 3.1, one output: for a small scale the columns of the hidden layer align with beta."""

from __future__ import annotations

from proofs.razin2020.scripts import using
from proofs.varre2023.network_and_loss import size
from proofs.varre2023.projection_steps import VARS
from proofs.varre2023.residual_decay import NO_RESTRICTION, TWO_WITH_TARGET
from proofs.varre2023.variational_limit import first_is_regular
from verify.kernel import Goal
from verify.registry import holds, part

CLAIM = "varre2023.assertion-columns-align"
ONE_OUTPUT = (
    TWO_WITH_TARGET.replace("n p k l:Z", "n p l:Z")
    .replace("M(n,k)", "V(n)")
    .replace("M(l,k)", "V(l)")
    .replace("M(p,k)", "V(p)")
    .replace("O(l,k)", "O(l,1)")
)
BESIDE = "(C - (1/q^2)*(e @ T(e) @ C))"


@part(
    CLAIM,
    "at-the-limit",
    f"""all p l:Z, c q:R, P:M(p,l), A:M(p,p), B e:V(p), C:M(p,l). e = A @ B => 0 < c => P @ T(P) = I(p) => T(A) @ A - B @ T(B) = (2*c)*I(p) => C = A @ P =>
       0 < q => q^2 = {size("e")} => {size(BESIDE)} = 2*c*(p - 1) and q <= {size("T(e) @ C")}/q^2""",
    says="the parts of the columns of A P beside beta = A B, and along it, for e = A B, if A and B satisfy the invariant",
)
def parts_beside_and_along(g: Goal) -> None:
    """With G = A A^T and the projection E beside beta, G^2 = 2 gamma G + beta beta^T gives E G = 2 gamma E, and G beta = (2 gamma + |B|^2) beta."""
    g.fix()
    bb, small, frame, invariant, layer, positive, norm = (g.assume() for _ in range(7))

    def dimension(g: Goal) -> None:
        g.contra("less")
        g.have("p < 1", lambda g: g.pos(["@less"], [1]))
        entries = g.fact("frobenius_entries", "p", 1, "e")
        empty = g.by_fact("sum_empty", 1, "p", "lam i:Z. sum(j, 1, 1, e[i,j]^2)")
        g.pos([f"@{positive}", "q"], eqs=[(norm, -1), (entries, -1), (empty, -1)])

    low = g.have("0 <= p", dimension)
    regular = g.have("det(A) != 0", lambda g: first_is_regular(g, invariant))
    turned = g.have("det(T(A)) != 0", lambda g: (g.rewrite(g.fact("det_transpose", "p", "A")), g.close_by(regular))[-1])
    right = g.by_fact("inv_right", "p", "A", by=[using(regular)])
    right_t = g.by_fact("inv_right", "p", "T(A)", by=[using(turned)])
    (ee,) = g.obtain(
        g.have("ex E:M(p,p). E = I(p) - (1/q^2)*(e @ T(e))", lambda g: (g.witness("I(p) - (1/q^2)*(e @ T(e))"), g.refl())[-1]),
        "E",
        split=False,
    )
    entries = g.fact("tr_entries", 1, "T(e) @ e")
    unit = g.have("T(e) @ e = q^2*I(1)", lambda g: g.ext(lambda g: g.field((entries, -1), (norm, -1))))
    idle = g.have("E @ e = O(p,1)", lambda g: g.nc((ee, 1, None, "e"), (unit, "-1/q^2", "e", None)))
    square = g.have(
        "A @ T(A) @ A @ T(A) = (2*c)*(A @ T(A)) + e @ T(A @ B)",
        lambda g: g.nc((invariant, 1, "A", "T(A)"), (bb, -1, None, "T(B) @ T(A)")),
    )
    cut = g.have(
        "E @ A @ T(A) @ A @ T(A) = (2*c)*(E @ A @ T(A))", lambda g: g.nc((square, 1, "E", None), (idle, 1, None, "T(B) @ T(A)"))
    )
    flat = g.have(
        "E @ A @ T(A) = (2*c)*E",
        lambda g: g.nc(
            (cut, 1, None, "inv(T(A)) @ inv(A)"),
            (right_t, -1, "E @ A @ T(A) @ A", "inv(A)"),
            (right, -1, "E @ A @ T(A)", None),
            (right_t, "2*c", "E @ A", "inv(A)"),
            (right, "2*c", "E", None),
        ),
    )
    turn = g.have("T(E) = E", lambda g: g.nc(rw=[ee]))
    again = g.have("E @ E = E", lambda g: g.nc((ee, 1, "E", None), (idle, "-1/q^2", None, "T(e)")))
    beside = g.have("C - (1/q^2)*(e @ T(e) @ C) = E @ A @ P", lambda g: g.nc((layer, 1, "E", None), (ee, -1, None, "C")))

    def first(g: Goal) -> None:
        g.rewrite(beside)
        whole = g.have(
            "E @ A @ P @ T(E @ A @ P) = (2*c)*E",
            lambda g: g.nc(
                (frame, 1, "E @ A", "T(A) @ T(E)"), (flat, 1, None, "T(E)"), (turn, "2*c", "E", None), (again, "2*c", None, None)
            ),
        )
        cyclic = g.have(f"{size('(E @ A @ P)')} = tr(E @ A @ P @ T(E @ A @ P))", lambda g: g.field())
        value = g.have("tr(E @ A @ P @ T(E @ A @ P)) = 2*c*tr(E)", lambda g: (g.rewrite(whole), g.field())[-1])
        trace = g.have("tr(E) = tr(I(p)) - 1", lambda g: (g.rewrite(ee), g.field((norm, "1/q^2")))[-1])
        ones = g.fact("tr_entries", "p", "I(p)")
        terms = g.by_fact(
            "sum_ext", 1, "p", "lam i:Z. I(p)[i,i]", "lam i:Z. 1", by=[lambda g: (g.fix("i"), g.split(g.assume()), g.field())[-1]]
        )
        count = g.by_fact("sum_const", 1, "p", 1, by=[lambda g: g.pos([f"@{low}"])])
        g.field((cyclic, 1), (value, 1), (trace, "2*c"), (ones, "2*c"), (terms, "2*c"), (count, "2*c"))

    own = g.fact("tr_entries", 1, "T(B) @ B")
    inner = g.have(f"T(B) @ B = {size('B')}*I(1)", lambda g: g.ext(lambda g: g.field((own, -1))))
    n = size("B")

    def second(g: Goal) -> None:
        stretched = g.have(
            f"A @ T(A) @ e = (2*c + {n})*e",
            lambda g: g.nc(
                (bb, 1, "A @ T(A)", None), (invariant, 1, "A", "B"), (inner, 1, "A @ B", None), (bb, f"-(2*c + {n})", None, None)
            ),
        )
        along = g.have(
            f"T(e) @ C @ T(T(e) @ C) = ((2*c + {n})*q^2)*I(1)",
            lambda g: along_beta(g, layer, frame, stretched, unit),
        )
        cyclic = g.have(f"{size('(T(e) @ C)')} = tr(T(e) @ C @ T(T(e) @ C))", lambda g: g.field())
        value = g.have(f"{size('(T(e) @ C)')} = (2*c + {n})*q^2", lambda g: g.field((cyclic, 1), (trace_of(g, along), 1)))
        length = g.have(f"q^2 = (2*c + {n})*{n}", lambda g: squared(g, norm, bb, invariant, inner))
        g.rewrite(value)
        g.have(f"0 <= {n}")

        def short(g: Goal) -> None:
            large = g.contra()
            g.pos([f"@{large}", f"@{large}"], ["2", f"@{large}", f"2*c + {n}"], ["2*c", f"2*c + {n}"], eqs=[(length, -1)])

        short_ = g.have(f"q <= 2*c + {n}", short)
        g.pos([f"@{short_}"])

    g.conj(first, second)


def along_beta(g: Goal, layer: str, frame: str, stretched: str, unit: str) -> None:
    """e^T C C^T e = e^T A A^T e."""
    n = size("B")
    g.replace("C", "A @ P", using(layer))
    g.nc((frame, 1, "T(e) @ A", "T(A) @ e"), (stretched, 1, "T(e)", None), (unit, f"2*c + {n}", None, None))


def trace_of(g: Goal, h: str) -> str:
    """The trace of an equation of 1 x 1 matrices."""
    left, right = g.hyp_formula(h)[1:]
    return g.have(("=", ("tr", left), ("tr", right)), lambda g: (g.rewrite(h), g.refl())[-1])


def squared(g: Goal, norm: str, bb: str, invariant: str, inner: str) -> None:
    """|A B|^2 = B^T (2 gamma + B B^T) B."""
    n = size("B")
    whole = g.have(
        f"T(A @ B) @ (A @ B) = ((2*c + {n})*{n})*I(1)",
        lambda g: g.nc((invariant, 1, "T(B)", "B"), (inner, f"2*c + {n}", None, None), (inner, 1, None, "T(B) @ B")),
    )
    back = g.have("A @ B = e", lambda g: g.nc((bb, -1, None, None)))
    whole = g.rewritten(whole, back)
    g.field((norm, 1), (trace_of(g, whole), 1))


@holds(
    CLAIM,
    f"""{ONE_OUTPUT} ex A:M(p,l), B:V(l), e:V(p), L:V(n). tends(t, W1(t), A) and tends(t, W2(t), B) and e = A @ B and X @ e = Y and e = T(X) @ L and
       all q:R. 0 < q => q^2 = {size("e")} => {size(BESIDE.replace("C", "A"))} = 2*c*(p - 1) and q <= {size("T(e) @ A")}/q^2""",
    argument="sound",
    reading="A is the limit of W_1 and e = A B that of beta, the interpolator in the span of the data, which is the same for all gamma; q is its norm. The parts of all columns beside the direction"
    " of beta have together the squared norm 2 gamma (d - 1), which tends to 0 with gamma, while that of the parts along beta is at least q: the columns, which need not all stay away from 0, come"
    f" to lie on the line of beta. {NO_RESTRICTION}",
    context="beta is not 0 [the claim speaks of its direction]",
    uses=[CLAIM, "varre2023.thm-3-1-i"],
)
def columns_align_with_beta(g: Goal) -> None:
    """The part at the limit."""
    names = g.intro()
    small, ortho = names[1:3]
    done = g.lemma("varre2023.thm-3-1-i", "part:limit", *("n", "p", "1", *VARS[3:]), "b", by=[using(n) for n in names])
    a, b, fits, invariant, spanned = g.obtain(done, "A", "B")
    (span,) = g.obtain(spanned, "L", split=False)
    g.witness("A @ P", "T(P) @ B", "A @ B", "L")

    def parts(g: Goal) -> None:
        g.fix("q")
        positive, norm = g.assume(), g.assume()
        known = [None, using(small), using(ortho), using(invariant), None, using(positive), using(norm)]
        g.close_by(g.lemma(CLAIM, "part:at-the-limit", "p", "l", "c", "q", "P", "A", "B", "A @ B", "A @ P", by=known))

    g.conj(
        using(a),
        using(b),
        lambda g: g.nc((ortho, -1, "A", "B")),
        lambda g: g.nc((fits, 1, None, None)),
        using(span),
        parts,
    )
