"""Appendices I.1, N and O: the faces of the invariant sets, and the transition time tau."""

from __future__ import annotations

from proofs.eftekhari2022.alignment_strictness import ONE, numeric, one_dimension
from proofs.eftekhari2022.invariant_sets import ALIGNED, LARGE, SMALL, member
from proofs.eftekhari2022.rank_one_flow import FLOW_TERMS, POWER, ROOTS_READING, TOP
from proofs.eftekhari2022.rank_one_numbers import POINT, SECOND, C, Q
from proofs.eftekhari2022.singular_vectors import CONTEXT, SMOOTH
from proofs.eftekhari2022.theorem_twenty import GAMMA, nested
from proofs.razin2020.scripts import using
from verify.kernel import Goal
from verify.registry import amendment, holds, refuted

FORM_T, Z_T = "tr(T(u(t)) @ Z1 @ v(t))", "tr(T(u(t)) @ Z @ v(t))"
SPEED = f"m*N*s(t)^{POWER}"


def smooth_member(t: str, bounded: bool) -> str:
    """W(t) is in the set, for the smooth decomposition."""
    upper = f" and s({t}) < b*{TOP}" if bounded else ""
    return f"((w - {GAMMA})*{TOP} < s({t}){upper} and w*{TOP} < tr(T(u({t})) @ Z1 @ v({t})))"


def stays(g: Goal, flow: list[str], whole: str, given: list[str], start: str, claim: str, now: str, t: str) -> list[str]:
    """Adds the bounds of the set at the time t, by Lemma 22 or Lemma 19."""
    bounded = claim.endswith("19")
    zero = g.have("0 <= 0")
    first = g.split(g.apply(whole, "0", by=[using(zero)]))
    rank = g.lemma(
        "eftekhari2022.eq-32", "part:thin-has-rank-one", "x", "y", "s(0)", "u(0)", "v(0)", "E(0)", by=[using(h) for h in first]
    )
    bounds = (LARGE, SMALL, ALIGNED) if bounded else (LARGE, ALIGNED)

    def every(g: Goal) -> None:
        names = g.fix("s1", "u1", "v1")
        parts = [g.assume() for _ in range(4)]
        same = g.lemma(
            "eftekhari2022.eq-32", "part:thin-unique", "x", "y", "E(0)", "Z1", names[0], "s(0)", names[1], "u(0)", names[2], "v(0)",
            by=[using(h) for h in (*parts, *first)],
        )  # fmt: skip
        value, form = g.split(same)
        g.rewrite(value)
        g.rewrite(form)
        g.close_by(start)

    text = member("0", *bounds)
    for old, new in (("s:R", "s1:R"), ("u:V", "u1:V"), ("v:V", "v1:V"), ("0 < s ", "0 < s1 "), ("s*(u @ T(v))", "s1*(u1 @ T(v1))"),
                     ("T(u) @ u ", "T(u1) @ u1 "), ("T(v) @ v ", "T(v1) @ v1 "), ("< s and", "< s1 and"), ("s <", "s1 <"),
                     ("T(u) @ Z1 @ v)", "T(u1) @ Z1 @ v1)")):  # fmt: skip
        text = text.replace(old, new)
    begin = g.have(text, lambda g: g.conj(using(rank), every))
    h = g.lemma(claim, "statement", *FLOW_TERMS, by=[using(k) for k in flow])
    h = g.apply(h, *(("w", "b") if bounded else ("w",)), by=[using(k) for k in (*given, begin)])
    _, inside = g.split(g.apply(h, t, by=[using(now)]))
    parts = g.split(g.apply(whole, t, by=[using(now)]))
    return g.split_all(g.apply(inside, f"s({t})", f"u({t})", f"v({t})", by=[using(k) for k in parts]))


@holds(
    "eftekhari2022.eq-125",
    f"""{SMOOTH} all w t:R. {GAMMA} <= w => w < 1 => 0 < t => {smooth_member("0", False)} =>
       (all r:R. 0 <= r => r < t => {smooth_member("r", False)}) => not {smooth_member("t", False)} =>
       s(t) = w*{TOP} - {SECOND} and s(t) < {FORM_T} - {SECOND}""",
    argument="sound",
    reading=f"w stands for alpha and t for a first exit time; {ROOTS_READING}",
    reason="a step of an indirect proof: the step supposes a first exit time, of which Lemma 22, for which it is made, shows that there is none",
    context=CONTEXT,
    uses=["eftekhari2022.eq-32", "eftekhari2022.lemma-22"],
)
def state_at_a_first_exit(g: Goal) -> None:
    """There is no exit."""
    names = g.intro(split=False)
    no_exit(g, names, False)


def no_exit(g: Goal, names: list[str], bounded: bool) -> None:
    """The flow stays in the set."""
    flow, whole = names[:13], names[13]
    count = 3 if bounded else 2
    given, later, start, outside = names[14 : 14 + count], names[14 + count], names[15 + count], names[-1]
    now = g.have("0 <= t", lambda g: g.pos([f"@{later}"]))
    bounds = stays(g, flow, whole, given, start, "eftekhari2022.lemma-19" if bounded else "eftekhari2022.lemma-22", now, "t")
    inside = g.have(smooth_member("t", bounded), lambda g: g.conj(*[using(h) for h in bounds]))
    g.clash(inside, outside)


@holds(
    "eftekhari2022.step-n-exit",
    f"""{SMOOTH} all w b t:R. {GAMMA} <= w => w < 1 => 1 < b => 0 < t => {smooth_member("0", True)} =>
       (all r:R. 0 <= r => r < t => {smooth_member("r", True)}) => not {smooth_member("t", True)} =>
       s(t) = w*{TOP} - {SECOND} or s(t) = b*{TOP}""",
    argument="sound",
    reading=f"w, b stand for alpha, beta and t for a first exit time; {ROOTS_READING}",
    reason="a step of an indirect proof: the step supposes a first exit time, of which Lemma 19, for which it is made, shows that there is none",
    context=CONTEXT,
    uses=["eftekhari2022.eq-32", "eftekhari2022.lemma-19"],
)
def possible_exits(g: Goal) -> None:
    """There is no exit."""
    names = g.intro(split=False)
    no_exit(g, names, True)


@holds(
    "eftekhari2022.eq-197",
    f"""{SMOOTH} all b t:R. 1 < b => 0 <= t => s(t) = b*{TOP} => s'(t) = -({SPEED}*(s(t) - {Z_T})) and
       -({SPEED}*(s(t) - {Z_T})) = -({SPEED}*(b*{TOP} - {Z_T})) and -({SPEED}*(b*{TOP} - {Z_T})) <= -({SPEED}*(b*{TOP} - {TOP})) and
       -({SPEED}*(b*{TOP} - {TOP})) < 0""",
    argument="sound",
    reading=f"b stands for beta; {ROOTS_READING}",
    context=CONTEXT,
    uses=["eftekhari2022.eq-128-ode", "eftekhari2022.eq-169-identity"],
)
def singular_value_falls_at_the_upper_face(g: Goal) -> None:
    """u^T Z v <= s_Z a b + s_2 (1 - a b) <= s_Z."""
    names = g.intro(split=False)
    flow, whole, more, now, face = names[:13], *names[13:17]
    h = g.lemma("eftekhari2022.eq-128-ode", "statement", *FLOW_TERMS, "u", "v", "s", by=[using(k) for k in (*flow, whole)])
    first, second = g.split(g.apply(h, "t", by=[using(now)]))
    positive, _, uu, vv = g.split(g.apply(whole, "t", by=[using(now)]))
    k = g.lemma(
        "eftekhari2022.eq-169-identity", "part:numbers", *("x", "y", "Z", "Z1", "uZ", "u(t)", "vZ", "v(t)", "s(t)"),
        by=[using(x) for x in (*flow[6:13], positive, uu, vv)],
    )  # fmt: skip
    form, a, b, _, _, high, *_ = g.split_all(k)
    p, q = "tr(T(uZ) @ u(t))", "tr(T(vZ) @ v(t))"
    less = g.have(f"{p}*{q} <= 1", lambda g: g.pos(["1/2", f"@{a}"], ["1/2", f"@{b}"], ["1/2", f"({p}-{q})^2"]))
    gap = g.have(f"{SECOND} < {TOP}")
    rest = g.have(f"{Z_T} = {FORM_T} + tr(T(u(t)) @ (Z - Z1) @ v(t))", lambda g: g.field())
    cap = g.have(f"{Z_T} <= {TOP}", lambda g: g.pos([f"@{high}"], [f"@{gap}", f"@{less}"], eqs=[(rest, -1), (form, -1)]))
    g.have("0 < m")
    g.have("2 <= N")
    g.conj(
        lambda g: g.field((first, 1), (second, 1)),
        lambda g: g.field((face, f"-({SPEED})")),
        lambda g: g.pos(["m", "N", f"s(t)^{POWER}", f"@{cap}"]),
        lambda g: g.pos(["m", "N", f"s(t)^{POWER}", TOP, f"@{more}"]),
    )


CHAIN = f"m*N*s^{POWER}"
AT_FACE = (
    f"all m N:Z. 1 <= m => 2 <= N => {POINT} all w:R. {GAMMA} <= w => w < 1 => s = w*{TOP} - {SECOND} => s < {C} - {SECOND} =>"
)
Z_ = "tr(T(u) @ Z @ v)"
MEMBERS = [
    f"-({CHAIN}*(s - {Z_}))",
    f"-({CHAIN}*({C} - {SECOND} - {Z_}))",
    f"-({CHAIN}*({C} - {SECOND} - {C} - {Q}))",
    f"-({CHAIN}*(-{SECOND} - {Q}))",
]


@refuted(
    "eftekhari2022.eq-128",
    f"{AT_FACE} {MEMBERS[1]} < {MEMBERS[0]} and {MEMBERS[1]} = {MEMBERS[2]} and {MEMBERS[2]} = {MEMBERS[3]} and 0 < {MEMBERS[3]}",
    reason="the last member is 0, not positive, where u^T Z_{1+} v = -s_{Z,2}, for instance for s_{Z,2} = 0: one dimension, Z = 1, alpha = 1/2",
    reading="the members of the chain as functions of the state (125) at the face; the first is the velocity (128) of s; w stands for alpha",
    context="N >= 2, m >= 1 and the spectral gap [Assumption 14]",
    uses=["eftekhari2022.eq-32", "eftekhari2022.lemma-11"],
)
def last_member_may_vanish(g: Goal) -> None:
    """One dimension, s = 1/2."""
    values = one_dimension(g)
    g.witness("1", "2")

    def inner(g: Goal) -> None:
        g.witness("1", "1", ONE, ONE, ONE, ONE, ONE, ONE, "1/2")
        nested(g, *[numeric(values) for _ in range(10)], face)

    def face(g: Goal) -> None:
        g.witness("1/2")
        number = g.have(f"tr(T({ONE}) @ {ONE} @ {ONE}) = 1", lambda g: g.field())

        def put(g: Goal) -> None:
            for h in values:
                g.rewrite(h)
            g.auto()

        def below(g: Goal) -> None:
            g.rewrite(number)
            g.rewrite(values[1])
            g.auto()

        def last(g: Goal) -> None:
            g.left_or_right(3)
            rest = g.have(f"tr(T({ONE}) @ ({ONE} - {ONE}) @ {ONE}) = 0", lambda g: g.field())
            g.rewrite(rest)
            g.rewrite(values[1])
            left = g.concl[1]
            zero = g.have(("=", left, 0), lambda g: g.field())
            g.rewrite(zero)
            g.pos()

        nested(g, put, None, put, below, last)

    nested(g, None, None, inner)


@amendment(
    "eftekhari2022.eq-128",
    f"""{AT_FACE} {MEMBERS[1]} < {MEMBERS[0]} and {MEMBERS[1]} = {MEMBERS[2]} and {MEMBERS[2]} = {MEMBERS[3]} and 0 <= {MEMBERS[3]} and
       0 < {MEMBERS[0]}""",
    says="with 0 <= for the last member; the velocity is positive all the same",
    uses=["eftekhari2022.step-i1-residual-bound"],
)
def singular_value_rises_at_the_lower_face(g: Goal) -> None:
    """s < c - s_2 strictly, and q >= -s_2."""
    names = g.intro(split=False)
    best, below = names[4:9], names[-1]
    uu, vv = names[10:12]
    low = g.lemma(
        "eftekhari2022.step-i1-residual-bound", "statement", *("x", "y", "Z", "Z1", "uZ", "u", "vZ", "v"),
        by=[using(h) for h in (*best, uu, vv)],
    )  # fmt: skip
    rest = g.have(f"{Z_} = {C} + {Q}", lambda g: g.field())
    g.have("0 < m")
    g.have("0 < N")
    scale = ["m", "N", f"s^{POWER}"]
    g.conj(
        lambda g: g.pos([*scale, f"@{below}"]),
        lambda g: g.field((rest, CHAIN)),
        lambda g: g.field(),
        lambda g: g.pos([*scale, f"@{low}"]),
        lambda g: g.pos([*scale, f"@{below}"], [*scale, f"@{low}"], eqs=[(rest, CHAIN)]),
    )
