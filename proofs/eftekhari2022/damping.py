"""Section 4 and Appendix M: the form (174) and the damping of the two errors by depth."""

from __future__ import annotations

from proofs.eftekhari2022.alignment import SETTING
from proofs.eftekhari2022.loss_along_the_flow import FORM, GAMMA, SECOND, T1, T2, loss
from proofs.eftekhari2022.rank_one_flow import FLOW_TERMS, POWER, ROOTS_READING, THIN
from proofs.eftekhari2022.singular_coordinates import DECOMPOSITION, ROOTS, powers
from proofs.eftekhari2022.singular_coordinates import READING as COORDINATES
from proofs.razin2020.scripts import using
from verify.kernel import Goal
from verify.registry import holds

TURNED, OWN = "(T(U) @ (W - Z1) @ V)", "(S - T(U) @ Z1 @ V)"


def squares(inner: str) -> str:
    """The sum of squared norms with the half powers."""
    return f"sum(j, 1, N, tr(T(K(j) @ {inner} @ L(j)) @ (K(j) @ {inner} @ L(j))))"


@holds(
    "eftekhari2022.eq-174",
    f"""{DECOMPOSITION.replace("D_:M(y,x)", "Z1:M(y,x)")} {ROOTS} {powers("K", "L", "S @ T(S)", "T(S) @ S", "2*N")} =>
       tr(T(W - Z1) @ sum(j, 1, N, F(j) @ (W - Z1) @ H(j))) = {squares(TURNED)} and {squares(TURNED)} = {squares(OWN)}""",
    argument="sound",
    reading=f"{COORDINATES}, and S^(k/(2N)) the 2N-th root; at a fixed time",
    context="the decomposition (175) [(175)]",
    uses=["eftekhari2022.lemma-24-2"],
)
def quadratic_form_at_the_residual(g: Goal) -> None:
    """Lemma 24 for W - Z_1, and U^T W V = S."""
    g.fix()
    names = [g.assume() for _ in range(6)]
    product, left, right = names[1:4]
    h = g.lemma(
        "eftekhari2022.lemma-24-2", "statement", "x", "y", "N", "W", "W - Z1", "U", "S", "V", "F", "K", "H", "L",
        by=[using(k) for k in names],
    )  # fmt: skip
    turned = g.have(
        f"{TURNED} = {OWN}", lambda g: g.nc((product, 1, "T(U)", "V"), (left, 1, None, "S @ T(V) @ V"), (right, 1, "S", None))
    )

    def second(g: Goal) -> None:
        g.rewrite(turned)
        g.refl()

    g.conj(using(h), second)


DISTURBED = f"(sqrt(2)*m*N*s^{POWER}*{GAMMA}*sqrt({T1})*{T2} + 2*m*s^{POWER}*{SECOND}*{T2})"
DAMPED = f"-(N*(2*m*s^{POWER}*{T1})) - 2*m*s^{POWER}*{FORM}*{T2}"


@holds(
    "eftekhari2022.assertion-t1-factor-n",
    f"""{SETTING} all t s:R, u:V(y), v:V(x). {THIN} D(r, {loss("r")}, t) <= {DAMPED} + {DISTURBED} and
       (all c l:R. 0 < l => l <= s => c <= {FORM} => 0 <= c => {DAMPED} <= -(l^{POWER}*(N*(2*m*{T1}) + 2*m*c*{T2})))""",
    argument="sound",
    reading="the damping terms of (35), and the two that gamma_Z brings in: the factor of T_1 is N times 2 m s^(2-2/N), that of T_2 is"
    f" 2 m s^(2-2/N) u^T Z_1 v; with s >= l and u^T Z_1 v >= c both are bounded away from 0. {ROOTS_READING}",
    context="rank(W_t) = 1 [Lemma 18]",
    uses=["eftekhari2022.lemma-18", "eftekhari2022.eq-169-identity"],
)
def damping_of_both_errors(g: Goal) -> None:
    """Lemma 18; powers increase in the base, and u^T Z_1 v <= s_Z."""
    g.fix()
    flow = [g.assume() for _ in range(13)]
    g.fix("t", "s", "u", "v")
    thin = [g.assume() for _ in range(5)]
    h = g.lemma("eftekhari2022.lemma-18", "statement", *FLOW_TERMS, by=[using(k) for k in flow])
    h = g.apply(h, "t", "s", "u", "v", by=[using(k) for k in thin])
    g.have("0 < m")
    numbers = g.split_all(
        g.lemma(
            "eftekhari2022.eq-169-identity", "part:numbers", *("x", "y", "Z", "Z1", "uZ", "u", "vZ", "v", "s"),
            by=[using(k) for k in (*flow[6:13], thin[1], *thin[3:5])],
        )
    )  # fmt: skip
    form, a, b = numbers[:3]
    p = f"s^{POWER}"

    def bounded(g: Goal) -> None:
        g.fix("c", "l")
        low, small, below, c_lo = (g.assume() for _ in range(4))
        g.have("2 <= N")
        one = g.have("1 <= N")
        g.have(f"0 <= {POWER}", lambda g: g.pos(["2", f"@{one}"], mul=["N"]))
        k = g.by_fact("pow_base_mono", "l", "s", POWER, by=[using(low), using(small), None])
        ab = "(tr(T(uZ) @ u)*tr(T(vZ) @ v))"
        less = g.have(
            f"{ab} <= 1", lambda g: g.pos(["1/2", f"@{a}"], ["1/2", f"@{b}"], ["1/2", "(tr(T(uZ) @ u) - tr(T(vZ) @ v))^2"])
        )
        t2 = g.have(f"0 <= {T2}", lambda g: g.pos(["sv(Z,1)", f"@{less}"], eqs=[(form, -1)]))
        g.have("0 <= c", using(c_lo))
        q = f"l^{POWER}"
        g.have(f"0 < {q}")
        g.pos(["2", "m", "N", f"@{k}", T1], ["2", "m", f"@{k}", "c", f"@{t2}"], ["2", "m", p, f"@{below}", f"@{t2}"])

    g.conj(lambda g: g.pos([f"@{h}"]), bounded)
