"""Appendix G.2: the entries of the flow, the symmetry of Lemmas 18 and 19, the reduced flow."""

from __future__ import annotations

from proofs.shin2025.warm_start_flow import ENTRIES, PAPER, RATES, claim, of_flow, product
from verify.kernel import Goal
from verify.registry import holds, part


def entry_rates(g: Goal, flow: str, t: str) -> list[str]:
    """The eight entries of the flow equation at a time that is visibly >= 0, in terms of the entries of A and B."""
    ha, hb = g.split_all(g.apply(flow, t))
    out = []
    for name, h in (("A", ha), ("B", hb)):
        right = g.hyp_formula(h)[2]
        for i in (1, 2):
            for j in (1, 2):
                def same(g: Goal, h: str = h) -> None:
                    g.rewrite(h)
                    g.refl()
                out.append(g.have(("=", ("entry", ("d", 1, name, g.term(t)), i, j), ("entry", right, i, j)), same))
    return out


def ab(i: int, j: int, m: str, t: str = "t") -> str:
    return f"{m}({t})[{i},{j}]"


RA = ["(w - (A(t)@B(t))[1,1])", "(v - (A(t)@B(t))[1,2])", "(w - (A(t)@B(t))[2,2])"]


@holds(
    "shin2025.eq-46",
    claim(f"""all t:R. 0 <= t =>
      D(u, A(u)[1,1], t) = B(t)[1,1]*{RA[0]} + B(t)[1,2]*{RA[1]} and D(u, A(u)[1,2], t) = B(t)[2,1]*{RA[0]} + B(t)[2,2]*{RA[1]} and
      D(u, A(u)[2,1], t) = B(t)[1,2]*{RA[2]} and D(u, A(u)[2,2], t) = B(t)[2,2]*{RA[2]}"""),
    argument="sound",
)
def entries_of_the_flow_of_a(g: Goal) -> None:
    """The entries of A' = -G B^T."""
    hs = g.intro()
    e = entry_rates(g, hs[4], "t")
    g.conj(*[lambda g: g.field(rw=e)] * 4)


@holds(
    "shin2025.eq-47",
    claim(f"""all t:R. 0 <= t =>
      D(u, B(u)[1,1], t) = A(t)[1,1]*{RA[0]} and D(u, B(u)[1,2], t) = A(t)[1,1]*{RA[1]} + A(t)[2,1]*{RA[2]} and
      D(u, B(u)[2,1], t) = A(t)[1,2]*{RA[0]} and D(u, B(u)[2,2], t) = A(t)[1,2]*{RA[1]} + A(t)[2,2]*{RA[2]}"""),
    argument="sound",
)
def entries_of_the_flow_of_b(g: Goal) -> None:
    """The entries of B' = -A^T G."""
    hs = g.intro()
    e = entry_rates(g, hs[4], "t")
    g.conj(*[lambda g: g.field(rw=e)] * 4)


A_, B_ = ({(i, j): f"{m}(t)[{i},{j}]" for i in (1, 2) for j in (1, 2)} for m in "AB")
PAIRS = "A(t)[1,1] = B(t)[2,2] and A(t)[1,2] = B(t)[1,2] and A(t)[2,1] = B(t)[2,1] and A(t)[2,2] = B(t)[1,1]"
DIFFERENCES = (f"{A_[1, 1]} - {B_[2, 2]}", f"{A_[1, 2]} - {B_[1, 2]}", f"{A_[2, 1]} - {B_[2, 1]}", f"{A_[2, 2]} - {B_[1, 1]}")
GAPS = "[" + ", ".join(f"[{x}]" for x in DIFFERENCES) + "]"
# w11 - w22 = DIAGONAL . GAPS
DIAGONAL = (A_[2, 2], A_[2, 1], f"-{A_[1, 2]}", f"-{A_[1, 1]}")


def system() -> str:
    """The matrix of the linear system that the differences of paired entries solve."""
    plain = [["0", f"-{RA[1]}", "0", f"-{RA[2]}"], [f"-{RA[1]}", "0", f"-{RA[2]}", "0"], ["0", f"-{RA[0]}", "0", "0"], [f"-{RA[0]}", "0", "0", "0"]]
    factors = [f"-{B_[1, 1]}", f"-{B_[2, 1]}", B_[1, 2], B_[2, 2]]
    rows = [[f"{x} + ({c})*({m})" for x, m in zip(line, DIAGONAL, strict=True)] for line, c in zip(plain, factors, strict=True)]
    return "[" + ", ".join("[" + ", ".join(line) + "]" for line in rows) + "]"


@holds(
    "shin2025.lemma-19",
    claim(f"all t:R. 0 <= t => {PAIRS} and {product('t')}[1,1] = {product('t')}[2,2]"),
    reading="T_1 is taken as the origin of time.",
)
def paired_entries_agree(g: Goal) -> None:
    """The four differences of paired entries solve a linear homogeneous system with smooth coefficients and vanish at the start."""
    hs = g.intro()
    starts, flow = (hs[2], hs[3]), hs[4]

    def derivative(g: Goal) -> None:
        (x,) = g.fix("x")
        g.assume()
        e = entry_rates(g, flow, x)
        g.ext(lambda g: g.field(rw=e))

    def start(g: Goal) -> None:
        def entry(g: Goal) -> None:
            for h in starts:
                g.rewrite(h)
            g.field()

        g.ext(entry)

    z = g.by_fact("linear_system_zero", "4", f"lam t:R. {GAPS}", f"lam t:R. {system()}", by=[None, derivative, start])
    zero = g.apply(z, "t")
    gap = []
    for i in range(4):
        h = g.have(f"({GAPS})[{i + 1},1] = 0", lambda g: (g.rewrite(zero), g.field()))
        gap.append(g.have(f"{DIFFERENCES[i]} = 0", lambda g, h=h: g.field((h, 1))))
    g.conj(*[lambda g, h=h: g.field((h, 1)) for h in gap], lambda g: g.field(*[(h, c) for h, c in zip(gap, DIAGONAL, strict=True)]))


REDUCTION = f"""ex p q r s:R~>R. p(0) = sqrt(w) and q(0) = 0 and r(0) = 0 and s(0) = sqrt(w) and (all t:R. 0 <= t => {RATES}) and
                (all t:R. 0 <= t => {ENTRIES})"""


@part(f"{PAPER}.lemma-19", "reduction", claim(REDUCTION), says="The flow comes from four functions that solve (51).", uses=[f"{PAPER}.lemma-19"])
def four_functions_carry_the_flow(g: Goal) -> None:
    """p, q, r, s are the entries of A; those of B are the same ones by the symmetry, and with them their derivatives."""
    hs = g.intro()
    starts, flow = (hs[2], hs[3]), hs[4]
    sym = of_flow(g, hs, "lemma-19")
    g.witness("lam t:R. A(t)[1,1]", "lam t:R. A(t)[1,2]", "lam t:R. A(t)[2,1]", "lam t:R. A(t)[2,2]")

    def start(g: Goal) -> None:
        g.rewrite(starts[0])
        g.field()

    def both(g: Goal) -> tuple[list[str], list[str]]:
        (x,) = g.fix("x")
        g.assume()
        e = entry_rates(g, flow, x)
        pairs = g.split_all(g.apply(sym, x))
        turned = [g.have(f"B({x})[{3 - i},{3 - i}] = A({x})[{i},{i}]", lambda g, k=k: g.field((pairs[k], -1))) for i, k in ((1, 0), (2, 3))]
        turned += [g.have(f"B({x})[{i},{3 - i}] = A({x})[{i},{3 - i}]", lambda g, k=k: g.field((pairs[k], -1))) for i, k in ((1, 1), (2, 2))]
        return e, turned

    def rates(g: Goal) -> None:
        e, turned = both(g)
        g.conj(*[lambda g: g.field(rw=e + turned)] * 4)

    def values(g: Goal) -> None:
        e, turned = both(g)
        g.conj(*[lambda g: g.field(rw=e + turned)] * 16)

    g.conj(start, start, start, start, rates, values)
