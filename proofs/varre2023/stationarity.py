"""Proposition C.5: the first stationarity condition, from a feasible line alone."""

from __future__ import annotations

from proofs.razin2020.scripts import using
from verify.kernel import Goal
from verify.registry import holds

DIFFERENTIABLE = """(all e:R. 0 < e => ex r:R. 0 < r and all H:M(p,k). tr(T(H) @ H) < r^2 =>
       (g(B + H) - g(B) - tr(T(E) @ H))^2 <= e^2*tr(T(H) @ H)) =>"""


@holds(
    "varre2023.prop-c-5-p1",
    f"""all n p k:Z, X:M(n,p), Y:M(n,k), A:M(p,p), B E:M(p,k), f:M(p,p)->R, g:M(p,k)->R. (all C:M(p,p). 0 <= f(C)) => (all C:M(p,k). 0 <= g(C)) =>
       {DIFFERENTIABLE} det(A) != 0 => X @ A @ B = Y => (all C:M(p,p), F:M(p,k). X @ C @ F = Y => f(A) + g(B) <= f(C) + g(F)) =>
       ex L:M(n,k). inv(T(A)) @ E = T(X) @ L""",
    argument="repaired",
    context="Z_1 is invertible [the formula inverts it]",
    reading="A, B stand for Z_1*, Z_2*, f, g for Psi_1, Psi_2; g is differentiable at B with the gradient E; span(X) is the span of the samples, the rows of X",
    reason="a feasible line in place of Lagrange multipliers, whose existence needs a constraint qualification",
    uses=["varre2023.step-c-3-projection"],
)
def gradient_of_the_second_potential_is_in_the_span(h: Goal) -> None:
    """Along (A, B - s A^{-1} N) with X N = 0 the second potential cannot fall, so N, the part of A^{-T} E beside the span, is 0."""
    _, _, smooth, regular, fits, least = h.intro()
    inner, sym = h.obtain(h.lemma("varre2023.step-c-3-projection", "part:pseudo-inverse", "n", "p", "X"), "G")
    right = h.by_fact("inv_right", "p", "A", by=[using(regular)])
    m, q = "(inv(T(A)) @ E)", "(I(p) - G @ X)"

    def named(name: str, shape: str, text: str) -> str:
        return h.obtain(h.have(f"ex {name}:M({shape}). {name} = {text}", lambda h: (h.witness(text), h.refl())), name)[0]

    rest, step = named("N", "p,k", f"{q} @ {m}"), named("K", "p,k", "inv(A) @ N")
    idle = h.have("X @ N = O(n,k)", lambda h: h.nc((rest, 1, "X", None), (inner, -1, None, m)))
    twice = h.have("T(N) @ N = T(E) @ K", lambda h: square(h, rest, step, inner, sym, m))
    slope = h.have("tr(T(N) @ N) = tr(T(E) @ K)", lambda h: (h.rewrite(twice), h.refl()))
    h.have("0 <= tr(T(K) @ K)", Goal.auto)
    h.have("0 < 1 + tr(T(K) @ K)", Goal.auto)
    big, norm = "tr(T(N) @ N)", "tr(T(K) @ K)"

    def vanish(h: Goal) -> None:
        apart = h.contra()
        nonneg = h.have(f"0 <= {big}", Goal.auto)
        h.have(
            f"0 < {big}",
            lambda h: (h.contra("low"), h.clash(h.by_fact("le_antisym", big, 0, by=[using("low"), using(nonneg)]), apart)),
        )
        e = f"({big}/(1 + {norm}))"
        room, near = h.obtain(h.apply(smooth, e, by=[Goal.auto]), "r")
        s = f"(r/(1 + {norm}))"
        move = f"(-{s}*K)"
        small = h.have(
            f"tr(T({move}) @ {move}) < r^2",
            lambda h: h.pos(["r", "r"], ["r", "r", norm], ["r", "r", norm, norm], mul=["1 + " + norm, "1 + " + norm]),
        )
        bound = h.apply(near, move, by=[using(small)])
        feasible = h.have(
            f"X @ A @ (B + {move}) = Y",
            lambda h: h.nc(
                (fits, 1, None, None), (step, f"-{s}", "X @ A", None), (right, f"-{s}", "X", "N"), (idle, f"-{s}", None, None)
            ),
        )
        up = h.apply(least, "A", f"B + {move}", by=[using(feasible)])
        d = h.obtain(h.have(f"ex d:R. d = g(B + {move}) - g(B)", lambda h: (h.witness(f"g(B + {move}) - g(B)"), h.refl())), "d")[
            0
        ]
        rises = h.have("0 <= d", lambda h: h.pos([f"@{up}"], eqs=[(d, 1)]))
        value = h.have(f"tr(T(E) @ {move}) = -{s}*{big}", lambda h: h.field((slope, s)))
        size = h.have(f"tr(T({move}) @ {move}) = {s}^2*{norm}", lambda h: h.field())
        less = h.have(f"(d + {s}*{big})^2 <= {e}^2*({s}^2*{norm})", lambda h: simple(h, bound, d, value, size))
        low = h.have(f"{s}^2*{big}^2 <= (d + {s}*{big})^2", lambda h: h.pos([f"@{rises}", f"@{rises}"], [f"@{rises}", 2, s, big]))
        no = h.have(
            "false",
            lambda h: h.pos(
                [s, s, big, big],
                [s, s, big, big, norm],
                [s, s, big, big, norm, norm],
                [f"@{less}", f"1 + {norm}", f"1 + {norm}"],
                [f"@{low}", f"1 + {norm}", f"1 + {norm}"],
            ),
        )
        h.step("absurd", h=no)

    none = h.by_fact("frobenius_zero", "p", "k", "N", by=[vanish])
    h.witness(f"T(G) @ {m}")
    h.nc((rest, -1, None, None), (none, 1, None, None), (sym, -1, None, m))


def simple(h: Goal, bound: str, d: str, value: str, size: str) -> None:
    """The bound in short names."""
    k = h.rewritten(h.rewritten(bound, value), size)
    h.rewrite(d)
    h.pos([f"@{k}"])


def square(h: Goal, rest: str, step: str, inner: str, sym: str, m: str) -> None:
    """N^T N = M^T (I - G X) M = E^T A^{-1} N, for the projection I - G X."""
    turned = h.have(f"T(N) = T((I(p) - G @ X) @ {m})", lambda h: h.ctx(using(rest)))
    idle = h.have("X @ N = O(n,k)", lambda h: h.nc((rest, 1, "X", None), (inner, -1, None, m)))
    h.nc((turned, 1, None, "N"), (step, -1, "T(E)", None), (sym, -1, f"T({m})", "N"), (idle, -1, f"T({m}) @ G", None))
