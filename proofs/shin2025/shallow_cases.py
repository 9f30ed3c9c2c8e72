"""Section 3.2 and Appendix D at depth 2: the claims on coupling and connectivity, with the initialisations that break one direction."""

from __future__ import annotations

from proofs.shin2025.decoupled_factors import last
from proofs.shin2025.gradients import BINARY, CONNECTED, SHALLOW, SHALLOW_DECOUPLED, SHALLOW_VARIABLES
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
    a, b, e = g.split_all(g.apply("corner", "i", "j"))
    u, v, w = g.split_all(g.apply("corner", "k", "l"))
    one = g.apply("labels", "i", "j")
    two = g.apply("labels", "k", "l")
    same = g.have("c(j) = c(l)", lambda g: (g.rewrite(e), g.rewrite(w), g.refl()))
    g.field((one, 1), (two, -1), (same, 1))


def two_rows(g: Goal, orthogonal: Script) -> None:
    """The partition of the two observations of the first column into two parts."""
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
                g.witness(f"{v}", "1")
                g.conj(lambda g: g.field(), lambda g: g.field((eq, -1)))

            return script

        g.em("k <= 1", member(1), member(2))

    def across(g: Goal) -> None:
        g.fix("i", "j", "x", "y", "t")
        g.split_all(g.assume("pair"))
        g.assume()
        orthogonal(g)

    g.conj(None, range_, members, across)


ZERO = "A(0) = O(d,n) and B(0) = O(n,d)"


@refuted(
    IFF,
    f"{SHALLOW_VARIABLES} 1 <= d => 1 <= n => {BINARY} => {OBSERVED} => {SHALLOW} => ({CONNECTED} <=> not {SHALLOW_DECOUPLED})",
    argument="fails",
    reading=READING,
    reason="with the connected observations (1,1), (2,1) a start from A = 0, B = 0 stays there and all gradients vanish, so the dynamics are"
    " decoupled; Appendix D.1 itself excludes such initialisations",
)
def zero_start_is_decoupled_though_connected(g: Goal) -> None:
    """d = 2, n = 1, A = 0, B = 0, observed (1,1) and (2,1) with value 1."""
    g.witness("2", "1", FIRST_COLUMN, "[[1,0],[1,0]]", "lam t:R. O(2,1)", "lam t:R. O(1,2)")
    edges_of_first_column(g)

    def flow(g: Goal) -> None:
        g.intro()
        g.nc()

    def some(g: Goal) -> None:
        g.witness("1", "1")
        g.field()

    def sides(g: Goal) -> None:
        g.left_or_right(0)
        g.conj(connected, lambda g: two_rows(g, lambda g: g.field()))

    _conj(g, {"all i j": lambda g: g.close_by("binary"), "ex": some, "flow": flow, "or": sides})


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
