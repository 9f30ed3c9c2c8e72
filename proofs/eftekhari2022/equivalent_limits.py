"""Appendix K: the loss of the flow tends to its minimum, in the forms (161) to (165)."""

from __future__ import annotations

from proofs.eftekhari2022.best_rank_one import TARGET as LEADING_PAIR
from proofs.eftekhari2022.equal_minima import REST
from proofs.eftekhari2022.product_map import DEEP, NAMES, SETTING
from proofs.eftekhari2022.product_map import READING as LAYERED
from proofs.eftekhari2022.rank_one_numbers import GAMMA, GAP
from proofs.eftekhari2022.row_span_projection import PENROSE, P
from proofs.eftekhari2022.second_order_layers import half
from proofs.razin2020.scripts import using
from verify.kernel import Goal
from verify.registry import holds, part


def size(m: str) -> str:
    """The squared Frobenius norm."""
    return f"tr(T({m}) @ ({m}))"


def minimum(value: str, loss: str) -> str:
    """`value` is the infimum of the loss of W over the matrices of rank at most r."""
    return f"(all c:R. (all W:M(y,x). rank(W) <= r => c <= {loss}) <=> c <= {value})"


GAPPED = LEADING_PAIR.replace(". ", f". {GAP} ", 1)
INFIMUM = "a minimum v is described by its lower bounds: c is below all values exactly if c <= v"
PROJECTED = half(f"Y @ {P} - W @ X")
FLOW_PROJECTED = half(f"Y @ {P} - E(t) @ X")


@holds(
    "eftekhari2022.eq-161",
    f"""{SETTING} all m:Z, X:M(x,m), Y:M(y,m), E:R->M(y,x), v:R. tends(t, {half("Y - E(t) @ X")}, v) => (all c:R. {DEEP} <=> c <= v) =>
       tends(t, {half("Y - E(t) @ X")}, v) and {minimum("v", half("Y - W @ X"))}""",
    argument="sound",
    reading=f"E is the product of the layers along the flow; {INFIMUM}; {LAYERED}",
    context="as shown there [(159)]",
    uses=["eftekhari2022.eq-10a"],
)
def minimum_over_the_products(g: Goal) -> None:
    """(10a): both losses have the same lower bounds."""
    g.fix()
    for name in NAMES:
        g.assume(name)
    g.fix()
    limit, least = g.assume(), g.assume()

    def each(g: Goal) -> None:
        g.fix("c")
        h = g.lemma("eftekhari2022.eq-10a", "statement", *"xynNrd", by=[using(name) for name in NAMES])
        there, back = g.split(g.apply(h, "m", "X", "Y", "c"))
        one, two = g.split(g.apply(least, "c"))

        def forward(g: Goal) -> None:
            k = g.assume()
            deep = g.apply(back, by=[using(k)], n=1)
            g.close_by(g.apply(one, by=[using(deep)], n=1))

        def backward(g: Goal) -> None:
            k = g.assume()
            deep = g.apply(two, by=[using(k)], n=1)
            g.close_by(g.apply(there, by=[using(deep)], n=1))

        g.iff(forward, backward)

    g.conj(using(limit), each)


def shifted(g: Goal, least: str, loss: str, shift: str, same: str) -> None:
    """`minimum` for another loss, which is `loss` - `shift` (by `same`, for all W), from that for `loss`."""
    g.fix("c")
    one, two = g.split(g.apply(least, f"c + {shift}"))

    def forward(g: Goal) -> None:
        k = g.assume()

        def each(g: Goal) -> None:
            g.fix("W")
            rank = g.assume()
            h = g.apply(k, "W", by=[using(rank)])
            e = g.apply(same, "W")
            g.pos([f"@{h}"], eqs=[(e, 1)])

        below = g.have(f"all W:M(y,x). rank(W) <= r => c + {shift} <= {loss}", each)
        h = g.apply(one, by=[using(below)], n=1)
        g.pos([f"@{h}"])

    def backward(g: Goal) -> None:
        k = g.assume()
        below = g.apply(two, by=[lambda g: g.pos([f"@{k}"])], n=1)
        g.fix("W")
        rank = g.assume()
        h = g.apply(below, "W", by=[using(rank)])
        e = g.apply(same, "W")
        g.pos([f"@{h}"], eqs=[(e, -1)])

    g.iff(forward, backward)


def limit_shifted(g: Goal, limit: str, value: str, loss: str, moved: str, shift: str, same: str) -> None:
    """tends(t, moved, value - shift) from tends(t, loss, value)."""
    const = g.fact("tends_const", f"-({shift})")
    k = g.by_fact("tends_add", value, f"-({shift})", f"lam t:R. {loss}", f"lam t:R. -({shift})", by=[using(limit), using(const)])

    def each(g: Goal) -> None:
        g.fix("t")
        g.assume()
        e = g.apply(same, "E(t)")
        g.field((e, 1))

    target = g.concl[3]
    k = g.rewritten(k, g.have(("=", g.hyp_formula(k)[3], target), lambda g: g.field()))
    g.close_by(g.by_fact("tends_ext", 0, target, f"lam t:R. {loss} + -({shift})", f"lam t:R. {moved}", by=[each, using(k)]))


SPACES = f"all x y m r:Z, X:M(x,m), G:M(m,x), Y:M(y,m), E:R->M(y,x), v:R. {PENROSE}"


@holds(
    "eftekhari2022.eq-163",
    f"""{SPACES} tends(t, {half("Y - E(t) @ X")}, v) => {minimum("v", half("Y - W @ X"))} =>
       tends(t, {FLOW_PROJECTED}, v - {REST}) and {minimum(f"v - {REST}", PROJECTED)}""",
    argument="sound",
    reading=f"E is the product of the layers along the flow, G the pseudo-inverse of X; {INFIMUM}",
    context="as shown there [(161)]",
    uses=["eftekhari2022.eq-11-equality"],
)
def only_the_projected_part_matters(g: Goal) -> None:
    """|Y - W X|^2 = |Y P_X - W X|^2 + |Y P_perp|^2."""
    g.fix()
    penrose = [g.assume() for _ in range(4)]
    limit, least = g.assume(), g.assume()

    def split(g: Goal) -> None:
        g.fix("W")
        h = g.lemma(
            "eftekhari2022.eq-11-equality", "statement", "x", "y", "m", "X", "G", "Y", "x", "W", by=[using(k) for k in penrose]
        )
        h = g.apply(h, "I(x)")
        g.field((h, 1))

    same = g.have(f"all W:M(y,x). {half('Y - W @ X')} = {PROJECTED} + {REST}", split)
    g.conj(
        lambda g: limit_shifted(g, limit, "v", half("Y - E(t) @ X"), FLOW_PROJECTED, REST, same),
        lambda g: shifted(g, least, half("Y - W @ X"), REST, same),
    )


@holds(
    "eftekhari2022.eq-164",
    f"""{SPACES} all Z:M(y,x). X @ T(X) = m*I(x) => 1 <= m => Z = (1/m)*(Y @ T(X)) => tends(t, {FLOW_PROJECTED}, v) => {minimum("v", PROJECTED)} =>
       tends(t, m*{size("Z - E(t)")}/2, v) and {minimum("v", f"m*{size('Z - W')}/2")}""",
    argument="sound",
    reading=f"E is the product of the layers along the flow, G the pseudo-inverse of X; {INFIMUM}",
    context="the limits (163), whitened data [(163), Assumption 14]",
    uses=["eftekhari2022.eq-24"],
)
def losses_in_terms_of_the_target(g: Goal) -> None:
    """(24): the two losses agree."""
    g.fix()
    penrose = [g.assume() for _ in range(4)]
    g.fix("Z")
    white, low, target, limit, least = (g.assume() for _ in range(5))

    def agree(g: Goal) -> None:
        g.fix("W")
        h = g.lemma(
            "eftekhari2022.eq-24", "statement", "x", "y", "m", "X", "G", "Y", "Z",
            by=[*[using(k) for k in penrose], using(white), using(low), using(target)],
        )  # fmt: skip
        h = g.apply(h, "W")
        g.field((h, 1))

    same = g.have(f"all W:M(y,x). {PROJECTED} = m*{size('Z - W')}/2 + 0", agree)
    g.conj(
        lambda g: limit_shifted(g, limit, "v", FLOW_PROJECTED, f"m*{size('Z - E(t)')}/2", "0", same),
        lambda g: shifted(g, least, PROJECTED, "0", same),
    )


@part(
    "eftekhari2022.eq-165",
    "excess-at-low-rank",
    f"""{GAPPED} all W:M(y,x). rank(W) <= 1 =>
       (1 - {GAMMA})*{size("W - Z1")} <= {size("Z - W")} - {size("Z - Z1")}""",
    says="the excess of the loss bounds the distance from Z_1 for all matrices of rank at most one",
    uses=["eftekhari2022.assertion-rate-equivalence", "eftekhari2022.eq-32", "eftekhari2022.def-z1"],
)
def excess_bounds_the_distance(g: Goal) -> None:
    """A matrix of rank one is s u v^T; for W = 0 the excess is |Z_1|^2."""
    g.fix()
    names = [g.assume() for _ in range(7)]
    g.fix("W")
    low = g.assume()

    def one(g: Goal) -> None:
        rank = next(reversed(g.seq.hyps))
        s_pos, product, uu, vv = g.obtain(
            g.lemma("eftekhari2022.eq-32", "part:thin-exists", "x", "y", "W", by=[using(rank)]), "s", "u", "v"
        )
        h = g.lemma(
            "eftekhari2022.assertion-rate-equivalence", "part:pointwise", *("x", "y", "Z", "Z1", "uZ", "u", "vZ", "v", "s"),
            by=[*[using(k) for k in names], using(s_pos), using(uu), using(vv)],
        )  # fmt: skip
        h = g.split(h)[0]
        h = g.rewritten(h, g.have("s*(u @ T(v)) = W", lambda g: g.nc((product, -1, None, None))))
        g.pos([f"@{h}"])

    def none(g: Goal) -> None:
        ne = next(reversed(g.seq.hyps))

        def equal(g: Goal) -> None:
            g.clash(next(reversed(g.seq.hyps)), ne)

        def strict(g: Goal) -> None:
            less = g.by_fact("int_lt", "rank(W)", 1, by=[using(next(reversed(g.seq.hyps)))])
            factors = g.by_fact("rank_factor", "y", "x", 0, "W", by=[None, lambda g: g.pos([f"@{less}"])])
            product = g.obtain(factors, "C", "D")[0]
            flat = g.have("C @ D = O(y,x)", lambda g: (g.extn("i", "j"), g.field())[-1])
            zero = g.have("W = O(y,x)", lambda g: g.nc((product, 1, None, None), (flat, 1, None, None)))
            error = g.lemma(
                "eftekhari2022.def-z1", "part:error", "x", "y", "Z", "Z1", "uZ", "vZ", by=[using(k) for k in names[2:]]
            )
            best = names[6]
            ones = g.have("T(uZ) @ uZ @ T(vZ) @ vZ = I(1)", lambda g: g.nc(rw=[names[2], names[3]]))
            unit = g.have("tr(T(uZ) @ uZ @ T(vZ) @ vZ) = 1", lambda g: (g.rewrite(ones), g.field())[-1])
            own = g.have(f"{size('Z1')} = sv(Z,1)^2", lambda g: (g.rewrite(best), g.field((unit, "sv(Z,1)^2")))[-1])
            order = g.fact("sv_range", "y", "x", "Z")
            g.split(g.apply(order, 2, 2))
            g.have(f"0 <= {GAMMA}")
            g.rewrite(zero)
            g.pos([GAMMA, size("Z1")], eqs=[(error, -1), (own, -1)])

        g.cases(g.by_fact("lt_or_eq", "rank(W)", 1, by=[using(low)]), strict, equal)

    g.em("rank(W) = 1", one, none)


@holds(
    "eftekhari2022.eq-165",
    f"""{GAPPED} all m v:R, E:R->M(y,x). 0 < m => (all t:R. 0 <= t => rank(E(t)) <= 1) => tends(t, m*{size("Z - E(t)")}/2, v) =>
       {minimum("v", f"m*{size('Z - W')}/2").replace("<= r", "<= 1")} => tends(t, {size("Z1 - E(t)")}, 0)""",
    argument="sound",
    reading=f"E is the product of the layers along the flow; {INFIMUM}",
    context="(164) with r = 1, rank(W(t)) <= 1 and the spectral gap [(164)]",
    uses=["eftekhari2022.eq-165", "eftekhari2022.def-z1"],
)
def distance_tends_to_zero(g: Goal) -> None:
    """(1 - gamma) |W - Z_1|^2 <= |Z - W|^2 - |Z - Z_1|^2, and the minimum is m |Z - Z_1|^2/2."""
    g.fix()
    names = [g.assume() for _ in range(7)]
    g.fix("m", "v", "E")
    positive, ranks, limit, least = (g.assume() for _ in range(4))
    small, best = g.split(
        g.lemma("eftekhari2022.def-z1", "statement", "x", "y", "Z", "Z1", "uZ", "vZ", by=[using(k) for k in names[2:]])
    )
    ratio = g.have(f"{GAMMA} < 1", lambda g: g.pos([f"@{names[1]}"], mul=["sv(Z,1)"]))
    room = f"(1 - {GAMMA})"
    g.have(f"0 < {room}", lambda g: g.pos([f"@{ratio}"]))
    bottom = f"m*{size('Z - Z1')}/2"
    one = g.split(g.apply(least, bottom))[0]

    def lower(g: Goal) -> None:
        g.fix("W")
        rank = g.assume()
        k = g.apply(best, "W", by=[using(rank)])
        g.pos(["1/2", "m", f"@{k}"])

    bound = g.have(f"all W:M(y,x). rank(W) <= 1 => {bottom} <= m*{size('Z - W')}/2", lower)
    below = g.apply(one, by=[using(bound)], n=1)
    own = g.apply(g.split(g.apply(least, "v"))[1], by=[lambda g: g.refl()], n=1)
    above = g.apply(own, "Z1", by=[using(small)])
    value = g.have(f"v = {bottom}", lambda g: g.antisym(using(above), using(below)))
    const = g.fact("tends_const", f"-({bottom})")
    k = g.by_fact(
        "tends_add",
        "v",
        f"-({bottom})",
        f"lam t:R. m*{size('Z - E(t)')}/2",
        f"lam t:R. -({bottom})",
        by=[using(limit), using(const)],
    )
    k = g.by_fact(
        "tends_scale", f"2/(m*{room})", f"v + -({bottom})", f"lam t:R. m*{size('Z - E(t)')}/2 + -({bottom})", by=[using(k)]
    )
    zero = g.have(("=", g.hyp_formula(k)[3], 0), lambda g: g.field((value, f"2/(m*{room})")))
    k = g.rewritten(k, zero)
    flat = g.fact("tends_const", "0")

    def between(g: Goal) -> None:
        g.fix("t")
        now = g.assume()
        h = g.lemma(
            "eftekhari2022.eq-165", "part:excess-at-low-rank", "x", "y", "Z", "Z1", "uZ", "vZ", by=[using(n) for n in names]
        )
        rank = g.apply(ranks, "t", by=[using(now)])
        h = g.apply(h, "E(t)", by=[using(rank)])
        g.conj(lambda g: g.pos([size("Z1 - E(t)")]), lambda g: g.pos(["m", f"@{h}"], mul=["m", room]))

    g.close_by(
        g.by_fact(
            "tends_squeeze",
            *(
                0,
                0,
                "lam t:R. 0",
                f"lam t:R. {size('Z1 - E(t)')}",
                f"lam t:R. 2/(m*{room})*(m*{size('Z - E(t)')}/2 + -({bottom}))",
            ),
            by=[between, using(flat), using(k)],
        )
    )
