"""Proposition C.5: the second stationarity condition, from feasible curves (Z_1 (I + e K), (I + e K)^(-1) Z_2) with K of rank one."""

from __future__ import annotations

from proofs.razin2020.scripts import using
from proofs.varre2023.network_and_loss import size
from proofs.varre2023.stationarity import DIFFERENTIABLE
from verify.kernel import Goal
from verify.registry import holds, part

CLAIM = "varre2023.prop-c-5-p2"
FIRST = DIFFERENTIABLE.replace("M(p,k)", "M(p,p)").replace("g(B + H) - g(B) - tr(T(E) @ H)", "f(A + H) - f(A) - tr(T(F) @ H)")
VALUE = "(T(A) @ F - E @ T(B))"


@part(
    CLAIM,
    "step",
    "all a b c x q r:R. 0 <= a => 0 <= b => 0 < q => 0 < r => ex e h:R. 0 < e and 0 < h and h*(1 + e*c) = e and e^2*a < r^2 and h^2*b < r^2 and e*c <= 1 and e*c*x <= q/4",
    says="a step e, and h = e/(1 + c e), below all bounds",
)
def small_step(g: Goal) -> None:
    """e = r q/((1 + r)(1 + q) D) with D = 4 (1 + a + b + (1 + c^2)(1 + x^2))."""
    a0, b0, q0, r0 = g.intro()
    d = "(4*(1 + a + b + (1 + c^2)*(1 + x^2)))"
    e = f"(r*q/((1 + r)*(1 + q)*{d}))"

    def bounds(g: Goal) -> None:
        g.witness(e)
        g.have(f"0 < {d}", lambda g: g.pos(["4"], ["4", f"@{a0}"], ["4", f"@{b0}"], ["4", "1 + c^2", "1 + x^2"]))
        g.conj(
            None,
            lambda g: g.pos(["r", "r"], ["r", "r", "q"], ["r"], mul=["1 + r", "1 + q"]),
            lambda g: g.pos(["1"], ["r"], ["q"], mul=["1 + r", "1 + q"]),
            lambda g: g.pos(["q", "q"], ["q", "q", "r"], ["q"], mul=["1 + r", "1 + q"]),
        )

    some = g.have(f"ex e:R. 0 < e and e*{d} <= r and e*{d} <= 1 and e*{d} <= q", bounds)
    low, small_r, small_1, small_q = g.obtain(some, "e")
    rest = [["e", "4", f"@{a0}"], ["e", "4", f"@{b0}"]]
    quarter = g.have(
        "e*(4*(1 + c^2)) <= 1", lambda g: g.pos([f"@{small_1}"], *rest, ["e", "4", "1"], ["e", "4", "1 + c^2", "x^2"])
    )
    half = g.have("1/2 <= 1 + e*c", lambda g: g.pos(["1/2", f"@{quarter}"], ["e", "2", "(c + 1/4)^2"], ["e", "15/8"]))
    g.have("0 < 1 + e*c", lambda g: g.pos([f"@{half}"], ["1/2"]))
    g.witness("e", "e/(1 + e*c)")
    ra = g.have("e*(4*(1 + a)) <= r", lambda g: g.pos([f"@{small_r}"], ["e", "4", f"@{b0}"], ["e", "4", "1 + c^2", "1 + x^2"]))
    rb = g.have("e*(4*(1 + b)) <= r", lambda g: g.pos([f"@{small_r}"], ["e", "4", f"@{a0}"], ["e", "4", "1 + c^2", "1 + x^2"]))
    h = "(e/(1 + e*c))"
    twice = g.have(f"{h} <= 2*e", lambda g: g.pos([h, "2", f"@{half}"]))
    rh = g.have(f"{h}*(2*(1 + b)) <= r", lambda g: g.pos([f"@{rb}"], [f"@{twice}", "2"], [f"@{twice}", "2", f"@{b0}"]))
    g.conj(
        using(low),
        None,
        lambda g: g.field(),
        lambda g: g.pos(
            [f"@{ra}", "r"],
            [f"@{ra}", "e", "4", "1 + a"],
            ["16", "e^2"],
            ["31", "e^2", f"@{a0}"],
            ["16", "e^2", f"@{a0}", f"@{a0}"],
        ),
        lambda g: g.pos(
            [f"@{rh}", "r"], [f"@{rh}", h, "2", "1 + b"], ["4", h, h], ["7", h, h, f"@{b0}"], ["4", h, h, f"@{b0}", f"@{b0}"]
        ),
        lambda g: g.pos([f"@{quarter}"], ["e", "4", "(c - 1/8)^2"], ["e", "63/16"]),
        lambda g: g.pos(
            ["1/4", f"@{small_q}"],
            ["e", f"@{a0}"],
            ["e", f"@{b0}"],
            ["2", "e"],
            ["e", "(c - x/2)^2"],
            ["e", "3/4", "x^2"],
            ["e", "c^2", "x^2"],
        ),
    )


@part(
    CLAIM,
    "square-bound",
    "all x y z:R. 0 <= y => 0 <= z => x^2 <= y^2*z => x <= y*(1 + z)",
    says="a number whose square is at most y^2 z is at most y (1 + z)",
)
def bound_without_roots(g: Goal) -> None:
    """z <= (1 + z)^2."""
    low, nonneg, square = g.intro()
    large = g.contra()
    g.pos(
        [f"@{large}", f"@{large}"],
        [f"@{large}", "2", "y"],
        [f"@{large}", "2", "y", "z"],
        [f"@{square}"],
        ["y^2"],
        ["y^2", "z"],
        ["y^2", "z", "z"],
    )


@holds(
    CLAIM,
    f"""all n p k:Z, X:M(n,p), Y:M(n,k), A F:M(p,p), B E:M(p,k), f:M(p,p)->R, g:M(p,k)->R. (all C:M(p,p). 0 <= f(C)) => (all C:M(p,k). 0 <= g(C)) =>
       {FIRST} {DIFFERENTIABLE} det(A) != 0 => X @ A @ B = Y => (all C:M(p,p), G:M(p,k). X @ C @ G = Y => f(A) + g(B) <= f(C) + g(G)) =>
       F = inv(T(A)) @ E @ T(B)""",
    argument="repaired",
    context="Z_1 is invertible [the formula inverts it]",
    reading="A, B stand for Z_1*, Z_2*, f, g for Psi_1, Psi_2, differentiable at A and B with the gradients F and E",
    reason="feasible curves in place of Lagrange multipliers, whose existence needs a constraint qualification",
    uses=[CLAIM],
)
def second_condition(h: Goal) -> None:
    """M = A^T F - E B^T. With v = -M w and K = v w^T the curve (A (I + e K), (I + e K)^(-1) B) is feasible, and the value falls at the rate |M w|^2."""
    _, _, first, second, regular, fits, least = h.intro()
    turned = h.have("det(T(A)) != 0", lambda h: (h.rewrite(h.fact("det_transpose", "p", "A")), h.close_by(regular))[-1])
    left = h.by_fact("inv_left", "p", "T(A)", by=[using(turned)])
    (m,) = h.obtain(h.have(f"ex M:M(p,p). M = {VALUE}", lambda h: (h.witness(VALUE), h.refl())[-1]), "M", split=False)

    def kills(h: Goal) -> None:
        h.fix("w")
        (v,) = h.obtain(h.have("ex v:V(p). v = M @ w", lambda h: (h.witness("M @ w"), h.refl())[-1]), "v", split=False)
        (k,) = h.obtain(
            h.have("ex K:M(p,p). K = (-1)*(v @ T(w))", lambda h: (h.witness("(-1)*(v @ T(w))"), h.refl())[-1]), "K", split=False
        )
        q, c, x = size("v"), "(-tr(T(w) @ v))", "tr(T(A @ K) @ F)"
        y = "tr(T(K @ B) @ E)"
        entries = h.fact("tr_entries", 1, "T(w) @ v")
        number = h.have("T(w) @ v = tr(T(w) @ v)*I(1)", lambda h: h.ext(lambda h: h.field((entries, -1))))
        power = h.have(
            f"K @ K = {c}*K",
            lambda h: h.nc(
                (k, 1, None, "K"), (k, 1, "(-1)*(v @ T(w))", None), (number, 1, "v", "T(w)"), (k, f"-{c}", None, None)
            ),
        )
        turn = h.have("T(K) = (-1)*(w @ T(v))", lambda h: h.nc(rw=[k]))
        word = h.have("T(K) @ M = (-1)*(w @ T(v) @ M)", lambda h: h.nc((turn, 1, None, "M")))
        own = h.have(f"tr(T(K) @ M) = -{q}", lambda h: falling(h, word, v))
        split = h.have("tr(T(K) @ M) = tr(T(K) @ T(A) @ F) - tr(T(K) @ E @ T(B))", lambda h: (h.rewrite(m), h.field())[-1])
        rate = h.have(f"{x} - {y} = -{q}", lambda h: h.field((own, 1), (split, -1)))
        a2, b2 = size("A @ K"), size("K @ B")

        def vanish(h: Goal) -> None:
            apart = h.contra()
            nonneg = h.have(f"0 <= {q}")
            above = h.have(
                f"0 < {q}",
                lambda h: (h.contra("low"), h.clash(h.by_fact("le_antisym", q, 0, by=[using("low"), using(nonneg)]), apart))[-1],
            )
            h.have(f"0 <= {a2}")
            h.have(f"0 <= {b2}")
            t = f"({q}/(4*(2*(1 + {a2}) + (1 + {b2}))))"
            r1, near1 = h.obtain(h.apply(first, t), "r1")
            r2, near2 = h.obtain(h.apply(second, t), "r2")
            order = h.fact("total", "r1", "r2")
            both = h.have(
                "ex r:R. 0 < r and r <= r1 and r <= r2",
                lambda h: h.cases(
                    order,
                    lambda h: (h.witness("r1"), h.conj(using(r1), None, using(next(reversed(h.seq.hyps)))))[-1],
                    lambda h: (h.witness("r2"), h.conj(using(r2), using(next(reversed(h.seq.hyps))), None))[-1],
                ),
            )
            r, below1, below2 = h.obtain(both, "r")
            step = h.lemma(CLAIM, "part:step", a2, b2, c, x, q, "r", by=[None, None, using(above), using(r)])
            e0, s0, ratio, close1, close2, less, mild = h.obtain(step, "e", "s")
            move1, move2 = "(e*(A @ K))", "(-s*(K @ B))"
            h.have(f"0 < 1 + e*{c}", lambda h: h.pos([f"@{e0}"], mul=["s"], eqs=[(ratio, 1)]))
            in1 = h.have(f"{size(move1)} < r1^2", lambda h: h.pos([f"@{close1}"], [f"@{below1}", "r"], [f"@{below1}", "r1"]))
            in2 = h.have(f"{size(move2)} < r2^2", lambda h: h.pos([f"@{close2}"], [f"@{below2}", "r"], [f"@{below2}", "r2"]))
            one, two = h.apply(near1, move1, by=[using(in1)]), h.apply(near2, move2, by=[using(in2)])
            feasible = h.have(
                f"X @ (A + {move1}) @ (B + {move2}) = Y",
                lambda h: h.nc((fits, 1, None, None), (power, "-e*s", "X @ A", "B"), (scaled(h, ratio, c), 1, "X @ A @ K", "B")),
            )
            up = h.apply(least, f"A + {move1}", f"B + {move2}", by=[using(feasible)])
            d1, d2 = f"f(A + {move1}) - f(A)", f"g(B + {move2}) - g(B)"
            v1 = h.have(f"tr(T(F) @ {move1}) = e*{x}", lambda h: h.field())
            v2 = h.have(f"tr(T(E) @ {move2}) = -s*{y}", lambda h: h.field())
            n1 = h.have(f"{size(move1)} = e^2*{a2}", lambda h: h.field())
            n2 = h.have(f"{size(move2)} = s^2*{b2}", lambda h: h.field())
            one, two = (h.rewritten(h.rewritten(k, a), b) for k, a, b in ((one, v1, n1), (two, v2, n2)))
            b1 = h.lemma(CLAIM, "part:square-bound", f"{d1} - e*{x}", f"{t}*e", a2, by=[None, None, lambda h: h.pos([f"@{one}"])])
            c1 = h.lemma(
                CLAIM, "part:square-bound", f"{d2} - (-s*{y})", f"{t}*s", b2, by=[None, None, lambda h: h.pos([f"@{two}"])]
            )
            h.pos(
                [f"@{up}"],
                [f"@{b1}"],
                [f"@{c1}"],
                ["s", f"@{mild}"],
                ["s", t, f"@{less}", f"1 + {a2}"],
                ["1/2", "s", q],
                eqs=[(rate, "-s"), (ratio, f"{x} + {t}*(1 + {a2})")],
            )

        zero = h.by_fact("frobenius_zero", "p", 1, "v", by=[vanish])
        h.nc((v, -1, None, None), (zero, 1, None, None))

    every = h.have("all w:V(p). M @ w = O(p,1)", kills)

    def entry(h: Goal) -> None:
        h.extn("i", "j")
        (e,) = h.obtain(h.by_fact("unit_vector", "p", "j"), "e", split=False)
        a, b = h.apply(e, "p", "M", "i"), h.apply(every, "e")
        k = h.have("(M @ e)[i,1] = O(p,1)[i,1]", lambda h: h.ctx(using(b)))
        h.field((a, -1), (k, 1))

    none = h.have("M = O(p,p)", entry)
    h.nc((left, -1, None, "F"), (m, -1, "inv(T(A))", None), (none, 1, "inv(T(A))", None))


def falling(h: Goal, word: str, v: str) -> None:
    """tr(-w v^T M) = -v^T M w."""
    h.rewrite(word)
    k = h.have("T(v) @ (M @ w) = T(v) @ v", lambda h: h.nc((v, -1, "T(v)", None)))
    t = h.have("tr(T(v) @ (M @ w)) = tr(T(v) @ v)", lambda h: (h.rewrite(k), h.refl())[-1])
    h.field((t, -1))


def scaled(h: Goal, ratio: str, c: str) -> str:
    """(e - s - e s c) I = 0."""
    number = h.have(f"e - s - e*s*{c} = 0", lambda h: h.field((ratio, -1)))
    return h.have(f"(e - s - e*s*{c})*I(p) = O(p,p)", lambda h: (h.rewrite(number), h.nc())[-1])
