"""Section 4: what is learned for M_1 has neither the least nuclear norm nor the least rank of all completions."""

from __future__ import annotations

from proofs.bai2024.escape_rates import DIRECTIONS
from proofs.bai2024.followed_limits import CLAIM
from proofs.bai2024.learned_examples import FIRST, FLIPPED, REFLECTION, SQUARE, factored, trace_bound
from proofs.bai2024.limits_of_factors import CLAIM as SECOND_CLAIM
from proofs.bai2024.limits_of_factors import DIRECTION, FIRST_FLOWS, LIMITS, of_limit
from proofs.bai2024.minimum_nuclear_norm import STARTS
from proofs.bai2024.rank_one_capture import LEVEL
from proofs.bai2024.regular_limits import COLUMN, LAST, TOP
from proofs.bai2024.small_scale_limit import ALONG_START, SIZE_START
from verify.kernel import Goal
from verify.registry import holds, part

W = "(Ah @ Bh)"
FITS = f"{W}[1,1] = 1 => {W}[1,2] = 2 => {W}[2,1] = 3 => {W}[3,3] = 5"
THIRD = "(z @ (T({0} @ X) + Y @ {1}))[1,1]".format(LAST, COLUMN)
SUMS = [f"(Ah[3,{k}] + Bh[{k},3])" for k in (1, 2, 3)]
FIRST_SUMS = [f"(X[3,{k}] + Y[{k},3])" for k in (1, 2, 3)]


@part(
    CLAIM,
    "rank-one-is-an-exception",
    f"""all X Y Ah Bh:M(3,3), z:M(1,3). T(Ah) @ Ah = Bh @ T(Bh) => {DIRECTION} => {W}[1,1] = 1 => {W}[3,3] = 5 => rank({W}) <= 1 =>
       z[1,1]*Ah[1,1] + z[1,2]*Ah[1,2] + z[1,3]*Ah[1,3] = 0 => {THIRD} = 0""",
    says="Were a balanced limit of rank 1, the start of the third pair would be orthogonal to all that is orthogonal to the first row.",
)
def rank_one_is_an_exception(g: Goal) -> None:
    """By the balance W W^T = (A A^T)^2, so A^T vanishes where W^T does: all rows of A are multiples of the first, and again by the balance
    the third column of B is orthogonal to z as well. The sum of the third row and column is not 0, as their product is 5."""
    balance, direction, one, five, low, flat = g.intro()
    (uv,) = g.obtain(g.by_fact("rank_factor", 3, 3, 1, W, by=[None, lambda g: g.close_by(low)]), "p", "q")
    unit = g.have("p[1,1]*q[1,1] = 1", lambda g: first_entry(g, uv, one))
    rows = {}
    for i, y in ((2, "[[p[2,1]],[-p[1,1]],[0]]"), (3, "[[p[3,1]],[0],[-p[1,1]]]")):
        (own,) = g.obtain(g.have(f"ex y:M(3,1). y = {y}", lambda g, y=y: (g.witness(y), g.refl())[-1]), f"y{i}")  # type: ignore[misc]
        v = f"y{i}"
        orth = g.have(f"T(p) @ {v} = O(1,1)", lambda g, own=own: (g.rewrite(own), g.ext(lambda g: g.field()))[-1])  # type: ignore[misc]
        null = g.have(f"T({W}) @ {v} = O(3,1)", lambda g, o=orth: (g.rewrite(uv), g.nc((o, 1, "T(q)", None)))[-1])  # type: ignore[misc]
        square = g.have(
            f"T(Ah @ T(Ah) @ {v}) @ (Ah @ T(Ah) @ {v}) = O(1,1)",
            lambda g, v=v, n=null: g.nc((balance, 1, f"T({v}) @ Ah", f"T(Ah) @ {v}"), (n, 1, f"T({v}) @ Ah @ Bh", None)),  # type: ignore[misc]
        )
        inner = vanishes(g, f"Ah @ T(Ah) @ {v}", square)
        square = g.have(f"T(T(Ah) @ {v}) @ (T(Ah) @ {v}) = O(1,1)", lambda g, v=v, n=inner: g.nc((n, 1, f"T({v})", None)))  # type: ignore[misc]
        zero = vanishes(g, f"T(Ah) @ {v}", square)
        zero = g.rewritten(zero, own)
        entries = [
            g.have(f"p[{i},1]*Ah[1,{k}] = p[1,1]*Ah[{i},{k}]", lambda g, k=k, h=zero, y=y: of_entry(g, h, f"T(Ah) @ {y}", k))  # type: ignore[misc]
            for k in (1, 2, 3)
        ]
        line = " + ".join(f"z[1,{k}]*Ah[{i},{k}]" for k in (1, 2, 3))
        rows[i] = g.have(
            f"{line} = 0",
            lambda g, e=entries, i=i, line=line: g.field(  # type: ignore[misc]
                (unit, f"-({line})"), (flat, f"q[1,1]*p[{i},1]"), *[(h, f"-q[1,1]*z[1,{k}]") for k, h in zip((1, 2, 3), e, strict=True)]
            ),
        )
    rows[1] = flat
    kernel = g.have("Ah @ T(z) = O(3,1)", lambda g: by_rows(g, rows))
    square = g.have("T(T(Bh) @ T(z)) @ (T(Bh) @ T(z)) = O(1,1)", lambda g: g.nc((balance, -1, "z", "T(z)"), (kernel, 1, "z @ T(Ah)", None)))
    other = vanishes(g, "T(Bh) @ T(z)", square)
    third = g.have(" + ".join(f"z[1,{k}]*Bh[{k},3]" for k in (1, 2, 3)) + " = 0", lambda g: last_entry(g, other))
    size = " + ".join(f"{x}^2" for x in SUMS)
    positive = g.have(
        f"0 < {size}", lambda g: g.pos(*[[f"(Ah[3,{k}] - Bh[{k},3])^2"] for k in (1, 2, 3)], ["20"], eqs=[(five, "4")])
    )
    (m,) = g.obtain(g.have(f"ex m:R. m = {size}", lambda g: (g.witness(size), g.refl())[-1]), "m")
    g.have("0 < m", lambda g: g.pos(["@" + positive], eqs=[(m, "1")]))
    table = {(j, k): g.apply(direction, j, k) for j in (1, 2, 3) for k in (1, 2, 3)}
    number = " + ".join(f"z[1,{k}]*{x}" for k, x in zip((1, 2, 3), FIRST_SUMS, strict=True))
    cofactors = [(h, f"{SUMS[j - 1]}*z[1,{k}]") for (j, k), h in table.items()]
    sums = " + ".join(f"{x}*{y}" for x, y in zip(SUMS, FIRST_SUMS, strict=True))
    product = g.have(f"m*({number}) = 0", lambda g: g.field((m, number), *cofactors, (rows[3], sums), (third, sums)))
    g.field((product, "1/m"))


def first_entry(g: Goal, uv: str, one: str) -> None:
    """p[1,1] q[1,1] = 1 from W = p q."""
    k = g.have(f"{W}[1,1] = (p @ q)[1,1]", lambda g: (g.rewrite(uv), g.refl())[-1])
    g.field((k, -1), (one, 1))


def vanishes(g: Goal, x: str, square: str) -> str:
    """x = 0 for a column whose square is 0."""
    norm = g.have(f"tr(T({x}) @ ({x})) = 0", lambda g: (g.rewrite(square), g.field())[-1])
    return g.by_fact("frobenius_zero", 3, 1, x, by=[lambda g: g.close_by(norm)])


def of_entry(g: Goal, h: str, x: str, k: int) -> None:
    """An equation from an entry of x = 0."""
    e = g.have(f"({x})[{k},1] = 0", lambda g: (g.rewrite(h), g.field())[-1])
    g.field((e, 1))


def last_entry(g: Goal, h: str) -> None:
    e = g.have("(T(Bh) @ T(z))[3,1] = 0", lambda g: (g.rewrite(h), g.field())[-1])
    g.field((e, 1))


def by_rows(g: Goal, rows: dict[int, str]) -> None:
    for i, branch in enumerate(g.step("ext"), 1):
        branch.run(lambda g, i=i: g.field((rows[i], 1)))  # type: ignore[misc]
