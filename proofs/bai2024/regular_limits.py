"""Section 4, M_2: a balanced limit is regular unless its third row lies in the plane of the first two."""

from __future__ import annotations

from proofs.bai2024.limits_of_factors import CLAIM, DIRECTION
from proofs.bai2024.setting import last
from verify.kernel import Goal
from verify.registry import part

TOP, LAST, COLUMN = "[[1,0,0],[0,1,0]]", "[[0,0,1]]", "[[0],[0],[1]]"
ROWS = [[f"Uh[{i},{j}]" for j in (1, 2, 3)] for i in (1, 2)]
(A1, A2, A3), (B1, B2, B3) = ROWS
NORMAL = [f"({A2}*{B3} - {A3}*{B2})", f"({A3}*{B1} - {A1}*{B3})", f"({A1}*{B2} - {A2}*{B1})"]
CROSS = f"[[{', '.join(n[1:-1] for n in NORMAL)}]]"
"""The cross product of the rows of the 2 x 3 matrix Uh, as a row."""
START = [f"(X[3,{k}] + Y[{k},3])" for k in (1, 2, 3)]
GENERIC = f"({CROSS} @ (T({LAST} @ X) + Y @ {COLUMN}))[1,1] != 0"


def first_rows(g: Goal) -> dict[tuple[int, int], str]:
    """Adds Ah[i,j] = Uh[i,j] for the first two rows."""
    return {
        (i, j): g.have(
            f"Ah[{i},{j}] = Uh[{i},{j}]",
            lambda g, i=i, j=j: g.field(
                (g.have(f"({TOP} @ Ah)[{i},{j}] = Uh[{i},{j}]", lambda g: (g.rewrite("top_end"), g.refl())[-1]), 1)
            ),  # type: ignore[misc]
        )
        for i in (1, 2)
        for j in (1, 2, 3)
    }


@part(
    CLAIM,
    "regular-limit",
    f"""all Uh:M(2,3), X Y Ah Bh:M(3,3). {TOP} @ Ah = Uh => {CROSS} != O(1,3) => T(Ah) @ Ah = Bh @ T(Bh) => {DIRECTION} =>
       (Ah @ Bh)[3,3] = 5 => {GENERIC} => det(Ah @ Bh) != 0""",
    says="a balanced limit is regular unless the start of the third pair lies in the plane of the first two rows",
)
def balanced_limits_are_regular(g: Goal) -> None:
    """Were it singular, a vector in the kernel of Ah, which is a multiple of the cross product, would by the balance be in that of
    T(Bh). So it is orthogonal to the third row of Ah plus the third column of Bh, which is a multiple of that at the start, so 0."""
    g.fix()
    names = ["top_end", "curved", "balance", "direction", "value", "generic"]
    for name in names:
        g.assume(name)
    top = first_rows(g)
    singular = g.contra()
    one = g.fact("det_product", 3, "Ah", "Bh")
    left = g.fact("det_product", 3, "T(Ah)", "Ah")
    right = g.fact("det_product", 3, "Bh", "T(Bh)")
    ta, tb = g.fact("det_transpose", 3, "Ah"), g.fact("det_transpose", 3, "Bh")
    same = g.have("det(T(Ah) @ Ah) = det(Bh @ T(Bh))", lambda g: (g.rewrite("balance"), g.refl())[-1])
    dets = g.have(
        "ex p q:R. p = det(Ah) and q = det(Bh) and p*q = 0 and p^2 = q^2",
        lambda g: named(g, (one, left, right, ta, tb, same, singular)),
    )
    p, _, pq, squares = g.obtain(dets, "p", "q")
    power = g.have("p^2*p^2 = 0", lambda g: g.field((squares, "p^2"), (pq, "p*q")))
    p0 = g.by_fact(
        "square_zero", "p", by=[lambda g: g.close_by(g.by_fact("square_zero", "p^2", by=[lambda g: g.field((power, 1))]))]
    )
    deta = g.have("det(Ah) = 0", lambda g: g.field((p, -1), (p0, 1)))
    v = g.obtain(g.by_fact("det_kernel", 3, "Ah", by=[lambda g: g.close_by(deta)]), "v")
    in_kernel(g, v, top)


def named(g: Goal, hs: tuple[str, ...]) -> None:
    one, left, right, ta, tb, same, singular = hs
    g.witness("det(Ah)", "det(Bh)")
    g.conj(
        lambda g: g.refl(),
        lambda g: g.refl(),
        lambda g: g.step("field", eqs=((one, -1), (singular, 1))),
        lambda g: g.step(
            "field",
            eqs=((left, -1), (right, 1), (same, 1), (ta, g.term("-det(Ah)")), (tb, g.term("det(Bh)"))),
        ),
    )


def in_kernel(g: Goal, v: list[str], top: dict[tuple[int, int], str]) -> None:
    """A kernel vector v of Ah is one of Bh^T, and orthogonal to the sum of the third row and column, which is then 0."""
    nonzero_v, av = v
    w = g.have("T(T(Bh) @ v) @ (T(Bh) @ v) = O(1,1)", lambda g: g.nc(("balance", -1, "T(v)", "v"), (av, 1, "T(v) @ T(Ah)", None)))
    norm = g.have("tr(T(T(Bh) @ v) @ (T(Bh) @ v)) = 0", lambda g: (g.rewrite(w), g.field())[-1])
    bv = g.by_fact("frobenius_zero", 3, 1, "T(Bh) @ v", by=[lambda g: g.close_by(norm)])
    rows_ = [g.have(f"(Ah @ v)[{i},1] = 0", lambda g: (g.rewrite(av), g.field())[-1]) for i in (1, 2, 3)]
    column = g.have("(T(Bh) @ v)[3,1] = 0", lambda g: (g.rewrite(bv), g.field())[-1])
    x = [f"v[{i},1]" for i in (1, 2, 3)]
    n, start = NORMAL, START
    size = " + ".join(f"{c}^2" for c in n)
    number = " + ".join(f"{p}*{q}" for p, q in zip(n, start, strict=True))
    inner = "(" + " + ".join(f"{p}*{q}" for p, q in zip(n, x, strict=True)) + ")"
    sums = [f"(Ah[3,{k}] + Bh[{k},3])" for k in (1, 2, 3)]
    # |n|^2 v = (n.v) n, as v is orthogonal to both rows
    along = [
        g.have(f"({size})*{x[i]} = {inner}*{n[i]}", lambda g, i=i: triple(g, i, rows_, top))  # type: ignore[misc]
        for i in range(3)
    ]
    flat_sum = g.have(
        " + ".join(f"{s}*{y}" for s, y in zip(sums, x, strict=True)) + " = 0", lambda g: g.field((rows_[2], 1), (column, 1))
    )
    generic = g.have("(" + number + ") != 0", lambda g: generic_number(g))
    dirs = {(j, k): g.apply("direction", j, k) for j in (1, 2, 3) for k in (1, 2, 3)}
    numbers = g.have(
        f"ex m0 i0 g0:R. m0 = {size} and i0 = {inner} and g0 = " + number,
        lambda g: (g.witness(size, inner, number), g.conj(*[lambda g: g.refl()] * 3))[-1],
    )
    m0, i0, g0 = g.obtain(numbers, "m0", "i0", "g0")

    def inner_nonzero(g: Goal) -> None:
        """If n.v = 0 then |n|^2 v = 0, so v = 0 or n = 0."""
        zero = g.contra()
        some = g.have("v = O(3,1)", lambda g: g.ext(lambda g: component(g, zero)))
        g.clash(some, nonzero_v)

    def component(g: Goal, zero: str) -> None:
        i = g.concl[1][2]
        k = g.have(
            f"m0*{x[i - 1]} = 0", lambda g: g.field((along[i - 1], 1), (m0, x[i - 1]), (i0, f"-{n[i - 1]}"), (zero, n[i - 1]))
        )
        g.cases(
            g.by_fact("product_zero", "m0", x[i - 1], by=[lambda g: g.close_by(k)]),
            lambda g: size_zero(g),
            lambda g: g.field((last(g), 1)),
        )

    def size_zero(g: Goal) -> None:
        z = last(g)
        total = g.have(f"{size} = 0", lambda g: g.field((m0, -1), (z, 1)))
        flat_ = g.have(f"{CROSS} = O(1,3)", lambda g: g.ext(lambda g: square_part(g, total)))
        g.clash(flat_, "curved")

    def square_part(g: Goal, total: str) -> None:
        j = g.concl[1][3]
        c = n[j - 1]
        low = g.have(f"{c}^2 <= 0", lambda g: g.pos(*[[f"{o}^2"] for o in n if o != c], eqs=[(total, -1)]))
        z = g.have(f"{c}^2 = 0", lambda g: g.antisym(lambda g: g.close_by(low), None))
        k = g.by_fact("square_zero", c, by=[lambda g: g.close_by(z)])
        g.field((k, 1))

    inner_not = g.have("i0 != 0", inner_nonzero)
    short = [
        g.have(f"m0*{x[i]} = i0*{n[i]}", lambda g, i=i: g.field((along[i], 1), (m0, x[i]), (i0, f"-{n[i]}")))  # type: ignore[misc]
        for i in range(3)
    ]
    # s_j g0 i0 = m0 (s_j (p.v)) = m0 p_j (s.v) = 0
    vanish = []
    for j in (0, 1, 2):

        def third(g: Goal, j: int = j) -> None:
            k = g.have(
                f"i0*(g0*{sums[j]}) = 0",
                lambda g: g.field(
                    (g0, f"i0*{sums[j]}"),
                    *[(short[i], f"-{start[i]}*{sums[j]}") for i in range(3)],
                    *[(dirs[j + 1, i + 1], f"m0*{x[i]}") for i in range(3)],
                    (flat_sum, f"m0*{start[j]}"),
                ),
            )

            def no_inner(g: Goal) -> None:
                g.clash(last(g), inner_not)

            def rest(g: Goal) -> None:
                h = last(g)

                def no_generic(g: Goal) -> None:
                    z = last(g)
                    q = g.have("(" + number + ") = 0", lambda g: g.field((g0, -1), (z, 1)))
                    g.clash(q, generic)

                g.cases(
                    g.by_fact("product_zero", "g0", sums[j], by=[lambda g: g.close_by(h)]),
                    no_generic,
                    lambda g: g.close_by(last(g)),
                )

            g.cases(g.by_fact("product_zero", "i0", f"g0*{sums[j]}", by=[lambda g: g.close_by(k)]), no_inner, rest)

        vanish.append(g.have(f"{sums[j]} = 0", third))
    b = [f"Bh[{k},3]" for k in (1, 2, 3)]
    value = g.have(
        "-" + f"({b[0]}^2 + {b[1]}^2 + {b[2]}^2) = 5",
        lambda g: g.field(("value", 1), *[(vanish[k], f"-{b[k]}") for k in range(3)]),
    )
    g.pos(["5"], *[[f"{c}^2"] for c in b], eqs=[(value, 1)])


def triple(g: Goal, i: int, rows_: list[str], top: dict[tuple[int, int], str]) -> None:
    """|n|^2 v - (n.v) n = n x (v x n), where v x n = a (v.b) - b (v.a)."""
    a, b = ROWS
    n = NORMAL
    j, k = (i + 1) % 3, (i + 2) % 3
    # component i of n x w is n_j w_k - n_k w_j
    va = g.have(
        " + ".join(f"{p}*v[{q},1]" for p, q in zip(a, (1, 2, 3), strict=True)) + " = 0",
        lambda g: g.field((rows_[0], 1), rw=list(top.values())),
    )
    vb = g.have(
        " + ".join(f"{p}*v[{q},1]" for p, q in zip(b, (1, 2, 3), strict=True)) + " = 0",
        lambda g: g.field((rows_[1], 1), rw=list(top.values())),
    )
    g.field((vb, f"{n[j]}*{a[k]} - {n[k]}*{a[j]}"), (va, f"-({n[j]}*{b[k]} - {n[k]}*{b[j]})"))


def generic_number(g: Goal) -> None:
    eq = g.contra()
    k = g.have(f"({CROSS} @ (T({LAST} @ X) + Y @ {COLUMN}))[1,1] = 0", lambda g: g.field((eq, 1)))
    g.clash(k, "generic")
