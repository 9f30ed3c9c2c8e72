"""Lemma C.4, remark: with an imbalance that is not a multiple of I the field that the potential needs is no gradient."""

from __future__ import annotations

from proofs.razin2020.scripts import nested, using
from verify.kernel import Goal
from verify.registry import amendment, refuted

SETTING = """all p k:Z, Z1 S:M(p,p), Z2:M(p,k). (all i j:Z. 1 <= i and i <= p and 1 <= j and j <= p => i != j => S[i,j] = 0) => (not ex c:R. S = c*I(p)) => det(Z1) != 0 =>
       T(Z1) @ Z1 - Z2 @ T(Z2) = S =>"""
REQUIRED = "inv(T(Z1)) @ Z2 @ T(Z2)"
PRINTED, RIGHT = "(Z - S @ inv(T(Z)))", "(Z - inv(T(Z)) @ S)"


def moved(field: str, along: str) -> str:
    """The field at Z moved along a direction."""
    return field.replace("Z", f"(Z + s*{along})")


def twisted(field: str) -> str:
    """The derivative of the field is not symmetric, as the second derivative of a potential would be."""
    left, right = (f"D(s, tr(T({moved(field, a)}) @ {b}), 0)" for a, b in (("H", "K"), ("K", "H")))
    return f"(ex Z H K:M(p,p). det(Z) != 0 and {left} != {right})"


@refuted(
    "varre2023.step-c-4-anisotropic",
    f"{SETTING} {REQUIRED} = {PRINTED.replace('Z', 'Z1')} and {twisted(PRINTED)}",
    argument="fails",
    reading="S stands for D; required is grad Psi_1(Z_1) = Z_1^(-T) Z_2 Z_2^T, from (P2) with Psi_2 = |Z_2|^2/2; that a field is no gradient is shown by a derivative that is"
    " not symmetric",
    reason="D stands on the wrong side: for Z_1 = [[2,1],[0,2]], Z_2 = [[1,1],[1,1]] and D = diag(2,3) the required gradient is Z_1 - Z_1^(-T) D, and D does not commute with Z_1^(-T)",
)
def printed_factor_is_on_the_wrong_side(g: Goal) -> None:
    """The entry (2, 1): -1/2 on the left, -3/4 on the right."""
    z, w, d, inverse = "[[2,1],[0,2]]", "[[1,1],[1,1]]", "[[2,0],[0,3]]", "[[1/2,0],[-1/4,1/2]]"
    unit = g.have(f"T({z}) @ {inverse} = I(2)", lambda g: g.ext(lambda g: g.field()))
    value = g.split(g.by_fact("inv_unique", 2, f"T({z})", inverse, by=[using(unit)]))[0]
    g.witness("2", "2", z, d, w)

    def differ(g: Goal) -> None:
        g.left_or_right(0)
        eq = g.contra()
        k = g.rewritten(eq, value)
        left, right = g.hyp_formula(k)[1:]
        e = g.have(("=", ("entry", left, 2, 1), ("entry", right, 2, 1)), lambda g: g.ctx(using(k)))
        g.pos([1], eqs=[(e, 4)])

    def multiple(g: Goal) -> None:
        (c,) = g.obtain(g.assume(), "c", split=False)
        one = g.have(f"{d}[1,1] = (c*I(2))[1,1]", lambda g: g.ctx(using(c)))
        two = g.have(f"{d}[2,2] = (c*I(2))[2,2]", lambda g: g.ctx(using(c)))
        g.pos([1], eqs=[(one, 1), (two, -1)])

    nested(g, lambda g: g.compute(), multiple, lambda g: g.auto(), lambda g: g.ext(lambda g: g.field()), differ)


@amendment(
    "varre2023.step-c-4-anisotropic",
    f"{SETTING} {REQUIRED} = {RIGHT.replace('Z', 'Z1')} and {twisted(RIGHT)}",
    says="with Z_1^(-T) D: this is the gradient that is required, and it is that of no function, since the derivative of Z - Z^(-T) D is not symmetric",
)
def required_field_is_no_gradient(g: Goal) -> None:
    """At Z = I along e f^T and f e^T, for coordinates with different entries of D, the two derivatives are these entries."""
    g.fix()
    diagonal, apart, regular, imbalance = (g.assume() for _ in range(4))
    turned = g.have("det(T(Z1)) != 0", lambda g: (g.rewrite(g.fact("det_transpose", "p", "Z1")), g.close_by(regular))[-1])
    left = g.by_fact("inv_left", "p", "T(Z1)", by=[using(turned)])

    def same(g: Goal) -> None:
        g.contra("all_equal")

        def equal(g: Goal) -> None:
            g.witness("S[1,1]")
            g.extn("i", "j")

            def off(g: Goal) -> None:
                z = g.apply(diagonal, "i", "j")
                g.field((z, 1))

            def on(g: Goal) -> None:
                eq = next(reversed(g.seq.hyps))
                k = g.have("S[i,i] = S[1,1]", known)
                e = g.have("S[i,j] = S[i,i]", lambda g: g.ctx(lambda g: g.field((eq, -1))))
                one = g.have("I(p)[i,j] = 1", lambda g: (g.rewrite(eq, back=True), g.field())[-1])
                g.field((e, 1), (k, 1), (one, "-S[1,1]"))

            g.em("i = j", on, off)

        def known(g: Goal) -> None:
            ne = g.contra()
            some = g.have(
                "ex b:Z. 1 <= b and b <= p and S[b,b] != S[1,1]", lambda g: (g.witness("i"), g.conj(None, None, using(ne)))[-1]
            )
            g.clash(some, "all_equal")

        g.clash(g.have("ex c:R. S = c*I(p)", equal), apart)

    some = g.have("ex b:Z. 1 <= b and b <= p and S[b,b] != S[1,1]", same)
    b_lo, b_hi, differ = g.obtain(some, "b")
    g.have("1 <= p", lambda g: g.pos([f"@{b_lo}"], [f"@{b_hi}"]))
    (e,) = g.obtain(g.by_fact("unit_vector", "p", "1"), "e", split=False)
    (f,) = g.obtain(g.by_fact("unit_vector", "p", "b"), "f", split=False)

    def column(g: Goal, x: str, own: str, at: str) -> tuple[str, str]:
        """Adds x^T x = 1 and tr(S^T x x^T) = S[at, at] for the unit vector x."""
        first = g.apply(own, "1", f"T({x})", "1")
        second = g.apply(own, "p", "I(p)", at)
        plain = g.have(f"{x}[{at},1] = (I(p) @ {x})[{at},1]", lambda g: g.ctx(lambda g: g.nc()))
        one = g.have(f"T({x}) @ {x} = I(1)", lambda g: g.ext(lambda g: g.field((first, 1), (plain, 1), (second, 1))))
        turn = g.apply(own, "p", "T(S)", at)
        short = g.apply(own, "1", f"T(T(S) @ {x})", "1")
        trace = g.fact("tr_entries", 1, f"T(T(S) @ {x}) @ {x}")
        value = g.have(f"tr(T(S) @ {x} @ T({x})) = S[{at},{at}]", lambda g: g.field((trace, 1), (short, 1), (turn, 1)))
        return one, value

    e_unit, e_value = column(g, "e", e, "1")
    f_unit, f_value = column(g, "f", f, "b")
    (z,) = g.obtain(g.have("ex Z0:M(p,p). Z0 = I(p)", lambda g: (g.witness("I(p)"), g.refl())[-1]), "Z0", split=False)
    unit = g.have("T(Z0) @ I(p) = I(p)", lambda g: g.nc(rw=[z]))
    inverse, _, z_turned = g.split(g.by_fact("inv_unique", "p", "T(Z0)", "I(p)", by=[using(unit)]))

    def plain(g: Goal, turned: str) -> None:
        k = g.fact("det_transpose", "p", "Z0")
        eq = g.contra()
        g.clash(g.have("det(T(Z0)) = 0", lambda g: g.field((k, 1), (eq, 1))), turned)

    z_regular = g.have("det(Z0) != 0", lambda g: plain(g, z_turned))

    def slope(g: Goal, a: str, b: str, middle: str, one: str, value: str, at: str) -> str:
        """Adds the derivative along a of the component along b."""
        g.have(
            f"det(T(Z0 + 0*({a}))) != 0",
            lambda g: (g.replace(f"T(Z0 + 0*({a}))", "T(Z0)", lambda g: g.nc()), g.close_by(z_turned))[-1],
        )
        field = moved(RIGHT, f"({a})").replace("Z", "Z0")
        d = g.have(
            f"D(s, tr(T({field}) @ ({b})), 0) = tr(T({a}) @ ({b})) + tr(T(inv(T(Z0)) @ T({a}) @ inv(T(Z0)) @ S) @ ({b}))",
            lambda g: g.field(),
        )
        d = g.rewritten(d, inverse)
        bend = g.have(
            f"T(I(p) @ T({a}) @ I(p) @ S) @ ({b}) = T(S) @ {middle} @ T({middle})",
            lambda g: g.nc((one, 1, f"T(S) @ {middle}", f"T({middle})")),
        )
        d = g.rewritten(d, bend)
        return g.have(
            f"D(s, tr(T({field}) @ ({b})), 0) = tr(T({a}) @ ({b})) + S[{at},{at}]", lambda g: g.field((d, 1), (value, 1))
        )

    def no_gradient(g: Goal) -> None:
        g.witness("Z0", "e @ T(f)", "f @ T(e)")
        first = slope(g, "e @ T(f)", "f @ T(e)", "e", f_unit, e_value, "1")
        second = slope(g, "f @ T(e)", "e @ T(f)", "f", e_unit, f_value, "b")

        def apart_(g: Goal) -> None:
            eq = g.contra()
            g.clash(g.have("S[b,b] = S[1,1]", lambda g: g.field((first, 1), (second, -1), (eq, -1))), differ)

        g.conj(using(z_regular), apart_)

    g.conj(lambda g: g.nc((imbalance, -1, "inv(T(Z1))", None), (left, 1, None, "Z1")), no_gradient)
