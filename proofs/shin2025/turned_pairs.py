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
TURN = f"""(all R:M(n,n). T(R) @ R = I(n) => {flow(AT, BT)} and tends(t, {AT}, {AX}) and tends(t, {BT}, {BY}))"""


def cos_sin(u: str) -> tuple[str, str]:
    """The cosine and the sine of 2 arctan u."""
    return f"((1 - {u}^2)/(1 + {u}^2))", f"(2*{u}/(1 + {u}^2))"


def rotation(u: str) -> str:
    """The rotation by 2 arctan u in the plane of the orthonormal p and q."""
    c, s = cos_sin(u)
    return f"(I(n) + ({c} - 1)*(p @ T(p) + q @ T(q)) + {s}*(q @ T(p) - p @ T(q)))"


ORTHONORMAL = "T(p) @ p = I(1) => T(q) @ q = I(1) => T(p) @ q = O(1,1)"
ONE, TWO = "[[1],[0]]", "[[0],[1]]"
PLANE = f"{ORTHONORMAL} => T(X) @ {ONE} = a*p + b*q => Y @ {ONE} = c*p + e*q"
"""p and q span a plane with the limits of a_1 and b_1 in it."""


def determinant(u: str) -> str:
    a, b = turned("X", "Y", rotation(u))
    return f"det({a} @ {b})"


POINTS = [f"u{i}" for i in range(1, 6)]
DISTINCT = " => ".join(f"{x} != {y}" for x, y in combinations(POINTS, 2))
SOME = f"""(all p q:V(n), a b c e:R. {PLANE} => (all u:R. T({rotation("u")}) @ {rotation("u")} = I(n)) and
    (all {" ".join(POINTS)}:R. {DISTINCT} => {" or ".join(f"{determinant(u)} != 0" for u in POINTS)}))"""


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


@part(
    ID,
    "orthogonal",
    f"all n:Z, p q:V(n), u:R. {ORTHONORMAL} => T({rotation('u')}) @ {rotation('u')} = I(n)",
    says="The rotations are orthogonal.",
)
def rotations_are_orthogonal(g: Goal) -> None:
    """cos^2 + sin^2 = 1."""
    g.fix()
    pp, qq, pq = (g.assume() for _ in range(3))
    qp = transposed(g, pq)
    g.have("0 < 1 + u^2")
    g.nc(rw=[pp, qq, pq, qp])


def transposed(g: Goal, pq: str) -> str:
    """q.p = 0 from p.q = 0."""
    flipped = g.have("T(T(p) @ q) = T(O(1,1))", lambda g: (g.rewrite(pq), g.refl())[-1])
    return g.have("T(q) @ p = O(1,1)", lambda g: g.nc((flipped, 1, None, None)))


def dot(x: str, y: str) -> str:
    return f"tr(T({x}) @ {y})"


def rotated(u: str, x: tuple[str, str], y: str) -> str:
    """(x1 p + x2 q).R y for the rotation R by 2 arctan u."""
    c, s = cos_sin(u)
    return f"({c}*({x[0]}*{dot('p', y)} + {x[1]}*{dot('q', y)}) + {s}*({x[1]}*{dot('p', y)} - {x[0]}*{dot('q', y)}))"


FIRST, SECOND = ("a", "b"), ("c", "e")
A2, B2 = f"(T(X) @ {TWO})", f"(Y @ {TWO})"


@part(
    ID,
    "rotated-form",
    f"all n:Z, p q y:V(n), a b u:R. {ORTHONORMAL} => {dot('(a*p + b*q)', rotation('u') + ' @ y')} = {rotated('u', FIRST, 'y')}",
    says="A rotation in a plane seen from a vector of that plane.",
)
def rotation_seen_from_its_plane(g: Goal) -> None:
    """p^T R = cos p^T - sin q^T and q^T R = cos q^T + sin p^T."""
    g.fix()
    pp, qq, pq = (g.assume() for _ in range(3))
    qp = transposed(g, pq)
    g.have("0 < 1 + u^2")
    c, s = cos_sin("u")
    row = g.have(
        f"T(a*p + b*q) @ {rotation('u')} @ y = ({c}*a + {s}*b)*(T(p) @ y) + ({c}*b - {s}*a)*(T(q) @ y)",
        lambda g: g.nc(rw=[pp, qq, pq, qp]),
    )
    g.rewrite(row)
    g.field()


@part(
    ID,
    "rotated-determinant",
    f"""all n:Z, X:M(2,n), Y:M(n,2), p q:V(n), a b c e u:R. {PLANE} =>
        {determinant("u")} = (X @ Y)[1,1]*(X @ Y)[2,2] - {rotated("u", FIRST, B2)}*{rotated("u", SECOND, A2)}""",
    says="The determinant of the turned limit.",
    uses=[ID],
)
def determinant_of_the_turned_limit(g: Goal) -> None:
    """w11 w22 - (a_1.R b_2)(b_1.R a_2)."""
    g.fix()
    pp, qq, pq, first, second = (g.assume() for _ in range(5))
    ortho = g.lemma(ID, "part:orthogonal", "n", "p", "q", "u")
    one = g.lemma(ID, "part:rotated-form", "n", "p", "q", B2, "a", "b", "u")
    two = g.lemma(ID, "part:rotated-form", "n", "p", "q", A2, "c", "e", "u")
    r = g.obtain(g.have(f"ex R:M(n,n). R = {rotation('u')}", lambda g: (g.witness(rotation("u")), g.refl())[-1]), "R")[0]
    back = g.have(f"{rotation('u')} = R", lambda g: g.nc((r, -1, None, None)))
    ortho, one, two = (g.rewritten(h, back) for h in (ortho, one, two))
    g.rewrite(back)
    corner = g.have(
        f"tr(T({ONE}) @ (X @ R @ Y) @ {TWO}) = {rotated('u', FIRST, B2)}",
        lambda g: (g.rewrite(one, back=True), g.rewrite(first, back=True), g.field())[-1],
    )
    other = g.have(
        f"tr(T({ONE}) @ (T(Y) @ R @ T(X)) @ {TWO}) = {rotated('u', SECOND, A2)}",
        lambda g: (g.rewrite(two, back=True), g.rewrite(second, back=True), g.field())[-1],
    )
    whole, *names = turned_product(g, "X", "Y", ortho)
    g.rewrite(whole)
    fit = g.have("X @ Y = P", lambda g: g.nc((names[0], -1, None, None)))
    g.rewrite(fit)
    k = g.have(f"tr(T({ONE}) @ F @ {TWO}) = {rotated('u', FIRST, B2)}", lambda g: (g.rewrite(names[1]), g.close_by(corner))[-1])
    turned_back = g.have("T(H) = T(Y) @ R @ T(X)", lambda g: (g.rewrite(names[2]), g.nc())[-1])
    m = g.have(
        f"tr(T({ONE}) @ T(H) @ {TWO}) = {rotated('u', SECOND, A2)}", lambda g: (g.rewrite(turned_back), g.close_by(other))[-1]
    )
    k = g.have(f"F[1,2] = {rotated('u', FIRST, B2)}", lambda g: g.field((k, 1)))
    m = g.have(f"H[2,1] = {rotated('u', SECOND, A2)}", lambda g: g.field((m, 1)))
    g.rewrite(k, back=True)
    g.rewrite(m, back=True)
    g.field()


@part(
    ID,
    "plane",
    f"""all n:Z, x y:V(n). 2 <= n => x != O(n,1) => ex p q:V(n), a b c e:R. {ORTHONORMAL.replace("=>", "and")} and x = a*p + b*q and
        y = c*p + e*q""",
    says="For n >= 2 such a plane exists.",
)
def two_vectors_lie_in_a_plane(g: Goal) -> None:
    """The part of y across x, or if it vanishes any vector across x."""
    g.fix()
    wide, nonzero = g.assume(), g.assume()
    g.have(f"0 < {dot('x', 'x')}", lambda g: norm_is_positive(g, "x", nonzero))
    k = f"({dot('x', 'y')}/{dot('x', 'x')})"

    def parallel(g: Goal) -> None:
        zero = last(g)
        flat = g.have("det(x @ T(x)) = 0", lambda g: outer_square_is_singular(g, wide))
        v, image = g.obtain(g.apply(g.fact("det_kernel", "n", "x @ T(x)"), by=[lambda g: g.close_by(flat)]), "v")
        ortho = g.have(f"{dot('x', 'v')} = 0", lambda g: orthogonal_to(g, image))
        g.have(f"0 < {dot('v', 'v')}", lambda g: norm_is_positive(g, "v", v))
        basis(g, "v", ortho, "0", lambda g: g.nc((zero, 1, None, None)))

    def across(g: Goal) -> None:
        ne = last(g)
        z = g.obtain(g.have(f"ex z:V(n). z = y - {k}*x", lambda g: (g.witness(f"y - {k}*x"), g.refl())[-1]), "z")[0]
        ne = g.have("z != O(n,1)", lambda g: (g.rewrite(z), g.close_by(ne))[-1])
        ortho = g.have(f"{dot('x', 'z')} = 0", lambda g: (g.rewrite(z), g.field())[-1])
        g.have(f"0 < {dot('z', 'z')}", lambda g: norm_is_positive(g, "z", ne))
        basis(g, "z", ortho, "1", lambda g: g.nc((z, -1, None, None)))

    def basis(g: Goal, z: str, ortho: str, part_of_z: str, fits: Script) -> None:
        """p = x/|x|, q = z/|z|."""
        lengths = []
        for name, v in (("r", "x"), ("t", z)):
            root = f"sqrt({dot(v, v)})"
            square = g.by_fact("sqrt_sq", dot(v, v))
            named = g.obtain(g.have(f"ex {name}:R. {name} = {root}", lambda g, root=root: (g.witness(root), g.refl())[-1]), name)[
                0
            ]
            g.have(f"0 < {name}", lambda g, named=named, root=root: (g.rewrite(named), g.pos([root]))[-1])
            lengths.append(
                g.have(
                    f"{name}^2 = {dot(v, v)}", lambda g, named=named, square=square: (g.rewrite(named), g.close_by(square))[-1]
                )
            )
        g.witness("(1/r)*x", f"(1/t)*{z}", "r", "0", f"{k}*r", f"{part_of_z}*t")

        def unit(name: str, v: str, length: str) -> Script:
            def script(g: Goal) -> None:
                entry = g.fact("tr_entries", "1", f"T({v}) @ {v}")
                g.ext(lambda g: g.field((entry, f"-1/{name}^2"), (length, f"-1/{name}^2")))

            return script

        def mixed(g: Goal) -> None:
            entry = g.fact("tr_entries", "1", f"T(x) @ {z}")
            g.ext(lambda g: g.field((entry, "-1/(r*t)"), (ortho, "1/(r*t)")))

        g.conj(unit("r", "x", lengths[0]), unit("t", z, lengths[1]), mixed, lambda g: g.nc(), fits)

    g.em(f"y - {k}*x = O(n,1)", parallel, across)


def last(g: Goal) -> str:
    return list(g.seq.hyps)[-1]


def norm_is_positive(g: Goal, v: str, nonzero: str) -> None:
    """|v|^2 > 0 for v != 0."""

    def zero(g: Goal) -> None:
        flat = g.have(f"{dot(v, v)} = 0", lambda g: g.field((last(g), -1)))
        g.clash(g.by_fact("frobenius_zero", "n", "1", v, by=[lambda g: g.close_by(flat)]), nonzero)

    g.less_or_equal(f"0 <= {dot(v, v)}", None, zero)


def outer_square_is_singular(g: Goal, wide: str) -> None:
    """Its rank is at most 1 < n."""
    regular = g.contra()
    full = g.split(g.by_fact("rank_full", "n", "x @ T(x)", by=[None]))[1]
    full = g.apply(full, by=[lambda g: g.close_by(regular)])
    one = g.split(g.fact("rank_product", "n", "1", "n", "x", "T(x)"))[0]
    column = g.split(g.by_fact("rank_bounds", "n", "1", "x"))[2]
    g.pos(["@" + wide], ["@" + one], ["@" + column], ["1"], eqs=[(full, 1)])


def orthogonal_to(g: Goal, image: str) -> None:
    """x^T v = 0 from x x^T v = 0."""
    h = g.have("T(T(x) @ v) @ (T(x) @ v) = O(1,1)", lambda g: g.nc((image, 1, "T(v)", None)))
    g.have("tr(T(T(x) @ v) @ (T(x) @ v)) = 0", lambda g: (g.rewrite(h), g.field())[-1])
    g.rewrite(g.by_fact("frobenius_zero", "1", "1", "T(x) @ v"))
    g.field()


def turned_product(g: Goal, a: str, b: str, ortho: str) -> list[str]:
    """The product of turned factors in blocks of P = A B, F = A R B, H = A R^T B; that equation and those of P, F, H."""
    names = []
    for name, value in (("P", f"{a} @ {b}"), ("F", f"{a} @ R @ {b}"), ("H", f"{a} @ T(R) @ {b}")):
        some = g.have(f"ex {name}:M(2,2). {name} = {value}", lambda g, value=value: (g.witness(value), g.refl())[-1])
        names.append(g.obtain(some, name)[0])
    left, right = turned(a, b, "R")
    p, f, h = names
    blocks = [(p, -1, E1, E1), (f, -1, E1, E2), (h, -1, E2, E1), (p, -1, E2, E2), (ortho, 1, f"{E2} @ {a}", f"{b} @ {E2}")]
    whole = g.have(
        f"{left} @ {right} = {E1} @ P @ {E1} + {E1} @ F @ {E2} + {E2} @ H @ {E1} + {E2} @ P @ {E2}", lambda g: g.nc(*blocks)
    )
    return [whole, *names]


@holds(
    ID,
    f"""all n:Z, W:M(2,2), A:R~>M(2,n), B:R~>M(n,2), X:M(2,n), Y:M(n,2). 2 <= n => {flow("A(t)", "B(t)")} => tends(t, A(t), X) => tends(t, B(t), Y) =>
        (X @ Y)[1,1] = W[1,1] => (X @ Y)[2,2] = W[2,2] => W[1,1]*W[2,2] != 0 => {TURN} and {SOME}""",
    argument="repaired",
    covers="instances",
    because="generic is taken as: turning one pair against the other in one plane, all rotations but at most four",
    context="convergence to zero loss [Section 3.1]",
    added="the observed values are not 0",
    reading="d_1 = n >= 2. The pair (a_2, b_2) may be turned by any orthogonal matrix: the turned factors are again a flow, with the turned"
    " limits, and nothing ties it to the other pair. p and q are an orthonormal basis of a plane that contains the limits of a_1 and b_1 (part"
    " plane: there is one)."
    " Among the rotations of this plane by 2 arctan u at most four values of u lead to a limit of rank 1 (of any five distinct ones at"
    " least one has a limit with a determinant that is not 0)",
    readings=[("Gaussian starts lead to rank 2 almost surely", "open", None)],
    uses=[ID],
)
def turned_pairs_have_full_rank(g: Goal) -> None:
    """The gradient is diagonal, so it commutes with the projections on the two pairs. The determinant of the turned limit is
    w11 w22 - (a_1.R b_2)(R a_2.b_1)."""
    g.fix()
    g.assume()
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
            product = turned_product(g, f"A({u})", f"B({u})", ortho)
            straight = g.have(f"A({u}) @ B({u}) = P", lambda g: g.nc((product[1], -1, None, None)))

            def masked(g: Goal) -> None:
                g.rewrite(product[0])
                g.rewrite(straight)
                g.ext(lambda g: g.field())

            same = g.have(f"had({DIAGONAL}, {here} @ {there} - W) = {plain}", masked)
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
        def fixed(x: str, size: str) -> Limit:
            return of(g, x, x, g.fact("tends_matrix_const", size, size, x))

        moving = of(g, f"{m}(t)", end, h)
        if m == "A":
            rows, columns = "2", "n"
            inner = times(g, ("2", "n", "n"), moving, fixed("T(R)", "n"))
            one, two = times(g, ("2", "2", "n"), fixed(E1, "2"), moving), times(g, ("2", "2", "n"), fixed(E2, "2"), inner)
        else:
            rows, columns = "n", "2"
            inner = times(g, ("n", "2", "2"), moving, fixed(E2, "2"))
            one, two = times(g, ("n", "2", "2"), moving, fixed(E1, "2")), times(g, ("n", "n", "2"), fixed("R", "n"), inner)
        total = g.by_fact(
            "tends_matrix_add",
            rows,
            columns,
            one[1],
            two[1],
            along(one[0]),
            along(two[0]),
            by=[lambda g: g.close_by(one[2]), lambda g: g.close_by(two[2])],
        )
        g.close_by(total)

    def some(g: Goal) -> None:
        g.fix("p", "q", "a", "b", "c", "e")
        plane = [g.assume() for _ in range(5)]
        in_plane: list[Script | None] = [lambda g, h=h: g.close_by(h) for h in plane]  # type: ignore[misc]

        def orthogonal(g: Goal) -> None:
            (u,) = g.fix("u")
            g.close_by(g.lemma(ID, "part:orthogonal", "n", "p", "q", u, by=in_plane[:3]))

        g.conj(orthogonal, lambda g: regular(g, in_plane))

    def regular(g: Goal, in_plane: list[Script | None]) -> None:
        distinct = g.intro()
        zeros = g.split(g.contra())
        p, q = (f"({x}*{dot('p', y)} {sign} {z}*{dot('q', y)})" for x, y, sign, z in (("a", B2, "+", "b"), ("b", B2, "-", "a")))
        r, s = (f"({x}*{dot('p', y)} {sign} {z}*{dot('q', y)})" for x, y, sign, z in (("c", A2, "+", "e"), ("e", A2, "-", "c")))

        def root(u: str, h: str) -> Script:
            def script(g: Goal) -> None:
                whole = g.lemma(ID, "part:rotated-determinant", "n", "X", "Y", "p", "q", "a", "b", "c", "e", u, by=in_plane)
                n = f"(1 + {u}^2)^2"
                g.field((h, n), (whole, f"-{n}"), (fit1, f"-{n}*(X @ Y)[2,2]"), (fit2, f"-{n}*W[1,1]"))

            return script

        by: list[Script | None] = [lambda g: g.close_by(nonzero), *[lambda g, h=h: g.close_by(h) for h in distinct]]  # type: ignore[misc]
        roots = [root(u, h) for u, h in zip(POINTS, zeros, strict=True)]
        k = g.lemma(ID, "part:trigonometric", p, q, r, s, "W[1,1]*W[2,2]", *POINTS, by=[*by, *roots])
        g.step("absurd", h=k)

    g.conj(turn, some)
