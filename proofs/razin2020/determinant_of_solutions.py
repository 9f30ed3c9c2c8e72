"""Appendix E: the determinant along the solution set of the d x d problem."""

from __future__ import annotations

from proofs.razin2020.larger_matrices import BLOCKS, larger, two
from proofs.razin2020.scripts import only, using
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import holds

CLAIM = "razin2020.assertion-e-determinant"
ENTRY = "I(d)[i,j] - (I(d)[i,1] - I(d)[i,2])*(I(d)[j,1] - I(d)[j,2]) + W[1,1]*(I(d)[i,1]*I(d)[j,1])"


@holds(
    CLAIM,
    f"""all d:Z, W:M(d,d). 2 <= d => {BLOCKS} => det(W) = -1 and 1 <= abs(det(W))""",
    argument="sound",
    reading="the entry (1,1) is free; W is a member of the solution set (26)",
)
def determinant_is_minus_one(g: Goal) -> None:
    """With p, q the first unit vectors and v = p - q: W = I - v v^T + w p p^T = (I + w p q^T)(I - v v^T); Sylvester's identity for both."""
    size, w12, w21, w22, diag, off = g.intro()
    one = g.have("1 <= d", lambda g: (only(g, size), g.pos([f"@{size}"], [1]))[-1])
    (p,) = g.obtain(g.by_fact("unit_vector", "d", 1, by=[None, using(one)]), "p")
    (q,) = g.obtain(g.by_fact("unit_vector", "d", 2, by=[None, using(size)]), "q")
    unit = {"p": (p, 1), "q": (q, 2)}

    def coordinate(g: Goal, name: str, i: str) -> str:
        """p[i] = I[i,1]."""
        h, j = unit[name]
        k = g.apply(h, "d", "I(d)", i)
        return g.have(f"{name}[{i},1] = I(d)[{i},{j}]", lambda g: entry_of_identity(g, k, name))

    def inner(g: Goal, left: str, right: str, value: int) -> str:
        h, j = unit[right]
        i = unit[left][1]

        def prove(g: Goal) -> None:
            k = g.apply(h, 1, f"T({left})", 1)
            c = coordinate(g, left, str(j))
            only(g, k, c, one, size)
            e = g.have(f"I(d)[{j},{i}] = {value}", lambda g: g.field())
            g.ext(lambda g: g.field((k, 1), (c, 1), (e, 1)))

        return g.have(f"T({left}) @ {right} = {'I(1)' if value else 'O(1,1)'}", prove)

    pp, qq, pq, qp = inner(g, "p", "p", 1), inner(g, "q", "q", 1), inner(g, "p", "q", 0), inner(g, "q", "p", 0)

    def entries(g: Goal) -> None:
        g.extn("i", "j")
        c = [coordinate(g, name, i) for name in "pq" for i in "ij"]
        value = g.have(
            f"(I(d) - (p - q) @ T(p - q) + W[1,1]*(p @ T(p)))[i,j] = {ENTRY}", lambda g: (only(g, *c), g.field(rw=c))[-1]
        )
        g.rewrite(value)
        a, b, e, f = "i_lo", "i_hi", "j_lo", "j_hi"
        only(g, size, one, w12, w21, w22, diag, off, a, b, e, f)

        def large(g: Goal) -> None:
            far = next(reversed(g.seq.hyps))

            def equal(g: Goal) -> None:
                eq = next(reversed(g.seq.hyps))
                low = g.have(
                    "3 <= j",
                    lambda g: g.cases(
                        far,
                        lambda g: (g.rewrite(eq, back=True), g.close_by(next(reversed(g.seq.hyps))))[-1],
                        lambda g: g.close_by(next(reversed(g.seq.hyps))),
                    ),
                )
                k = g.apply(diag, "j", by=[lambda g: g.conj(using(low), using(f))])
                g.rewrite(eq)
                apart(g, "j", low)
                own = g.have("I(d)[j,j] = 1", lambda g: g.field())
                zero = [g.have(f"I(d)[j,{n}] = 0", lambda g: g.field()) for n in (1, 2)]
                only(g, k, own, *zero)
                g.field(rw=[k, own, *zero])

            def different(g: Goal) -> None:
                ne = next(reversed(g.seq.hyps))
                k = g.apply(off, "i", "j", by=[lambda g: g.conj(*[using(x) for x in (a, b, e, f, ne, far)])])
                own = g.have("I(d)[i,j] = 0", lambda g: g.field())

                def script(name: str) -> Script:
                    def run(g: Goal) -> None:
                        low = next(reversed(g.seq.hyps))
                        apart(g, name, low)
                        zero = [g.have(f"I(d)[{name},{n}] = 0", lambda g: g.field()) for n in (1, 2)]
                        only(g, k, own, *zero)
                        g.field(rw=[k, own, *zero])

                    return run

                g.cases(far, script("i"), script("j"))

            g.em("i = j", equal, different)

        def small(g: Goal) -> None:
            x, y = g.split(next(reversed(g.seq.hyps)))
            i2, j2 = two(g, "i", a, x), two(g, "j", e, y)

            def row(g: Goal) -> None:
                g.rewrite(next(reversed(g.seq.hyps)))
                g.cases(j2, column, column)

            def column(g: Goal) -> None:
                g.rewrite(next(reversed(g.seq.hyps)))
                only(g, size, one, w12, w21, w22)
                g.field(rw=[w12, w21, w22])

            g.cases(i2, row, row)

        g.em("3 <= i or 3 <= j", large, small)

    form = g.have("W = I(d) - (p - q) @ T(p - q) + W[1,1]*(p @ T(p))", entries)
    (w,) = g.obtain(g.have("ex w:R. w = W[1,1]", lambda g: (g.witness("W[1,1]"), g.refl())[-1]), "w", split=False)
    back = g.have("W[1,1] = w", lambda g: (only(g, w), g.field((w, -1)))[-1])
    form = g.have("W = I(d) - (p - q) @ T(p - q) + w*(p @ T(p))", lambda g: (g.rewrite(back, back=True), g.close_by(form))[-1])
    only(g, form, pp, qq, pq, qp)
    first, second = "(I(d) + (w*p) @ T(q))", "(I(d) + (q - p) @ T(p - q))"
    product = g.have(
        f"W = {first} @ {second}",
        lambda g: g.nc((form, 1, None, None), (qp, "w", "p", "T(p - q)"), (qq, "-w", "p", "T(p - q)")),
    )
    det = g.fact("det_product", "d", first, second)
    left = g.fact("det_one_plus", "d", 1, "w*p", "T(q)")
    right = g.fact("det_one_plus", "d", 1, "q - p", "T(p - q)")
    a = g.have("I(1) + T(q) @ (w*p) = I(1)", lambda g: (only(g, qp), g.nc((qp, "w", None, None)))[-1])
    b = g.have(
        "I(1) + T(p - q) @ (q - p) = -1*I(1)",
        lambda g: (
            only(g, pp, qq, pq, qp),
            g.nc((pp, -1, None, None), (qq, -1, None, None), (pq, 1, None, None), (qp, 1, None, None)),
        )[-1],
    )
    left, right = g.rewritten(left, a), g.rewritten(right, b)
    ones = g.have("det(I(1)) = 1", lambda g: (only(g), g.field())[-1])
    minus = g.have("det(-1*I(1)) = -1", lambda g: (only(g), g.field())[-1])
    value = g.have(
        "det(W) = -1",
        lambda g: (
            g.rewrite(product),
            only(g, det, left, right, ones, minus),
            g.field((det, 1), (left, f"det({second})"), (right, "det(I(1))"), (ones, "det(-1*I(1))"), (minus, 1)),
        )[-1],
    )
    g.conj(using(value), lambda g: (g.rewrite(value), only(g), g.have("abs(-1) = 1", lambda g: g.field()), g.auto())[-1])


def entry_of_identity(g: Goal, k: str, name: str) -> None:
    """(I e)[i,1] = e[i,1]."""
    same = g.have(f"I(d) @ {name} = {name}", lambda g: (only(g), g.nc())[-1])
    k = g.rewritten(k, same)
    g.close_by(k)


def apart(g: Goal, name: str, low: str) -> None:
    """An index of at least 3 is neither 1 nor 2."""
    g.have(f"{name} != 1", lambda g: larger(g, low))

    def second(g: Goal) -> None:
        h = g.contra()
        only(g, low, h)
        g.nlin(use=[low, h])

    g.have(f"{name} != 2", second)
