"""Section 3.2 and Appendix D at depth 2: the claims on coupling and connectivity, with the initialisations that break one
direction."""

from __future__ import annotations

from proofs.shin2025.gradients import BINARY, CONNECTED, SHALLOW, SHALLOW_DECOUPLED, SHALLOW_VARIABLES
from proofs.shin2025.partitions import TWO, one_and_the_rest
from proofs.shin2025.shallow_coupling import DISCONNECTED, GENERIC, READING
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import amendment, holds, part, refuted

IFF = "shin2025.assertion-depth2-iff-connected"
OBSERVED = "(ex i j:Z. Om[i,j] = 1)"
FIRST_COLUMN = "[[1,0],[1,0]]"


def edges_of_first_column(g: Goal, p: str = FIRST_COLUMN) -> None:
    """Adds `corner`: observed entries are (1,1) and (2,1); and `binary`."""
    outside = g.fact("entry_outside", 2, 2, p)

    def entry(known: bool) -> Script:
        def script(g: Goal) -> None:
            g.fix("i", "j")
            if known:
                g.assume("edge")

            def finish(g: Goal, value: int, reason: Script) -> None:
                k = g.have(f"{p}[i,j] = {value}", reason)
                if not known:
                    g.left_or_right(value)
                    g.close_by(k)
                elif value == 0:
                    g.contra()
                    g.pos([], eqs=[("edge", "1"), (k, "-1")])
                else:
                    g.auto()

            def apart(g: Goal) -> None:
                finish(g, 0, lambda g: g.close_by(g.apply(outside, "i", "j")))

            def within(g: Goal) -> None:
                g.split("apart")

                def row(v: int) -> Script:
                    def script(g: Goal) -> None:
                        if v == 2:
                            g.apply(g.fact("int_lt", 1, "i"))
                        a = g.have(f"i = {v}", lambda g: g.antisym())

                        def column(w: int) -> Script:
                            def script(g: Goal) -> None:
                                if w == 2:
                                    g.apply(g.fact("int_lt", 1, "j"))
                                b = g.have(f"j = {w}", lambda g: g.antisym())
                                finish(g, int(w == 1), lambda g: (g.rewrite(a), g.rewrite(b), g.field()))

                            return script

                        g.em("j <= 1", column(1), column(2))

                    return script

                g.em("i <= 1", row(1), row(2))

            g.em("i < 1 or 2 < i or j < 1 or 2 < j", apart, within, name="apart")

        return script

    g.have(f"all i j:Z. {p}[i,j] = 1 => 1 <= i and i <= 2 and j = 1", entry(True), name="corner")
    g.have(f"all i j:Z. {p}[i,j] = 0 or {p}[i,j] = 1", entry(False), name="binary")


def connected(g: Goal) -> None:
    """All observations are in column 1."""
    g.intro("labels", "entries")
    _a, _b, e = g.split_all(g.apply("corner", "i", "j"))
    _u, _v, w = g.split_all(g.apply("corner", "k", "l"))
    one = g.apply("labels", "i", "j")
    two = g.apply("labels", "k", "l")
    same = g.have("c(j) = c(l)", lambda g: (g.rewrite(e), g.rewrite(w), g.refl()))
    g.field((one, 1), (two, -1), (same, 1))


def two_rows(g: Goal, orthogonal: Script, diagonal: bool = False) -> None:
    """The partition of the two observations (1,1) and (2,1), or (2,2), into two parts by their rows; `corner` says where they
    are."""
    g.witness("2", "lam i:Z, j:Z. i")

    def range_(g: Goal) -> None:
        g.fix("i", "j")
        g.assume()
        g.split_all(g.apply("corner", "i", "j"))
        g.conj(None, None)

    def members(g: Goal) -> None:
        g.fix("k")
        g.split(g.assume())

        def member(v: int) -> Script:
            def script(g: Goal) -> None:
                if v == 2:
                    g.apply(g.fact("int_lt", 1, "k"))
                eq = g.have(f"k = {v}", lambda g: g.antisym())
                g.witness(f"{v}", f"{v}" if diagonal else "1")
                g.conj(None, lambda g: g.field((eq, -1)))

            return script

        g.em("k <= 1", member(1), member(2))

    def across(g: Goal) -> None:
        g.fix("i", "j", "x", "y", "t")
        g.split_all(g.assume("pair"))
        g.assume()
        orthogonal(g)

    g.conj(None, range_, members, across)


def zero_start(g: Goal) -> None:
    """The counterexample d = 2, n = 1 that rests at A = 0, B = 0, where (1,1) and (2,1) are observed with value 1."""
    g.witness("2", "1", FIRST_COLUMN, "[[1,0],[1,0]]", "lam t:R. O(2,1)", "lam t:R. O(1,2)")
    edges_of_first_column(g)


def rests(g: Goal) -> None:
    g.intro()
    g.nc()


def observes(g: Goal) -> None:
    """Something is observed."""
    g.witness("1", "1")
    g.field()


ZERO = "A(0) = O(d,n) and B(0) = O(n,d)"


@refuted(
    IFF,
    f"{SHALLOW_VARIABLES} 1 <= d => 1 <= n => {BINARY} => {OBSERVED} => {SHALLOW} => ({CONNECTED} <=> not {SHALLOW_DECOUPLED})",
    argument="fails",
    reading=READING,
    reason="with the connected observations (1,1), (2,1) a start from A = 0, B = 0 stays there and all gradients vanish, so"
    " the dynamics are"
    " decoupled; Appendix D.1 itself excludes such initialisations",
)
def zero_start_is_decoupled_though_connected(g: Goal) -> None:
    """d = 2, n = 1, A = 0, B = 0, observed (1,1) and (2,1) with value 1."""
    zero_start(g)

    def sides(g: Goal) -> None:
        g.left_or_right(0)
        g.conj(connected, lambda g: two_rows(g, lambda g: g.field()))

    _conj(g, {"all i j": lambda g: g.close_by("binary"), "ex": observes, "flow": rests, "or": sides})


def _conj(g: Goal, scripts: dict[str, Script]) -> None:
    """Close a nested conjunction of the hypotheses of the counterexample by kind."""
    c = g.concl
    if c[0] == "and":
        g.conj(*[lambda g: _conj(g, scripts)] * (len(c) - 1))
    elif c[0] == "or":
        scripts["or"](g)
    elif c[0] == "ex":
        scripts["ex"](g)
    elif c[0] == "all":
        (scripts["flow"] if c[1][0][1] == "R" else scripts["all i j"])(g)
    else:
        g.auto()


@amendment(
    IFF,
    f"""{SHALLOW_VARIABLES} 1 <= d => {BINARY} => {SHALLOW} =>
        (not {CONNECTED} => {SHALLOW_DECOUPLED}) and ({GENERIC} => ({CONNECTED} <=> not {SHALLOW_DECOUPLED}))""",
    says="Disconnected observations are decoupled from any initialisation; if no two rows of A(0) and no two columns of B(0)"
    " are orthogonal,"
    " the dynamics are coupled exactly if the observations are connected.",
    uses=["bai2024.prop-a3"],
)
def equivalence_for_generic_starts(g: Goal) -> None:
    """The two directions are the parts `disconnected` and `connected-and-generic`."""
    g.fix()
    for name in ("size", "binary", "flow"):
        g.assume(name)
    args = ["d", "n", "Om", "Ws", "A", "B"]
    whole = [lambda g: g.close_by("size"), lambda g: g.close_by("binary")]

    def down(g: Goal) -> None:
        g.assume("cut")
        g.close_by(g.lemma(IFF, "part:disconnected", *args, by=[*whole, same_flow, lambda g: g.close_by("cut")]))

    def both(g: Goal) -> None:
        g.assume("generic")

        def up(g: Goal) -> None:
            g.assume("connected")
            last_two = [lambda g: g.close_by("generic"), lambda g: g.close_by("connected")]
            g.close_by(g.lemma(IFF, "part:connected-and-generic", *args, by=[*whole, *last_two]))

        def back(g: Goal) -> None:
            g.assume("coupled")
            no = g.contra()
            h = g.have(SHALLOW_DECOUPLED, lambda g: cut(g, no))
            g.clash(h, "coupled")

        def cut(g: Goal, no: str) -> None:
            k = g.have(f"not {CONNECTED}", lambda g: refuse(g, no))
            g.close_by(g.lemma(IFF, "part:disconnected", *args, by=[*whole, same_flow, lambda g: g.close_by(k)]))

        g.iff(up, back)

    g.conj(down, both)


def refuse(g: Goal, no: str) -> None:
    """not A from neg(A)."""
    g.clash(g.assume(), no)


def same_flow(g: Goal) -> None:
    """The flow of the functions given as lambdas."""
    a, b = g.split("flow")

    def law(h: str) -> Script:
        def script(g: Goal) -> None:
            g.fix("u")
            g.assume()
            g.nc((g.apply(h, "u"), 1, None, None))

        return script

    g.conj(law(a), law(b))


@holds(
    "shin2025.assertion-d2-depth2-disconnected",
    DISCONNECTED,
    argument="sound",
    reading="disconnected observations give decoupled dynamics, from any initialisation. " + READING,
    readings=[("decoupled dynamics come only from disconnected observations", "refuted", "converse")],
    uses=[IFF],
)
def disconnected_observations_are_decoupled_at_depth_two(g: Goal) -> None:
    """The part `disconnected` of the equivalence at depth 2."""
    g.close_by(g.lemma(IFF, "part:disconnected"))


@part(
    "shin2025.assertion-d2-depth2-disconnected",
    "converse",
    f"ex d n:Z, Om Ws:M(d,d), A:R~>M(d,n), B:R~>M(n,d). 1 <= d and 1 <= n and {BINARY} and {OBSERVED} and {SHALLOW} and"
    f" {CONNECTED} and {SHALLOW_DECOUPLED}",
    says="A zero start is decoupled although the observations (1,1), (2,1) are connected.",
)
def zero_start_with_connected_observations(g: Goal) -> None:
    """d = 2, n = 1, A = 0, B = 0, observed (1,1) and (2,1) with value 1."""
    zero_start(g)
    n = len(g.concl) - 1
    scripts: list[Script] = [None, None, lambda g: g.close_by("binary"), observes]  # type: ignore[list-item]
    scripts += [rests] * (n - 6) + [connected, lambda g: two_rows(g, lambda g: g.field())]
    g.conj(*scripts)


@holds(
    "shin2025.assertion-d1-depth2-generic",
    f"""{SHALLOW_VARIABLES} 1 <= d => {BINARY} => {SHALLOW} =>
        ({GENERIC} => ({CONNECTED} <=> not {SHALLOW_DECOUPLED})) and
        ({ZERO} and {TWO} => {SHALLOW_DECOUPLED})""",
    argument="repaired",
    reading="generic: no two rows of A(0) and no two columns of B(0) are orthogonal; zero matrices, at least two observations. "
    + READING,
    uses=[IFF, "bai2024.prop-a3"],
)
def generic_starts_follow_connectivity_and_zero_starts_do_not(g: Goal) -> None:
    """The first half is the amended equivalence. A zero start stays zero (uniqueness of the linear system that A and B^T
    obey), so all
    gradients vanish and any division of the observations will do."""
    g.fix()
    for name in ("size", "binary", "flow"):
        g.assume(name)
    args = ["d", "n", "Om", "Ws", "A", "B"]

    def generic(g: Goal) -> None:
        whole = g.lemma(IFF, "amendment", *args, by=[lambda g: g.close_by("size"), lambda g: g.close_by("binary"), same_flow])
        g.close_by(g.split(whole)[1])

    def zero(g: Goal) -> None:
        g.assume("start")
        _a0, b0, two = g.split("start")
        residual = "had(Om, A(t) @ B(t) - Ws)"
        laws = g.split("flow")
        k = g.fact(
            "linear_pair_zero", "d", "d", "n", "A", "lam t:R. T(B(t))", f"lam t:R. -{residual}", f"lam t:R. -T({residual})"
        )

        def first_law(g: Goal) -> None:
            g.fix("t")
            g.assume()
            g.nc((g.apply(laws[0], "t"), 1, None, None))

        def second_law(g: Goal) -> None:
            g.fix("t")
            g.assume()
            law = g.apply(laws[1], "t")
            turned = g.have(f"T(B'(t)) = T(-(T(A(t)) @ {residual}))", lambda g: (g.rewrite(law), g.refl()))
            g.nc((turned, 1, None, None))

        still = g.apply(k, by=[None, first_law, second_law, None, lambda g: (g.rewrite(b0), g.nc())])

        def orthogonal(g: Goal) -> None:
            a, b = g.split(g.apply(still, "t"))
            zero = g.have("B(t) = O(n,d)", lambda g: transposed(g, b))
            g.rewrite(a)
            g.rewrite(zero)
            g.field()

        one_and_the_rest(g, two, orthogonal)

    g.conj(generic, zero)


def transposed(g: Goal, h: str) -> None:
    """B(t) = O from T(B(t)) = O."""
    k = g.have("T(T(B(t))) = T(O(d,n))", lambda g: (g.rewrite(h), g.refl()))
    g.nc((k, 1, None, None))
