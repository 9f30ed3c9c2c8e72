"""What (34), (37), (38), (42) and the blocks C, E, F say as printed, refuted by flows in dimension 2 with the
diagonal pattern."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from proofs.shin2025.alignment_flow import subterms
from proofs.shin2025.disconnected_blocks import BLOCK_CONTEXT, block, diagonal
from proofs.shin2025.disconnected_chain import READING
from proofs.shin2025.disconnected_examples import (
    RHO,
    SATURATING,
    SAYS_SIGN,
    F,
    by_expansion,
    gradient_of,
    multiples,
    rho_integrals,
    rho_tends,
    saturating_loss,
)
from proofs.shin2025.disconnected_exponential import LIMIT_38, block_statement, limit_statement, solution_at
from proofs.shin2025.disconnected_limit import chain
from proofs.shin2025.disconnected_solution import CONTEXT, last
from proofs.shin2025.disconnected_structure import MINUS_W, flow_34
from verify.kernel import Goal
from verify.registry import part, refuted

Script = Callable[[Goal], Any]
SWAP = "[[1,0,0,0],[0,0,1,0],[0,1,0,0],[0,0,0,1]]"
IDENTITY = "[[1],[0],[0],[1]]"  # the vectorisation of the 2 x 2 identity
SIGN = (
    "r = w* - w, as G.1 defines the residual, gives the wrong sign: A = B = f I with f' = (4 - f^2) f, f(0) = 1, w* = 4; "
    "with r = w - w* (or without the minus sign) it is true"
)


def cases_upto(g: Goal, k: str, top: int, script: Script, low: int = 1) -> None:
    """Cases for an integer from low to top."""

    def equal(q: Goal) -> None:
        q.rewrite(q.have(f"{k} = {low}", lambda z: z.field((list(z.seq.hyps)[-1], "-1"))))
        script(q)

    def more(q: Goal) -> None:
        strict = list(q.seq.hyps)[-1]
        h = q.by_fact("int_lt", low, k, by=[lambda z: z.close_by(strict)])
        q.have(f"{low + 1} <= {k}", lambda z: z.pos([f"@{h}"]))
        cases_upto(q, k, top, script, low + 1)

    if low < top:
        g.less_or_equal(f"{low} <= {k}", more, equal)
    else:
        g.rewrite(g.have(f"{k} = {low}", lambda z: z.antisym()))
        script(g)


def by_cases(g: Goal, tops: dict[str, int], script: Script) -> None:
    """Cases for several integers."""
    if not tops:
        script(g)
        return
    k, top = next(iter(tops.items()))
    rest = {x: y for x, y in tops.items() if x != k}
    cases_upto(g, k, top, lambda q: by_cases(q, rest, script))


def value(e: Any) -> int:
    """An integer term without variables."""
    if isinstance(e, int):
        return e
    parts = [value(x) for x in e[1:]]
    return sum(parts) if e[0] == "+" else math.prod(parts)


def entry_of_structure(g: Goal) -> None:
    """The two statements on an entry, at literal places."""

    def other(k: Goal) -> None:
        h = k.assume()
        place, column = k.hyp_formula(h)[1:]
        if value(place) == value(column):
            k.clash(k.have(("=", place, column), lambda z: z.field()), h)
        else:
            k.field()

    g.conj(lambda k: k.field(), other)


def structure(g: Goal) -> None:
    """(35), or a diagonal form, for an explicit 4 x 4 matrix."""
    g.intro()
    p, q, c = list(g.seq.ctx)[-3:]
    by_cases(g, {p: 2, q: 2, c: 4}, entry_of_structure)


def vectors(g: Goal) -> None:
    """The vectorisation of a multiple of the identity."""
    g.intro()

    def one(k: Goal) -> None:
        k.intro()
        p, q = list(k.seq.ctx)[-2:]
        by_cases(k, {p: 2, q: 2}, lambda z: z.field())

    g.conj(one, one)


def exponential_of_swap(m: str) -> tuple[tuple[str, ...], Script]:
    """The blocks of exp(-s m [[0, K], [K, 0]]), K = SWAP, and the proof of their equations."""
    even, odd = f"lam s:R. cosh(s*({m}))*I(4)", f"lam s:R. -sinh(s*({m}))*{SWAP}"

    def script(g: Goal) -> None:
        square = g.have(f"{SWAP} @ {SWAP} = I(4)", lambda k: k.ext(lambda c: c.field()))
        symmetric = g.have(f"T({SWAP}) = {SWAP}", lambda k: k.ext(lambda c: c.field()))

        def equation(k: Goal) -> None:
            for e in [x for x in subterms(k.concl) if x[0] == "T"]:
                k.rewrite(k.have(("=", e, e[1]), lambda z: z.nc((symmetric, f"{m}", None, None))))
            k.nc(rw=[square])

        def equations(k: Goal) -> None:
            k.intro()
            k.conj(*[equation] * 4)

        start = lambda k: k.nc()  # noqa: E731
        g.conj(start, start, start, start, equations)

    return (even, odd, odd, even), script


def first_entry(g: Goal, h: str) -> str:
    """The first entries of the two sides of an equation of vectors."""
    left, right = g.hyp_formula(h)[1:]
    return g.have(("=", ("entry", left, 1, 1), ("entry", right, 1, 1)), lambda k: (k.rewrite(h), k.refl()))


def differ(g: Goal, h: str, left: str, right: str) -> None:
    """The first entries are left and right, different numbers by ball arithmetic."""
    e = first_entry(g, h)
    same = g.have(f"{left} = {right}", lambda k: k.field((e, "1")))
    g.clash(same, g.have(f"{left} != {right}", lambda k: k.ball()))


FLOW_PREMISES: list[Script | None] = [None, None, gradient_of(F, F), by_expansion]
X = f"lam t:R. {F}*{IDENTITY}"


@refuted(
    "shin2025.eq-34",
    flow_34(MINUS_W),
    argument="repaired",
    context=CONTEXT,
    reason=SIGN + ". Also theta is printed as an element of R^(2d^2 x 2d^2)",
)
def sign_of_the_residual(g: Goal) -> None:
    """At t = 0: f' = 3, but - r f = - 3."""
    g.witness(*SATURATING, X, X, f"lam t:R. (4 - {F}*{F})*{SWAP}")

    def finish(k: Goal) -> None:
        k.witness("0")
        chain(k, None, lambda q: (q.left_or_right(0), differ(q, q.contra(), "3", "-3")))

    chain(g, *FLOW_PREMISES, vectors, lambda k: (k.intro(), structure(k)), finish)


@refuted("shin2025.eq-37", solution_at("w* - w"), argument="repaired", context=CONTEXT, reason=SIGN)
def sign_in_the_exponential(g: Goal) -> None:
    """At t = 1: f(1) = exp(-rho(1)), but the printed exponential gives exp(rho(1))."""
    one = RHO.replace("*t", "*1")
    blocks, equations = exponential_of_swap(f"-{one}")
    g.witness(*SATURATING, f"lam k:Z, t:R. -{RHO}", X, X, "1", f"-{one}*{SWAP}", *blocks)

    def integrals(k: Goal) -> None:
        k.intro()

        def rate(q: Goal) -> None:
            q.intro()
            f = F.replace("*t", f"*{last(q)}")
            q.replace(f"({f}*I(2)) @ ({f}*I(2))", f"({f}*{f})*I(2)", lambda z: z.nc())
            q.field()

        k.conj(lambda q: q.field(), rate)

    def finish(k: Goal) -> None:
        k.left_or_right(0)
        differ(k, k.contra(), f"exp(-{one})", f"exp({one})")

    chain(g, *FLOW_PREMISES, vectors, integrals, None, structure, equations, finish)


@part(
    "shin2025.eq-36",
    "printed-residual",
    f"not ({solution_at('w* - w')})",
    says="with the integral from 0 to t and the residual w* - w the statement is that of (37), which is false",
    uses=["shin2025.eq-37"],
)
def sign_in_the_integral(g: Goal) -> None:
    """See (37)."""
    h = g.assume()
    g.clash(g.lemma("shin2025.eq-37", "negation"), h)


@part(
    "shin2025.eq-38",
    "printed-residual",
    f"not ({limit_statement('w* - w', LIMIT_38)})",
    says=SAYS_SIGN,
)
def sign_in_the_limit(g: Goal) -> None:
    """f tends to 2, but cosh(log 2) - sinh(log 2) = 1/2 would be its limit."""
    h = g.assume()
    blocks, equations = exponential_of_swap("log(2)")
    terms, integrals = rho_integrals(F, F, "-")
    premises = [*FLOW_PREMISES, saturating_loss(F, F, "4"), integrals, vectors, structure, equations]
    limit = g.split(g.apply(h, *SATURATING, *terms, X, X, f"log(2)*{SWAP}", *blocks, by=premises))[0]
    wrong_vector_limit(g, limit, rho_tends(g, "lam z:R. exp(-z)", "2"), F, "2", "1/2")


def wrong_vector_limit(g: Goal, limit: str, true: str, f: str, value: str, printed: str) -> None:
    """A vector function whose first entry f tends to value (hypothesis true) does not tend to one with first entry `printed`."""
    _, v, body, end = g.hyp_formula(limit)
    lam = ("lam", ((v, "R"),), body)
    h = g.split(g.fact("tends_matrix", 4, 1, end, lam))[0]
    entry = g.apply(g.apply(h, by=[lambda k: k.close_by(limit)]), "1", "1")
    e = g.hyp_formula(entry)
    of_entry = ("lam", ((e[1], "R"),), e[2])
    x = g.by_fact(
        "tends_ext", 0, value, f"lam t:R. {f}", of_entry, by=[lambda k: (k.intro(), k.field()), lambda k: k.close_by(true)]
    )
    u = g.by_fact("tends_unique", e[3], value, of_entry, by=[lambda k: k.close_by(entry), lambda k: k.close_by(x)])
    same = g.have(f"{printed} = {value}", lambda k: k.field((u, "1")))
    g.clash(same, g.have(f"{printed} != {value}", lambda k: k.ball()))


# ---------------------------------------------------------------------- cosh entry by entry, and the block E

ELEMENTWISE = (
    "cosh entry by entry of a diagonal matrix has cosh(0) = 1 off the diagonal: for r-bar = 0 (the flow at rest) in dimension 2 "
    "the exponential is the identity, but the printed block is all ones"
)
EVERY_ENTRY = (
    "the matrix so defined is the {} block of the exponential in (38), which is what the block is for; elementwise: cosh of every "
    "entry, also of the zeros off the diagonal"
)
ON_THE_DIAGONAL = ("cosh of the entries on the diagonal, 0 elsewhere", "holds", "on-the-diagonal")


def _elementwise(g: Goal) -> None:
    """The exponential of 0: the entry (1, 2) is 0, not cosh(0)."""
    zero = "O(4,4)"
    g.witness(
        "2",
        "lam k:Z. k",
        "lam k:Z. k",
        "lam k:Z. 0",
        zero,
        "lam s:R. I(4)",
        f"lam s:R. {zero}",
        f"lam s:R. {zero}",
        "lam s:R. I(4)",
        zero,
    )

    def equations(k: Goal) -> None:
        start = lambda q: q.nc()  # noqa: E731
        k.conj(start, start, start, start, lambda q: (q.intro(), q.conj(*[start] * 4)))

    def finish(k: Goal) -> None:
        k.witness("1", "2")
        chain(k, None, numbers)

    def numbers(k: Goal) -> None:
        h = k.contra()
        e = k.have("0 = 1", lambda q: q.field((h, "1")))
        k.clash(e, k.have("0 != 1", lambda q: q.field()))

    chain(g, None, None, structure, equations, structure, finish)


@refuted(
    "shin2025.def-block-c",
    block("Cb(1)[u,v] = cosh(Z[u,v])", diagonal("r(p)")),
    argument="repaired",
    context=BLOCK_CONTEXT,
    reading=EVERY_ENTRY.format("upper left"),
    readings=[ON_THE_DIAGONAL],
    reason=ELEMENTWISE,
)
def elementwise_cosh_in_c(g: Goal) -> None:
    """For r-bar = 0 the block is the identity."""
    _elementwise(g)


@refuted(
    "shin2025.def-block-f",
    block("Fb(1)[u,v] = cosh(Z[u,v])", diagonal("r(i(q))")),
    argument="repaired",
    context=BLOCK_CONTEXT,
    reading=EVERY_ENTRY.format("lower right"),
    readings=[ON_THE_DIAGONAL],
    reason=ELEMENTWISE,
)
def elementwise_cosh_in_f(g: Goal) -> None:
    """For r-bar = 0 the block is the identity."""
    _elementwise(g)


def _pattern(value_: str, transposed: bool = False) -> str:
    """The matrix of (35) for the diagonal pattern with r(1) = 0, r(2) = value."""
    if transposed:
        return f"[[0,0,0,0],[0,0,{value_},0],[0,0,0,0],[0,0,0,{value_}]]"
    return f"[[0,0,0,0],[0,0,0,0],[0,{value_},0,0],[0,0,0,{value_}]]"


@refuted(
    "shin2025.def-block-e",
    block("Eb(1)[u,v] = -sinh(M[u,v])"),
    argument="repaired",
    context=BLOCK_CONTEXT,
    reason="E is printed with the same bracket as D; it is the transpose: for the diagonal pattern in dimension "
    "2 with r-bar_11 = 0, "
    "r-bar_22 = -log 2 (A = B = diag(1, f)) the entry (2, 3) of E is sinh(log 2), and 0 is printed",
)
def bracket_not_transposed(g: Goal) -> None:
    """R is not symmetric where the integrals differ."""
    m = "-log(2)"
    ch, sh = f"cosh(s*({m}))", f"(-sinh(s*({m})))"
    c, f = f"[[1,0,0,0],[0,1,0,0],[0,0,{ch},0],[0,0,0,{ch}]]", f"[[1,0,0,0],[0,{ch},0,0],[0,0,1,0],[0,0,0,{ch}]]"
    blocks = [c, _pattern(sh), _pattern(sh, transposed=True), f]
    g.witness("2", "lam k:Z. k", "lam k:Z. k", "lam k:Z. -(k - 1)*log(2)", _pattern(f"({m})"), *[f"lam s:R. {b}" for b in blocks])
    entries = lambda q: q.ext(lambda z: z.field())  # noqa: E731

    def equations(k: Goal) -> None:
        k.conj(entries, entries, entries, entries, lambda q: (q.intro(), q.conj(*[entries] * 4)))

    def finish(k: Goal) -> None:
        k.witness("2", "3")
        chain(k, None, numbers)

    def numbers(k: Goal) -> None:
        h = k.contra()
        e = k.have("sinh(log(2)) = 0", lambda q: q.field((h, "1")))
        k.clash(e, k.have("sinh(log(2)) != 0", lambda q: q.ball()))

    chain(g, None, None, structure, equations, finish)


@refuted(
    "shin2025.eq-42",
    block_statement("Cm[u,v] = cosh(Y[u,v])", "Fm[u,v] = cosh(Z[u,v])", "M[u,v]"),
    reading=READING,
    argument="repaired",
    context=CONTEXT,
    reason="with C, F by cosh entry by entry, as defined: for A = B = I, w* = 1 at rest in dimension 2 (r-bar = "
    "0) C is all ones and "
    "C vec(I) = 2 (1, 1, 1, 1), not vec(I). E has the wrong bracket as well (see its definition), and r = w* - w the wrong sign",
)
def blocks_as_printed(g: Goal) -> None:
    """A = B = I at rest: the printed limit of the first place is 2, not 1."""
    zero, ones = "O(2*2,2*2)", "J(2*2,2*2)"
    start = multiples("1", "1", "1")
    x = f"lam t:R. {IDENTITY}"
    g.witness(*start, "lam k:Z, t:R. 0", "lam k:Z. 0", x, x, zero, zero, zero, ones, zero, zero, ones)

    def loss(k: Goal) -> None:
        k.intro()
        k.replace("(1*I(2)) @ (1*I(2))", "(1*1)*I(2)", lambda z: z.nc())
        k.replace(k.concl[3], k.concl[2])
        k.close_by(k.fact("tends_const", k.concl[3]))

    def integrals(k: Goal) -> None:
        k.intro()

        def rate(q: Goal) -> None:
            q.intro()
            q.replace("(1*I(2)) @ (1*I(2))", "(1*1)*I(2)", lambda z: z.nc())
            q.field()

        k.conj(lambda q: q.field(), rate, lambda q: q.close_by(q.fact("tends_const", 0)))

    each = lambda k: (k.intro(), k.field())  # noqa: E731

    def finish(k: Goal) -> None:
        k.left_or_right(0)
        limit = k.assume() if k.concl[0] == "not" else k.contra()
        wrong_vector_limit(k, limit, k.fact("tends_const", 1), "1", "1", "2")

    premises: list[Script | None] = [
        None,
        None,
        gradient_of("1", "1"),
        by_expansion,
        loss,
        integrals,
        vectors,
        structure,
        structure,
        structure,
    ]
    chain(g, *premises, each, each, each, each, finish)
