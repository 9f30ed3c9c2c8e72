"""Appendix D.1: the descent direction at a pair that misses a pair of singular vectors."""

from __future__ import annotations

from proofs.eftekhari2022.deflation import size
from proofs.razin2020.scripts import using
from verify.kernel import Goal
from verify.registry import holds

READING = (
    "M stands for Y P_X; U, V hold the singular vectors present in the pair and u, v (a column and a row) the missing ones; F and e pick the "
    "first r - 1 coordinates and the last one, so that [A b] = A F + b e and [C; d] = F^T C + e^T d"
)
BASES = """all y m k r:Z, M:M(y,m), U:M(y,k), V:M(k,m), u:V(y), v:M(1,m), S K L:M(k,k), s a b:R, F:M(k,r), e:M(1,r).
       T(U) @ U = I(k) => V @ T(V) = I(k) => T(U) @ u = O(k,1) => V @ T(v) = O(k,1) => T(u) @ u = I(1) => v @ T(v) = I(1) =>
       F @ T(F) = I(k) => e @ T(e) = I(1) => F @ T(e) = O(k,1) => M = U @ S @ V + s*(u @ v) =>"""
PAIR = "(U @ K @ L @ V)"
MOVED = "((U @ K @ F + a*(u @ e)) @ (T(F) @ L @ V + b*(T(e) @ v)))"
PU, PV, P1, Q1 = "(U @ T(U))", "(T(V) @ V)", "(u @ T(u))", "(T(v) @ v)"


def rules(names: list[str]) -> list[str]:
    """The orthogonality relations."""
    return names[:9]


@holds(
    "eftekhari2022.eq-91",
    f"{BASES} M = U @ S @ V + s*(u @ v) and T(U) @ M @ T(V) = S and T(u) @ M @ T(v) = s*I(1)",
    argument="sound",
    reading=READING,
    context="the singular value decomposition of Y P_X (86), (90) [(86), (90)]",
)
def decomposition_with_the_missing_pair(g: Goal) -> None:
    """Multiply out."""
    names = g.intro()
    g.conj(using(names[9]), lambda g: g.nc(rw=[names[9], *rules(names)]), lambda g: g.nc(rw=[names[9], *rules(names)]))


@holds(
    "eftekhari2022.eq-93",
    f"{BASES} {MOVED} = {PAIR} + (a*b)*(u @ v) and tr(T({PAIR}) @ (u @ v)) = 0",
    argument="sound",
    reading=READING,
    context="as shown there [(89), (90)]",
)
def perturbed_pair(g: Goal) -> None:
    """The blocks do not mix, and U^T u = 0."""
    names = g.intro()
    cross = g.have(f"T({PAIR}) @ (u @ v) = O(m,m)", lambda g: g.nc(rw=rules(names)))
    g.conj(lambda g: g.nc(rw=rules(names)), lambda g: (g.rewrite(cross), g.field()))


@holds(
    "eftekhari2022.eq-94",
    f"{BASES} M = ({PU} + {P1}) @ M @ ({PV} + {Q1}) and ({PU} + {P1}) @ M @ ({PV} + {Q1}) = {PU} @ M @ {PV} + {P1} @ M @ {Q1}",
    argument="sound",
    reading=READING,
    context="as shown there [(86), (90)]",
)
def target_between_projections(g: Goal) -> None:
    """The mixed terms vanish."""
    names = g.intro()
    all_rules = [names[9], *rules(names)]
    g.conj(lambda g: g.nc(rw=all_rules), lambda g: g.nc(rw=all_rules))


@holds(
    "eftekhari2022.eq-95",
    f"""{BASES} {PU} @ M @ {Q1} = U @ T(U) @ (U @ S @ V + s*(u @ v)) @ T(v) @ v and
       U @ T(U) @ (U @ S @ V + s*(u @ v)) @ T(v) @ v = U @ T(U) @ u @ (s*v) and U @ T(U) @ u @ (s*v) = O(y,m)""",
    argument="sound",
    reading=READING,
    context="as shown there [(90), (91)]",
)
def mixed_term_vanishes(g: Goal) -> None:
    """V v^T = 0 and U^T u = 0."""
    names = g.intro()
    all_rules = [names[9], *rules(names)]
    g.conj(*[lambda g: g.nc(rw=all_rules)] * 3)


INNER, OUTER = f"({PU} @ M @ {PV} - {PAIR})", f"({P1} @ M @ {Q1} - (a*b)*(u @ v))"
NUMBER = "tr(T(u) @ M @ T(v))"


def pieces(g: Goal, names: list[str]) -> tuple[str, str, str]:
    """Adds M - (...)(...) = (I) + (O) with <I, O> = 0, |O|^2 = (s - a b)^2, and u^T M v^T = s."""
    all_rules = [names[9], *rules(names)]
    one = g.have("T(u) @ M @ T(v) = s*I(1)", lambda g: g.nc(rw=all_rules))
    number = g.have(f"{NUMBER} = s", lambda g: (g.rewrite(one), g.field()))
    inner = g.have(f"{INNER} = U @ (S - K @ L) @ V", lambda g: g.nc(rw=all_rules))
    outer = g.have(f"{OUTER} = (s - a*b)*(u @ v)", lambda g: g.nc(rw=all_rules))
    return inner, outer, number


def norm_of_the_sum(g: Goal, names: list[str], total: str, c: str) -> str:
    """Adds |total|^2 = |U (S - K L) V|^2 + c^2, where total = U (S - K L) V + c u v."""
    x = "U @ (S - K @ L) @ V"
    cross = g.have(f"T({x}) @ (u @ v) = O(m,m)", lambda g: g.nc(rw=rules(names)))
    zero = g.have(f"tr(T({x}) @ (u @ v)) = 0", lambda g: (g.rewrite(cross), g.field()))
    ones = g.have("T(u) @ u @ v @ T(v) = I(1)", lambda g: g.nc(rw=rules(names)))
    unit = g.have("tr(T(u) @ u @ v @ T(v)) = 1", lambda g: (g.rewrite(ones), g.field()))
    whole = g.have(f"{total} = {x} + ({c})*(u @ v)", lambda g: g.nc(rw=[names[9], *rules(names)]))
    return g.have(
        f"{size(total)} = {size(x)} + ({c})^2", lambda g: (g.rewrite(whole), g.field((zero, f"2*({c})"), (unit, f"({c})^2")))
    )


@holds(
    "eftekhari2022.eq-97",
    f"""{BASES} {size(f"M - {MOVED}")}/2 = {size(f"M - {PAIR} - (a*b)*(u @ v)")}/2 and
       {size(f"M - {PAIR} - (a*b)*(u @ v)")}/2 = {size(INNER)}/2 + {size(OUTER)}/2 and
       {size(INNER)}/2 + {size(OUTER)}/2 = {size(INNER)}/2 + abs({NUMBER} - a*b)^2/2""",
    argument="sound",
    reading=READING,
    context="as shown there [(93), (94)]",
)
def perturbed_objective(g: Goal) -> None:
    """The two parts are orthogonal, and u v has norm one."""
    names = g.intro()
    inner, outer, number = pieces(g, names)
    moved = g.have(f"M - {MOVED} = M - {PAIR} - (a*b)*(u @ v)", lambda g: g.nc(rw=rules(names)))
    full = norm_of_the_sum(g, names, f"(M - {PAIR} - (a*b)*(u @ v))", "s - a*b")
    ones = g.have("T(u) @ u @ v @ T(v) = I(1)", lambda g: g.nc(rw=rules(names)))
    unit = g.have("tr(T(u) @ u @ v @ T(v)) = 1", lambda g: (g.rewrite(ones), g.field()))
    first = g.have(f"{size(INNER)} = {size('U @ (S - K @ L) @ V')}", lambda g: (g.rewrite(inner), g.refl()))
    second = g.have(f"{size(OUTER)} = (s - a*b)^2", lambda g: (g.rewrite(outer), g.field((unit, "(s - a*b)^2"))))
    square = g.fact("abs_square", f"{NUMBER} - a*b")
    g.conj(
        lambda g: (g.rewrite(moved), g.refl()),
        lambda g: g.field((full, "1/2"), (first, "-1/2"), (second, "-1/2")),
        lambda g: g.field((second, "1/2"), (square, "-1/2"), (number, f"-({NUMBER} - a*b + s - a*b)/2")),
    )


@holds(
    "eftekhari2022.eq-98",
    f"""{BASES} s != 0 => ex h:R. 0 < h and (0 < a*b*{NUMBER} => abs(a*b) < h =>
       {size(f"M - {MOVED}")}/2 = {size(INNER)}/2 + abs({NUMBER} - a*b)^2/2 and
       {size(INNER)}/2 + abs({NUMBER} - a*b)^2/2 < {size(INNER)}/2 + abs({NUMBER})^2/2 and
       {size(INNER)}/2 + abs({NUMBER})^2/2 = {size(INNER)}/2 + {size(f"{P1} @ M @ {Q1}")}/2 and
       {size(INNER)}/2 + {size(f"{P1} @ M @ {Q1}")}/2 = {size(f"M - {PAIR}")}/2)""",
    argument="sound",
    reading=f"{READING}; the signs of a b and u^T M v^T agree, and a b is small: |a b| < h",
    context="as shown there [(97)]; the missing singular value s is not 0 [(85), rank(Y P_X) >= r]",
    uses=["eftekhari2022.eq-97"],
)
def descent_direction(g: Goal) -> None:
    """(s - a b)^2 < s^2 where a b has the sign of s and |a b| < 2 |s|."""
    names = g.intro()
    inner, _, number = pieces(g, names)
    positive = g.have("0 < abs(s)", lambda g: g.auto())
    g.witness("2*abs(s)")

    def chain(g: Goal) -> None:
        sign = g.assume()
        small = g.assume()
        terms = ("y", "m", "k", "r", "M", "U", "V", "u", "v", "S", "K", "L", "s", "a", "b", "F", "e")
        h = g.split(g.lemma("eftekhari2022.eq-97", "statement", *terms, by=[using(x) for x in names[:10]]))
        square = g.fact("abs_square", f"{NUMBER} - a*b")
        own = g.fact("abs_square", NUMBER)
        ones = g.have("T(u) @ u @ v @ T(v) = I(1)", lambda g: g.nc(rw=rules(names)))
        unit = g.have("tr(T(u) @ u @ v @ T(v)) = 1", lambda g: (g.rewrite(ones), g.field()))
        middle = g.have(f"{P1} @ M @ {Q1} = s*(u @ v)", lambda g: g.nc(rw=[names[9], *rules(names)]))
        third = g.have(f"{size(f'{P1} @ M @ {Q1}')} = s^2", lambda g: (g.rewrite(middle), g.field((unit, "s^2"))))
        full = norm_of_the_sum(g, names, f"(M - {PAIR})", "s")
        first = g.have(f"{size(INNER)} = {size('U @ (S - K @ L) @ V')}", lambda g: (g.rewrite(inner), g.refl()))
        agree = g.have("0 < a*b*s", lambda g: g.pos([f"@{sign}"], eqs=[(number, "-a*b")]))
        product = g.have("(a*b)^2 < 2*(a*b)*s", lambda g: short(g, agree, small))
        g.conj(
            lambda g: g.field((h[0], 1), (h[1], 1), (h[2], 1)),
            lambda g: g.pos(["1/2", f"@{product}"], eqs=[(square, "-1/2"), (own, "1/2"), (number, "a*b")]),
            lambda g: g.field((own, "1/2"), (third, "-1/2"), (number, f"({NUMBER} + s)/2")),
            lambda g: g.field((full, "-1/2"), (first, "1/2"), (third, "1/2")),
        )

    g.conj(lambda g: g.pos(["2", f"@{positive}"]), chain)


def short(g: Goal, agree: str, small: str) -> None:
    """a b lies strictly between 0 and 2 s."""
    forward, _ = g.split(g.fact("abs_le", "a*b", "abs(a*b)"))
    low, high = g.split(g.apply(forward, by=[lambda g: g.refl()]))

    def positive(g: Goal) -> None:
        _, value = g.split(next(reversed(g.seq.hyps)))

        def above(g: Goal) -> None:
            k = g.contra()
            g.pos([f"@{agree}"], [f"@{k}", "s"])

        some = g.have("0 < a*b", above)
        below = g.have("a*b < 2*s", lambda g: g.pos([f"@{high}"], [f"@{small}"], eqs=[(value, -2)]))
        g.pos([f"@{some}", f"@{below}"])

    def negative(g: Goal) -> None:
        sign, value = g.split(next(reversed(g.seq.hyps)))

        def beneath(g: Goal) -> None:
            k = g.contra()
            g.pos([f"@{agree}"], [f"@{k}", f"@{sign}"])

        some = g.have("a*b < 0", beneath)
        above = g.have("2*s < a*b", lambda g: g.pos([f"@{low}"], [f"@{small}"], eqs=[(value, -2)]))
        g.pos([f"@{some}", f"@{above}"])

    g.cases(g.fact("abs_cases", "s"), positive, negative)
