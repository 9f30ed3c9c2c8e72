"""Section 3.1: on the diagonal pattern, turning one pair against the other gives full rank but for finitely many rotations."""

from __future__ import annotations

from itertools import combinations

from proofs.shin2025.nearly_rank_one import Limit, along, of, times
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import holds, part

ID = "shin2025.assertion-md-high-rank"
E1, E2 = "[[1,0],[0,0]]", "[[0,0],[0,1]]"
DIAGONAL = "[[1,0],[0,1]]"


def flow(a: str, b: str) -> str:
    """The gradient flow with the diagonal observed; a and b are terms in t."""
    residual = f"had({DIAGONAL}, {a} @ {b} - W)"
    return f"(all t:R. 0 <= t => D(t, {a}, t) = -({residual} @ T({b})) and D(t, {b}, t) = -(T({a}) @ {residual}))"


def turned(a: str, b: str, r: str) -> tuple[str, str]:
    """Row 2 of A and column 2 of B, turned by r."""
    return f"({E1} @ {a} + {E2} @ ({a} @ T({r})))", f"({b} @ {E1} + {r} @ ({b} @ {E2}))"


AT, BT = turned("A(t)", "B(t)", "R")
AX, BY = turned("X", "Y", "R")
TURN = f"""(all R:M(2,2). T(R) @ R = I(2) => {flow(AT, BT)} and tends(t, {AT}, {AX}) and tends(t, {BT}, {BY}))"""


def rotation(u: str) -> str:
    """The rotation by 2 arctan u."""
    return f"[[(1 - {u}^2)/(1 + {u}^2), -(2*{u}/(1 + {u}^2))],[2*{u}/(1 + {u}^2), (1 - {u}^2)/(1 + {u}^2)]]"


def determinant(u: str) -> str:
    a, b = turned("X", "Y", rotation(u))
    return f"det({a} @ {b})"


POINTS = [f"u{i}" for i in range(1, 6)]
DISTINCT = " => ".join(f"{x} != {y}" for x, y in combinations(POINTS, 2))
SOME = f"(all {' '.join(POINTS)}:R. {DISTINCT} => {' or '.join(f'{determinant(u)} != 0' for u in POINTS)})"


def quartic(u: str) -> str:
    return f"(a*{u}^4 + b*{u}^3 + c*{u}^2 + e*{u} + f)"


@part(
    ID,
    "quartic",
    f"all a b c e f {' '.join(POINTS)}:R. {DISTINCT} => {' => '.join(f'{quartic(u)} = 0' for u in POINTS)} =>"
    " a = 0 and b = 0 and c = 0 and e = 0 and f = 0",
    says="A polynomial of degree 4 with five roots is 0.",
)
def five_roots(g: Goal) -> None:
    """Divided differences."""
    hs = g.intro()
    distinct, roots = hs[:10], hs[10:]
    for (x, y), h in zip(combinations(POINTS, 2), distinct, strict=True):

        def apart(g: Goal, x: str = x, y: str = y, h: str = h) -> None:
            z = g.contra()
            g.clash(g.have(f"{x} = {y}", lambda g: g.field((z, 1))), h)

        g.have(f"{x} - {y} != 0", apart)
    known: list[tuple[str, str]] = []
    done = []
    for name, degree in zip("abcef", (4, 3, 2, 1, 0), strict=True):
        points = POINTS[: degree + 1]

        def weight(i: int, points: list[str] = points) -> str:
            factors = [f"({points[i]} - {q})" if j > i else f"(-({q} - {points[i]}))" for j, q in enumerate(points) if j != i]
            return "1/(" + "*".join(factors) + ")" if factors else "1"

        def value(g: Goal, points: list[str] = points, degree: int = degree) -> None:
            lower = [(h, "-(" + " + ".join(f"{p}^{k}*{weight(i, points)}" for i, p in enumerate(points)) + ")") for h, k in known]
            g.field(*[(roots[i], weight(i, points)) for i in range(len(points))], *lower)

        h = g.have(f"{name} = 0", value)
        known.append((h, str(degree)))
        done.append(h)
    g.conj(*[lambda g, h=h: g.close_by(h) for h in done])  # type: ignore[misc]


@part(
    ID,
    "trigonometric",
    f"""all p q r s w {" ".join(POINTS)}:R. w != 0 => {DISTINCT} =>
        {" => ".join(f"w*(1 + {u}^2)^2 = ((1 - {u}^2)*p + 2*{u}*q)*((1 - {u}^2)*r + 2*{u}*s)" for u in POINTS)} => false""",
    says="(p cos + q sin)(r cos + s sin) takes a value w != 0 for at most four rotations.",
    uses=[ID],
)
def at_most_four_rotations(g: Goal) -> None:
    """Otherwise p r = w, q s = w and p s = -q r, so that w^2 = -(q r)^2."""
    hs = g.intro()
    coefficients = ("w - p*r", "2*(p*s + q*r)", "2*w + 2*p*r - 4*q*s", "-2*(p*s + q*r)", "w - p*r")
    distinct: list[Script | None] = [lambda g, h=h: g.close_by(h) for h in hs[1:11]]  # type: ignore[misc]
    roots: list[Script | None] = [lambda g, h=h: g.field((h, 1)) for h in hs[11:]]  # type: ignore[misc]
    zero = g.split_all(g.lemma(ID, "part:quartic", *coefficients, *POINTS, by=[*distinct, *roots]))
    square = g.have("w^2 + (q*r)^2 = 0", lambda g: combine(g, zero))
    w0 = g.have("w^2 = 0", lambda g: g.antisym(lambda g: g.pos(["(q*r)^2"], eqs=[(square, -1)]), None))
    z = g.by_fact("square_zero", "w", by=[lambda g: g.close_by(w0)])
    g.clash(z, hs[0])


def combine(g: Goal, zero: list[str]) -> None:
    """w^2 = (p r)(q s) = (p s)(q r) = -(q r)^2."""
    pr = g.have("p*r = w", lambda g: g.field((zero[0], -1)))
    qs = g.have("q*s = w", lambda g: g.field((zero[2], "-1/4"), (zero[0], "-1/2")))
    ps = g.have("p*s = -(q*r)", lambda g: g.field((zero[1], "1/2")))
    g.field((pr, "-q*s"), (qs, "-w"), (ps, "q*r"))


@holds(
    ID,
    f"""all W:M(2,2), A B:R~>M(2,2), X Y:M(2,2). {flow("A(t)", "B(t)")} => tends(t, A(t), X) => tends(t, B(t), Y) =>
        (X @ Y)[1,1] = W[1,1] => (X @ Y)[2,2] = W[2,2] => W[1,1]*W[2,2] != 0 => {TURN} and {SOME}""",
    argument="repaired",
    covers="instances",
    because="inner width d_1 = 2, and generic is taken as: turning one pair against the other, all rotations but at most four",
    context="convergence to zero loss, observed values that are not 0",
    reading="The pair (a_2, b_2) may be turned by any orthogonal matrix: the turned factors are again a flow, with the turned limits, and"
    " nothing ties it to the other pair. Among the rotations by 2 arctan u at most four values of u lead to a limit of rank 1 (of any"
    " five distinct ones at least one has a limit with a determinant that is not 0)",
    readings=[("Gaussian starts lead to rank 2 almost surely", "open", None)],
    uses=[ID],
)
def turned_pairs_have_full_rank(g: Goal) -> None:
    """The gradient is diagonal, so it commutes with the projections on the two pairs. The determinant of the turned limit is
    w11 w22 - (a_1.R b_2)(R a_2.b_1)."""
    g.fix()
    fl, la, lb, fit1, fit2, nonzero = (g.assume() for _ in range(6))

    def turn(g: Goal) -> None:
        g.fix("R")
        ortho = g.assume()

        def again(g: Goal) -> None:
            (u,) = g.fix("u")
            g.assume()
            a, b = g.split(g.apply(fl, u))
            here, there = AT.replace("(t)", f"({u})"), BT.replace("(t)", f"({u})")
            plain = f"had({DIAGONAL}, A({u}) @ B({u}) - W)"
            product = g.have(f"(A({u}) @ T(R)) @ (R @ B({u})) = A({u}) @ B({u})", lambda g: g.nc(rw=[ortho]))
            entry = g.have(
                f"((A({u}) @ T(R)) @ (R @ B({u})))[2,2] = (A({u}) @ B({u}))[2,2]", lambda g: (g.rewrite(product), g.refl())[-1]
            )

            def cell(g: Goal) -> None:
                g.field(*([(entry, 1)] if g.concl[1][2:] == (2, 2) else []))

            same = g.have(f"had({DIAGONAL}, {here} @ {there} - W) = {plain}", lambda g: g.ext(cell))
            n = g.obtain(g.have(f"ex N:M(2,2). N = {plain}", lambda g: (g.witness(plain), g.refl())[-1]), "N")[0]
            entries: Script = lambda g: g.ext(lambda g: g.field())  # noqa: E731
            one, two = (g.have(f"{e} @ N = N @ {e}", lambda g: (g.rewrite(n), entries(g))[-1]) for e in (E1, E2))
            flat = [g.have(f"T({e}) = {e}", entries) for e in (E1, E2)]
            back = g.have(f"{plain} = N", lambda g: g.nc((n, -1, None, None)))
            da, db = g.differentiate("t", AT, u), g.differentiate("t", BT, u)

            def of_a(g: Goal) -> None:
                g.rewrite(da)
                g.rewrite(same)
                g.rewrite(back)
                x = g.rewritten(a, back)
                f = f"T(B({u}))"
                g.nc(
                    (x, 1, E1, None), (x, 1, E2, "T(R)"), (one, -1, None, f), (two, -1, None, f"{f} @ T(R)"),
                    (flat[0], 1, "N", f), (flat[1], 1, "N", f"{f} @ T(R)"),
                )  # fmt: skip

            def of_b(g: Goal) -> None:
                g.rewrite(db)
                g.rewrite(same)
                g.rewrite(back)
                x = g.rewritten(b, back)
                f = f"T(A({u}))"
                g.nc(
                    (x, 1, None, E1), (x, 1, "R", E2), (one, 1, f, None), (two, 1, f"R @ {f}", None),
                    (flat[0], 1, f, "N"), (flat[1], 1, f"R @ {f}", "N"),
                )  # fmt: skip

            g.conj(of_a, of_b)

        g.conj(again, lambda g: limit(g, "A", "X", la), lambda g: limit(g, "B", "Y", lb))

    def limit(g: Goal, m: str, end: str, h: str) -> None:
        shape = ("2", "2", "2")

        def fixed(x: str) -> Limit:
            return of(g, x, x, g.fact("tends_matrix_const", "2", "2", x))

        moving = of(g, f"{m}(t)", end, h)
        if m == "A":
            one, two = times(g, shape, fixed(E1), moving), times(g, shape, fixed(E2), times(g, shape, moving, fixed("T(R)")))
        else:
            one, two = times(g, shape, moving, fixed(E1)), times(g, shape, fixed("R"), times(g, shape, moving, fixed(E2)))
        total = g.by_fact(
            "tends_matrix_add",
            "2",
            "2",
            one[1],
            two[1],
            along(one[0]),
            along(two[0]),
            by=[lambda g: g.close_by(one[2]), lambda g: g.close_by(two[2])],
        )
        g.close_by(total)

    def some(g: Goal) -> None:
        distinct = g.intro()
        p = "(X[1,1]*Y[1,2] + X[1,2]*Y[2,2])"
        q = "(X[1,2]*Y[1,2] - X[1,1]*Y[2,2])"
        r = "(X[2,1]*Y[1,1] + X[2,2]*Y[2,1])"
        s = "(X[2,1]*Y[2,1] - X[2,2]*Y[1,1])"
        zeros = g.split(g.contra())

        def root(u: str, h: str) -> Script:
            n = f"(1 + {u}^2)^2"
            return lambda g: g.field((h, n), (fit1, f"-{n}*(X @ Y)[2,2]"), (fit2, f"-{n}*W[1,1]"))

        by: list[Script | None] = [lambda g: g.close_by(nonzero), *[lambda g, h=h: g.close_by(h) for h in distinct]]  # type: ignore[misc]
        roots = [root(u, h) for u, h in zip(POINTS, zeros, strict=True)]
        k = g.lemma(ID, "part:trigonometric", p, q, r, s, "W[1,1]*W[2,2]", *POINTS, by=[*by, *roots])
        g.step("absurd", h=k)

    g.conj(turn, some)
