"""Equation (28): the Hessian at a point of an invariant manifold does not mix its directions with those perpendicular to it."""

from __future__ import annotations

from collections.abc import Callable

from proofs.bai2024.component_manifold_dynamics import (
    COMPONENT,
    SPACE,
    contained,
)
from proofs.bai2024.graphs import PATTERN
from proofs.bai2024.invariant_manifolds import spans
from proofs.bai2024.landscape import CRITICAL, RESIDUAL, loss, pairing
from proofs.bai2024.setting import last
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import holds, part

BLOCKS = "bai2024.eq-28"
COMPLEMENT = "bai2024.lemma-a3-step-v-in-complement"
GRADIENTS = "bai2024.eq-30"
CONCLUSION = "bai2024.lemma-a3-step-h1-annihilates"

OMEGA = f"((all i:Z. f(i) = 1 and g(i) = 1) or {COMPONENT})"
"""Omega is an Omega_k (every row and column is marked), or belongs to a component."""
MARKED = "((all i:Z. f(i) = 0 or f(i) = 1) and (all j:Z. g(j) = 0 or g(j) = 1) and (all i j:Z. P[i,j] = 1 => f(i) = g(j)))"
"""What both kinds have in common: an observed entry lies in a marked row exactly if it lies in a marked column."""
VARIABLES = "all d k:Z, V:M(k,d), f g:Z->Z, P M A B:M(d,d)."
MEMBER = contained("A", "B")
READING = (
    "Omega is the set of all (A, B) whose rows and columns (of the component) are contained in the span of the alphas, the others being 0, as"
    " in the proof of Proposition A.8: only this is an affine subspace; f and g mark the rows and columns of the component, for Omega_k all"
)


def form(e: str, f: str, g: str, k: str) -> str:
    """The Hessian of the loss at (A, B) as a bilinear form of the directions (e, f) and (g, k)."""
    return f"D(r, D(s, {loss(f'A + r*({e}) + s*({g})', f'B + r*({f}) + s*({k})')}, 0), 0)"


def inner(e: str, f: str, g: str, k: str) -> str:
    """The inner product of two directions."""
    return f"(tr(T({e}) @ ({g})) + tr(T({f}) @ ({k})))"


def slope(e: str, f: str) -> str:
    """The derivative of the output A B in the direction (e, f)."""
    return f"({e}) @ B + A @ ({f})"


def first(e: str, f: str, g: str, k: str) -> str:
    """The part of the Hessian with the gradients of the observed outputs."""
    return pairing(slope(e, f), slope(g, k))


def second(e: str, f: str, g: str, k: str) -> str:
    """H^(2): the residual times the second derivatives of the outputs."""
    return pairing(RESIDUAL, f"({e}) @ ({k}) + ({g}) @ ({f})")


PERPENDICULAR = f"(all G K:M(d,d). {contained('G', 'K')} => {inner('E', 'F', 'G', 'K')} = 0)"
"""(E, F) is in the orthogonal complement of Omega."""
STATIONARY = f"{CRITICAL} => (all E F:M(d,d). {contained('E', 'F')} => 0 <= D(s, D(u, {loss('A + u*E', 'B + u*F')}, s), 0)) =>"
"""Assumption 2: (A, B) is a second-order stationary point within Omega."""
SETTING = f"{VARIABLES} {SPACE} => {PATTERN} => {OMEGA} => {MEMBER} =>"
EIGENVECTOR = f"(all G K:M(d,d). {form('E', 'F', 'G', 'K')} = l*{inner('E', 'F', 'G', 'K')})"
NEGATIVE = f"all l:R, E F:M(d,d). l < 0 => (E != O(d,d) or F != O(d,d)) => {EIGENVECTOR} =>"


def enter(g: Goal) -> list[str]:
    """Fix and assume SETTING; returns the names of the hypotheses on the pattern, on Omega and on (A, B)."""
    g.fix()
    for name in ("size", "k_lo", "k_hi", "independent", "binary", "omega", "member"):
        g.assume(name)
    return ["size", "k_lo", "k_hi", "independent", "binary", "omega", "member"]


def marks(g: Goal) -> None:
    """Adds MARKED, from either kind of Omega."""

    def whole(g: Goal) -> None:
        h = last(g)

        def one(i: int) -> Script:
            def script(g: Goal) -> None:
                (x,) = g.fix()
                g.left_or_right(1)
                g.close_by(g.split(g.apply(h, x))[i])

            return script

        def same(g: Goal) -> None:
            g.fix("i", "j")
            g.assume()
            a, b = g.split(g.apply(h, "i"))[0], g.split(g.apply(h, "j"))[1]
            g.field((a, 1), (b, -1))

        g.conj(one(0), one(1), same)

    def some(g: Goal) -> None:
        hs = g.split(last(g))
        g.conj(*[lambda g, h=h: g.close_by(h) for h in hs[:3]])

    g.have(MARKED, lambda g: g.cases("omega", whole, some), name="marked")


@part(
    BLOCKS,
    "projection",
    """all d:Z, f:Z->Z. (all i:Z. f(i) = 0 or f(i) = 1) => ex D:M(d,d). T(D) = D and D @ D = D and
       (all n:Z, X:M(d,n), i m:Z. 1 <= i and i <= d and 1 <= m and m <= n => (D @ X)[i,m] = f(i)*X[i,m])""",
    says="marked rows are selected by a diagonal projection",
)
def projection_onto_marked_rows(g: Goal) -> None:
    """D[i,j] = f(i) I[i,j]."""
    g.fix()
    bits = g.assume()
    (u,) = g.obtain(g.fact("matrix_of_entries", "d", "d", "lam i:Z, j:Z. f(i)*I(d)[i,j]"), "D", split=False)
    g.witness("D")

    def acts(g: Goal) -> None:
        g.fix("n", "X", "i", "m")
        g.split(g.assume())
        k = g.apply(g.fact("mm_entry", "d", "d", "n", "D", "X"), "i", "m")

        def others(g: Goal) -> None:
            g.fix("q")
            g.split(g.assume())
            ne = g.assume()

            def back(g: Goal) -> None:
                eq = g.contra()
                g.clash(g.have("q = i", lambda g: g.field((eq, -1))), ne)

            g.have("i != q", back)
            v = g.apply(u, "i", "q")
            g.field((v, "X[q,m]"))

        s = g.by_fact("sum_delta", 1, "d", "i", "lam q:Z. D[i,q]*X[q,m]", by=[None, None, others])
        v = g.apply(u, "i", "i")
        g.field((k, 1), (s, 1), (v, "X[i,m]"))

    acting = g.have("all n:Z, X:M(d,n), i m:Z. 1 <= i and i <= d and 1 <= m and m <= n => (D @ X)[i,m] = f(i)*X[i,m]", acts)

    def symmetric(g: Goal) -> None:
        g.extn("i", "j")
        a, b = g.apply(u, "i", "j"), g.apply(u, "j", "i")

        def same(g: Goal) -> None:
            g.rewrite(last(g))
            g.field()

        def differ(g: Goal) -> None:
            ne = last(g)

            def back(g: Goal) -> None:
                eq = g.contra()
                g.clash(g.have("i = j", lambda g: g.field((eq, -1))), ne)

            g.have("j != i", back)
            g.field((b, 1), (a, -1))

        g.em("i = j", same, differ)

    def idempotent(g: Goal) -> None:
        g.extn("i", "j")
        k = g.apply(acting, "d", "D", "i", "j")
        v = g.apply(u, "i", "j")
        zero = lambda g: g.field((k, 1), (v, "f(i) - 1"), (last(g), "(f(i) - 1)*I(d)[i,j]"))  # noqa: E731
        one = lambda g: g.field((k, 1), (last(g), "D[i,j]"))  # noqa: E731
        g.cases(g.apply(bits, "i"), zero, one)

    g.conj(symmetric, idempotent, lambda g: g.close_by(acting))


def coordinates(g: Goal) -> None:
    """Adds D1, D2 (rows, columns), X, Y with A = X V, D1 X = X, B = T(V) Y, Y D2 = Y."""
    bits = g.split("marked")
    for name, function, h in (("D1", "f", bits[0]), ("D2", "g", bits[1])):
        known = [lambda g, h=h: g.close_by(h)]
        hs = g.obtain(g.lemma(BLOCKS, "part:projection", "d", function, by=known), name)
        for old, new in zip(hs, ("symmetric", "idempotent", "acts"), strict=True):
            g.have(g.hyp_formula(old), lambda g, old=old: g.close_by(old), name=f"{name}_{new}")


def selected(g: Goal, member: str, x: str, y: str) -> tuple[str, str, str, str]:
    """From contained(A, B): A = x V, D1 x = x, B = T(V) y, y D2 = y; returns the names."""
    a, b = g.split(member)
    zero_a, a_is = g.obtain(a, x)
    zero_b, b_is = g.obtain(b, y)
    bits = g.split("marked")

    def rows(g: Goal) -> None:
        g.extn("i", "m")
        k = g.apply("D1_acts", "k", x, "i", "m")

        def none(g: Goal) -> None:
            v = last(g)
            g.have("f(i) != 1", lambda g: not_one(g, v))
            z = g.apply(zero_a, "i", "m")
            g.field((k, 1), (z, "f(i) - 1"))

        g.cases(g.apply(bits[0], "i"), none, lambda g: g.field((k, 1), (last(g), f"{x}[i,m]")))

    fixed = g.have(f"D1 @ {x} = {x}", rows)

    def columns(g: Goal) -> None:
        g.extn("i", "m")
        k = g.apply("D2_acts", "k", f"T({y})", "i", "m")

        def none(g: Goal) -> None:
            v = last(g)
            g.have("g(i) != 1", lambda g: not_one(g, v))
            z = g.apply(zero_b, "m", "i")
            g.field((k, 1), (z, "g(i) - 1"))

        g.cases(g.apply(bits[1], "i"), none, lambda g: g.field((k, 1), (last(g), f"T({y})[i,m]")))

    turned = g.have(f"D2 @ T({y}) = T({y})", columns)
    back = g.have(f"T(D2 @ T({y})) = T(T({y}))", lambda g: (g.rewrite(turned), g.refl())[-1])
    other = g.have(f"{y} @ D2 = {y}", lambda g: g.nc((back, 1, None, None), ("D2_symmetric", -1, y, None)))
    return a_is, fixed, b_is, other


def not_one(g: Goal, zero: str) -> None:
    """x != 1 from x = 0."""
    eq = g.contra()
    g.pos([], eqs=[(eq, 1), (zero, -1)])


def membership(g: Goal, x: str, y: str, a: Script, b: Script) -> None:
    """contained(.., ..) with the coordinates D1 x and y D2."""
    bits = g.split("marked")
    del bits

    def rows(g: Goal) -> None:
        g.witness(f"D1 @ ({x})")

        def zero(g: Goal) -> None:
            g.fix("i", "m")
            *_, mark = g.split(g.assume())
            k = g.apply("D1_acts", "k", x, "i", "m")
            v = off(g, g.split("marked")[0], "i", mark)
            g.field((k, 1), (v, f"({x})[i,m]"))

        g.conj(zero, a)

    def columns(g: Goal) -> None:
        g.witness(f"({y}) @ D2")

        def zero(g: Goal) -> None:
            g.fix("m", "j")
            *_, mark = g.split(g.assume())
            k = g.apply("D2_acts", "k", f"T({y})", "j", "m")
            v = off(g, g.split("marked")[1], "j", mark)
            turned = g.have(
                f"(({y}) @ D2)[m,j] = (D2 @ T({y}))[j,m]",
                lambda g: turn(g, y),
            )
            g.field((turned, 1), (k, 1), (v, f"T({y})[j,m]"))

        g.conj(zero, b)

    g.conj(rows, columns)


def turn(g: Goal, y: str) -> None:
    """An entry of y D2 is one of D2 y^T."""
    e = g.have(f"({y}) @ D2 = T(D2 @ T({y}))", lambda g: g.nc(("D2_symmetric", -1, y, None)))
    g.rewrite(e)
    g.field()


def off(g: Goal, bits: str, i: str, mark: str) -> str:
    """f(i) = 0 from f(i) != 1."""
    f = g.hyp_formula(mark)[1]
    return g.have(
        ("=", f, 0),
        lambda g: g.cases(g.apply(bits, i), lambda g: g.close_by(last(g)), lambda g: g.clash(last(g), mark)),
    )


@part(
    BLOCKS,
    "kernel",
    f"{SETTING} all E F:M(d,d). {PERPENDICULAR} => all D1 D2:M(d,d). T(D1) = D1 => D1 @ D1 = D1 => T(D2) = D2 => D2 @ D2 = D2 =>"
    " (all n:Z, X:M(d,n), i m:Z. 1 <= i and i <= d and 1 <= m and m <= n => (D1 @ X)[i,m] = f(i)*X[i,m]) =>"
    " (all n:Z, X:M(d,n), i m:Z. 1 <= i and i <= d and 1 <= m and m <= n => (D2 @ X)[i,m] = g(i)*X[i,m]) =>"
    " D1 @ E @ T(V) = O(d,k) and V @ F @ D2 = O(k,d)",
    says="the marked rows and columns of a direction perpendicular to Omega are orthogonal to the alphas",
)
def perpendicular_rows_are_orthogonal_to_the_span(g: Goal) -> None:
    """Test with D1 E V^T V and V^T V F D2: the inner products are squared norms."""
    enter(g)
    marks(g)
    g.fix("E", "F")
    perpendicular = g.assume()
    g.fix("D1", "D2")
    for name in ("D1_symmetric", "D1_idempotent", "D2_symmetric", "D2_idempotent", "D1_acts", "D2_acts"):
        g.assume(name)

    def rows(g: Goal) -> None:
        inside = lambda g: membership(g, "E @ T(V)", "O(k,d)", lambda g: g.nc(), lambda g: g.nc())  # noqa: E731
        z = g.apply(perpendicular, "D1 @ E @ T(V) @ V", "O(d,d)", by=[inside])
        x = "D1 @ E @ T(V)"
        square = g.have(
            f"T({x}) @ ({x}) = V @ T(E) @ D1 @ E @ T(V)",
            lambda g: g.nc(("D1_symmetric", 1, "V @ T(E)", "D1 @ E @ T(V)"), ("D1_idempotent", 1, "V @ T(E)", "E @ T(V)")),
        )
        norm = g.have(f"tr(T({x}) @ ({x})) = 0", lambda g: (g.rewrite(square), g.field((z, 1)))[-1])
        g.close_by(g.by_fact("frobenius_zero", "d", "k", x, by=[lambda g: g.close_by(norm)]))

    def columns(g: Goal) -> None:
        inside = lambda g: membership(g, "O(d,k)", "V @ F", lambda g: g.nc(), lambda g: g.nc())  # noqa: E731
        z = g.apply(perpendicular, "O(d,d)", "T(V) @ V @ F @ D2", by=[inside])
        x = "V @ F @ D2"
        square = g.have(
            f"({x}) @ T({x}) = V @ F @ D2 @ T(F) @ T(V)",
            lambda g: g.nc(("D2_symmetric", 1, "V @ F @ D2", "T(F) @ T(V)"), ("D2_idempotent", 1, "V @ F", "T(F) @ T(V)")),
        )
        turned = g.have(f"tr(T({x}) @ ({x})) = tr(({x}) @ T({x}))", lambda g: g.field())
        norm = g.have(f"tr(T({x}) @ ({x})) = 0", lambda g: (g.rewrite(turned), g.rewrite(square), g.field((z, 1)))[-1])
        g.close_by(g.by_fact("frobenius_zero", "k", "d", x, by=[lambda g: g.close_by(norm)]))

    g.conj(rows, columns)


@part(
    BLOCKS,
    "observed",
    f"{SETTING} all E F:M(d,d). {PERPENDICULAR} => all i j:Z. 1 <= i and i <= d and 1 <= j and j <= d and f(i) = g(j) =>"
    " (E @ B + A @ F)[i,j] = 0",
    says="the outputs at observed entries do not change in directions perpendicular to Omega",
)
def observed_outputs_do_not_change(g: Goal) -> None:
    """E B = E V^T Y D2 and A F = D1 X V F. At (i, j) the factor g(j) = f(i) can be taken as that of D1, and D1 E V^T = 0."""
    names = enter(g)
    marks(g)
    g.fix("E", "F")
    perpendicular = g.assume()
    coordinates(g)
    known = [lambda g, h=h: g.close_by(h) for h in (*names, perpendicular)]
    known += [
        lambda g, h=h: g.close_by(h)
        for h in ("D1_symmetric", "D1_idempotent", "D2_symmetric", "D2_idempotent", "D1_acts", "D2_acts")
    ]
    both = g.lemma(BLOCKS, "part:kernel", *["d", "k", "V", "f", "g", "P", "M", "A", "B"], by=known[:7])
    both = g.apply(both, "E", "F", by=known[7:8])
    flat_e, flat_f = g.split(g.apply(both, "D1", "D2", by=known[8:]))
    a_is, a_fixed, b_is, b_fixed = selected(g, "member", "X", "Y")
    g.fix("i", "j")
    g.split(g.assume())
    mark = last(g)
    left = g.have("T(E @ B) = D2 @ (T(Y) @ V @ T(E))", lambda g: transposed(g, b_is, b_fixed))
    del a_fixed
    k = g.apply("D2_acts", "d", "T(Y) @ V @ T(E)", "j", "i")
    one = g.have("(E @ B)[i,j] = (D2 @ (T(Y) @ V @ T(E)))[j,i]", lambda g: (g.rewrite(left, back=True), g.field())[-1])
    m = g.apply("D1_acts", "d", "E @ T(V) @ Y", "i", "j")
    zero = g.have("D1 @ (E @ T(V) @ Y) = O(d,d)", lambda g: g.nc((flat_e, 1, None, "Y")))
    nothing = g.have("(D1 @ (E @ T(V) @ Y))[i,j] = 0", lambda g: (g.rewrite(zero), g.field())[-1])
    swap = g.have(
        "(T(Y) @ V @ T(E))[j,i] = (E @ T(V) @ Y)[i,j]",
        lambda g: (g.replace("T(Y) @ V @ T(E)", "T(E @ T(V) @ Y)", lambda g: g.nc()), g.field())[-1],
    )
    e_b = g.have(
        "(E @ B)[i,j] = 0",
        lambda g: g.field((one, 1), (k, 1), (swap, "g(j)"), (mark, "-(E @ T(V) @ Y)[i,j]"), (m, -1), (nothing, 1)),
    )
    a_f = g.have("A @ F = D1 @ (X @ V @ F)", lambda g: g.nc((a_is, 1, None, "F"), (fixed_of(g), -1, None, "V @ F")))
    p = g.apply("D1_acts", "d", "X @ V @ F", "i", "j")
    q = g.apply("D2_acts", "d", "T(X @ V @ F)", "j", "i")
    turned = g.have(
        "D2 @ T(X @ V @ F) = O(d,d)",
        lambda g: flat_transposed(g, flat_f),
    )
    none = g.have("(D2 @ T(X @ V @ F))[j,i] = 0", lambda g: (g.rewrite(turned), g.field())[-1])
    same = g.have("T(X @ V @ F)[j,i] = (X @ V @ F)[i,j]", lambda g: g.field())
    two = g.have("(A @ F)[i,j] = (D1 @ (X @ V @ F))[i,j]", lambda g: (g.rewrite(a_f), g.refl())[-1])
    f_a = g.have(
        "(A @ F)[i,j] = 0",
        lambda g: g.field((two, 1), (p, 1), (mark, "(X @ V @ F)[i,j]"), (q, -1), (none, 1), (same, "-g(j)")),
    )
    g.field((e_b, 1), (f_a, 1))


def fixed_of(g: Goal) -> str:
    """The name of D1 X = X."""
    wanted = g.formula("D1 @ X = X")
    return next(h for h, f in g.seq.hyps.items() if f == wanted)


def transposed(g: Goal, b_is: str, b_fixed: str) -> None:
    """(E B)^T = D2 Y^T V E^T."""
    e = g.have("E @ B = E @ T(V) @ Y @ D2", lambda g: g.nc((b_is, 1, "E", None), (b_fixed, -1, "E @ T(V)", None)))
    g.rewrite(e)
    g.nc(("D2_symmetric", 1, None, "T(Y) @ V @ T(E)"))


def flat_transposed(g: Goal, flat: str) -> None:
    """D2 F^T V^T X^T = 0 from V F D2 = 0."""
    t = g.have("T(V @ F @ D2) = T(O(k,d))", lambda g: (g.rewrite(flat), g.refl())[-1])
    g.nc((t, 1, None, "T(X)"), ("D2_symmetric", -1, None, "T(F) @ T(V) @ T(X)"))


LINEAR = (
    f"(all x y:R, E F G K:M(d,d). {contained('E', 'F')} => {contained('G', 'K')} => {contained('(x*E + y*G)', '(x*F + y*K)')})"
)
MIXED = f"""(all E F C H:M(d,d). {PERPENDICULAR} => {contained("C", "H")} =>
         {form("C", "H", "E", "F")} = 0 and {form("E", "F", "C", "H")} = 0)"""


def unchanged(g: Goal, names: list[str], perpendicular: str, e: str = "E", f: str = "F") -> str:
    """The part `observed` for a direction (e, f) perpendicular to Omega; A and B are taken from the context."""
    known = [lambda g, h=h: g.close_by(h) for h in names]
    h = g.lemma(BLOCKS, "part:observed", *"dkVfgPMAB", by=known)
    return g.apply(h, e, f, by=[lambda g: g.close_by(perpendicular)], n=1)


def flat_sum(g: Goal, body: str, zero: Callable[[Goal], str], factor: str) -> str:
    """A double sum over observed entries of P * body * factor vanishes, as body does at the observed ones."""
    term = f"P[a,b]*{body}*{factor}"

    def entry(g: Goal) -> None:
        g.fix("b")
        g.split(g.assume())

        def seen(g: Goal) -> None:
            one = last(g)
            same = g.apply(g.split("marked")[2], "a", "b", by=[lambda g: g.close_by(one)])
            del same
            z = zero(g)
            g.field((z, f"P[a,b]*{factor}"))

        g.cases(g.apply("binary", "a", "b"), lambda g: g.field((last(g), f"{body}*{factor}")), seen)

    def row(g: Goal) -> None:
        g.fix("a")
        g.split(g.assume())
        s = g.by_fact("sum_ext", 1, "d", f"lam b:Z. {term}", "lam b:Z. 0", by=[entry])
        g.field((s, 1))

    s = g.by_fact("sum_ext", 1, "d", f"lam a:Z. sum(b, 1, d, {term})", "lam a:Z. 0", by=[row])
    return g.have(f"sum(a, 1, d, sum(b, 1, d, {term})) = 0", lambda g: g.field((s, 1)))


@part(
    BLOCKS,
    "equality",
    f"""not (all d k:Z, V:M(k,d), A B C G:M(d,d), x:R. {SPACE} => {spans("A", "B")} => {spans("C", "G")} =>
       {spans("(x*A + (1-x)*C)", "(x*B + (1-x)*G)")})""",
    says="with equality of the spaces Omega_k is not an affine subspace: 0 is half way between 1 and -1",
)
def equality_is_not_affine(g: Goal) -> None:
    """d = k = 1."""
    wrong = g.assume()

    def independent_(g: Goal) -> None:
        g.fix("v")
        zero = g.assume()
        g.nc((zero, 1, None, None))

    def member(x: str) -> Script:
        return lambda g: g.conj(*[lambda g: (g.witness(x), g.ext(lambda g: g.field()))[-1]] * 4)

    known: list[Script | None] = [None, None, None, independent_, member("[[1]]"), member("[[-1]]")]
    h = g.apply(wrong, "1", "1", "I(1)", "[[1]]", "[[1]]", "[[-1]]", "[[-1]]", "1/2", by=known)
    eq = g.obtain(g.split(h)[1], "X")[0]
    left, right = g.hyp_formula(eq)[1:]
    k = g.have(("=", ("entry", left, 1, 1), ("entry", right, 1, 1)), lambda g: (g.rewrite(eq), g.refl())[-1])
    g.pos([], eqs=[(k, -1)])


@holds(
    BLOCKS,
    f"{VARIABLES} {SPACE} => {PATTERN} => {OMEGA} => {LINEAR} and ({MEMBER} => {CRITICAL} => {MIXED})",
    argument="sound",
    reading=READING
    + "; H_12 and H_21 are the values of the Hessian as a bilinear form on one direction in Omega and one perpendicular to it",
    readings=[("Omega with equality of the spaces, as in (7)", "refuted", "equality")],
)
def hessian_is_block_diagonal(g: Goal) -> None:
    """Both terms of the Hessian vanish at observed entries: (E, F) perpendicular to Omega does not change the observed outputs
    at a point of Omega, and C F + E H is this change at (C, H)."""
    g.fix()
    names = ["size", "k_lo", "k_hi", "independent", "binary", "omega"]
    for name in names:
        g.assume(name)

    def linear(g: Goal) -> None:
        g.fix()
        one, two = g.assume(), g.assume()
        marks(g)
        coordinates(g)
        e_is, e_fixed, f_is, f_fixed = selected(g, one, "X1", "Y1")
        g_is, g_fixed, k_is, k_fixed = selected(g, two, "X2", "Y2")
        membership(
            g,
            "x*X1 + y*X2",
            "x*Y1 + y*Y2",
            lambda g: g.nc(
                (e_is, "x", None, None), (g_is, "y", None, None), (e_fixed, "-x", None, "V"), (g_fixed, "-y", None, "V")
            ),
            lambda g: g.nc(
                (f_is, "x", None, None), (k_is, "y", None, None), (f_fixed, "-x", "T(V)", None), (k_fixed, "-y", "T(V)", None)
            ),
        )

    def blocks(g: Goal) -> None:
        g.assume("member")
        g.assume()
        g.fix("E", "F", "C", "H")
        perpendicular, inside = g.assume(), g.assume()
        marks(g)
        here = unchanged(g, [*names, "member"], perpendicular)
        known = [lambda g, h=h: g.close_by(h) for h in (*names, inside)]
        there = g.lemma(BLOCKS, "part:observed", *"dkVfgPM", "C", "H", by=known)
        there = g.apply(there, "E", "F", by=[lambda g: g.close_by(perpendicular)], n=1)
        s1 = flat_sum(g, "(E @ B + A @ F)[a,b]", lambda g: g.apply(here, "a", "b"), "(C @ B + A @ H)[a,b]")
        s2 = flat_sum(g, "(E @ H + C @ F)[a,b]", lambda g: g.apply(there, "a", "b"), "(A @ B - M)[a,b]")
        both = lambda g: g.field((s1, 1), (s2, 1))  # noqa: E731
        g.conj(both, both)

    g.conj(linear, blocks)
