"""Appendix A.1, remarks on Propositions 5 and 17: the limit from every start, every pattern, and where r-bar is not defined."""

from __future__ import annotations

from proofs.shin2025.disconnected_degenerate_starts import ID, LIMITS
from proofs.shin2025.disconnected_flow import (
    DIAGONAL_SETTING,
    DIAGONAL_VARIABLES,
    DIAGONAL_ZERO_LOSS,
    SETTING,
    ZERO_LOSS,
    constant_p,
    constant_q,
    defined,
    entry_a,
    entry_b,
    inside,
    rbar,
    root,
)
from proofs.shin2025.disconnected_limit import (
    A_5,
    B_5,
    CONTEXT_5,
    decay_has_no_loss,
    decay_is_a_flow,
    decaying_function,
    diagonal_statement,
    multiples_of_identity,
    no_parameter,
    zero_loss_again,
)
from proofs.shin2025.disconnected_solution import (
    CONTEXT,
    GENERAL,
    flow_again,
    is_all,
    named,
)
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import amendment, holds, part, refuted


def everywhere(row: str, column: str) -> str:
    """The limits of A[p,q], observed in `column` of its row, and of B[p,q], observed in `row` of its column, from every start."""

    def cases(start: str, limit: str, closed: str, at: tuple[str, str]) -> str:
        p, q, w = constant_p(*at), constant_q(*at), f"W[{at[0]},{at[1]}]"
        return (
            f"({defined(*at)} => tends(t, {limit}, {closed})) and"
            f" ({p} + {q}/2 = 0 => tends(t, {limit}, {start}*sqrt(-{w}/({q}/2)))) and"
            f" ({p} - {q}/2 = 0 => {w} = 0 => tends(t, {limit}, 0))"
        )

    a = cases("A(0)[p,q]", "A(t)[p,q]", entry_a("p", "q", column, rbar("p", column)), ("p", column))
    return a + " and " + cases("B(0)[p,q]", "B(t)[p,q]", entry_b("p", "q", row, rbar(row, "q")), (row, "q"))


def limits_from_every_start(g: Goal, maps: tuple[str, str], row: str) -> None:
    """Close the six limits of `everywhere` for the pattern with the maps i, j; the amended Proposition 17 gives the generic ones."""
    names = ("n", *maps, "W", "A", "B", "G")
    premises = [None, None, None, flow_again, zero_loss_again]
    generic = g.split(g.apply(g.lemma(LIMITS, "amendment", *names, by=premises), "p", "q"))
    back = "" if maps[0] != "i" else g.split_all(g.apply(named(g, lambda f: is_all(f, "k") and f[2][2][0] == "and"), "q"))[5]

    def degenerate(name: str, index: int, inner: str) -> Script:
        def script(g: Goal) -> None:
            hs = []
            while g.concl[0] == "=>":
                hs.append(g.assume())
            at = "p" if index == 0 else row

            def premise(h: str) -> Script:
                def use(g: Goal) -> None:
                    if back and index == 1:
                        g.rewrite(back)
                    g.close_by(h)

                return use

            k = g.lemma(ID, f"part:{name}", *names, at, by=[*premises, None, *[premise(h) for h in hs]])
            k = g.split(k)[1] if name == "opposite" else k
            k = g.split(g.apply(k, inner))[index]
            g.close_by(g.rewritten(k, back) if back and index == 1 else k)

        return script

    a = [lambda g: g.close_by(generic[0]), degenerate("opposite", 0, "q"), degenerate("equal", 0, "q")]
    b = [lambda g: g.close_by(generic[1]), degenerate("opposite", 1, "p"), degenerate("equal", 1, "p")]
    g.conj(*a, *b)


@holds(
    ID,
    diagonal_statement(everywhere("q", "p")),
    argument="repaired",
    context=CONTEXT_5,
    reading="the limits as formulas in the entries of A(0), B(0) and the observed values: the closed form of Proposition 5, with the"
    " square under the root, where its quotient is defined; where a row of A(0) is minus its column of B(0) both are scaled by"
    " sqrt(-2 w*_ii/Q_i); where they are equal and w*_ii = 0 both vanish. These cases cover every start.",
    uses=[ID, LIMITS],
    reason="Proposition 5 as printed fails (see there); with the missing square it covers all but two degenerate cases, which have"
    " closed forms of their own.",
)
def limits_are_formulas_in_the_start(g: Goal) -> None:
    """Proposition 5 as amended, and the two cases that it leaves out."""
    g.intro()
    limits_from_every_start(g, ("lam k:Z. k", "lam k:Z. k"), "q")


FULLY = "shin2025.remark-a1-fully-disconnected"


def first_entry(column: str, text: str = "") -> str:
    """The closed form of a_11 for A(0) = B(0) = I with the observed values 4 on the diagonal and 0 off it, or a text about it."""
    text = text or entry_a("1", "1", column, rbar("1", column))
    return text.replace("A(0)", "I(2)").replace("B(0)", "I(2)").replace("W", "(4*I(2))").replace("1, n,", "1, 2,")


@holds(
    FULLY,
    f"""({GENERAL}. {SETTING} => {ZERO_LOSS} => all p q:Z. {inside("p", "q")} => {everywhere("i(q)", "j(p)")}) and
        {first_entry("1")} = 2 and {first_entry("2")} = 1""",
    argument="repaired",
    context=CONTEXT,
    reading="The limits from every start, for one observation in each row and column (row p is observed in column j(p), column q in"
    " row i(q)): the closed form of Proposition 17 where its quotient is defined, else as for the diagonal pattern. Different"
    " patterns have different closed forms: a_11 from A(0) = B(0) = I with W* = 4 I is 2 for the diagonal pattern, 1 for the other.",
    uses=[ID, LIMITS],
)
def every_fully_disconnected_pattern(g: Goal) -> None:
    """Proposition 17 as amended, and the two cases that it leaves out; the two values by their logarithms."""

    def limits(g: Goal) -> None:
        g.intro()
        limits_from_every_start(g, ("i", "j"), "i(q)")

    def value(column: str, size: str, quotient: str) -> Script:
        def script(g: Goal) -> None:
            inner = first_entry(column, root("1", column))
            radicand = inner[inner.index("sqrt(") + 5 : -2]
            size_ = g.by_fact("sqrt_unique", radicand, size, by=[None, lambda g: g.field()])
            k = g.have(f"{inner} = {quotient}", lambda g: (g.rewrite(size_), g.field())[-1])
            g.rewrite(k)
            g.field()

        return script

    g.conj(limits, value("1", "4", "1/4"), value("2", "1", "1"))


ARBITRARY = "shin2025.remark-a1-arbitrary"
CLOSED = (
    f"tends(t, A(t)[p,q], {entry_a('p', 'q', 'p', rbar('p', 'p'))})",
    f"tends(t, B(t)[p,q], {entry_b('p', 'q', 'q', rbar('q', 'q'))})",
)


@refuted(
    ARBITRARY,
    diagonal_statement(*CLOSED),
    argument="fails",
    context=f"{CONTEXT_5}; the observed values may have any sign [Proposition 17, of which it is the diagonal case]; the amendment is for positive values [Theorem 4]",
    reading="the closed forms of Proposition 5, with the square under the root (as Proposition 17 prints it), hold for every start and"
    " all real observed values",
    readings=[("without the square, as Proposition 5 prints it", "refuted", "without-the-square")],
    reason="for A(0) = B(0) = I and w*_ii = 0 the flow A = B = I/sqrt(1 + 2t) converges to zero loss, but its limit 0 is not"
    " cosh r - sinh r for any real r. Starts with a row of A(0) equal to, or minus, its column of B(0) need closed forms of their own"
    " (assertion-closed-form-init).",
)
def some_starts_have_no_parameter(g: Goal) -> None:
    """A = B = I/sqrt(1 + 2 t) with w* = 0 tends to 0, but exp(-r) is positive for every real r."""
    decaying_function(g)
    multiples_of_identity(g, "0", "1 + F(t)", "1 + F(t)", True, decay_is_a_flow, decay_has_no_loss, no_parameter)


@part(
    ARBITRARY,
    "without-the-square",
    f"not ({diagonal_statement(A_5, B_5)})",
    says="The printed form fails for a flow at rest.",
    uses=["shin2025.prop-5-rbar"],
)
def printed_form_fails(g: Goal) -> None:
    """The counterexample to Proposition 5."""
    h = g.assume()
    g.clash(h, g.lemma("shin2025.prop-5-rbar", "negation"))


POSITIVE = "(all k:Z. 1 <= k and k <= n => 0 < W[k,k])"


@amendment(
    ARBITRARY,
    f"""all {DIAGONAL_VARIABLES}. {DIAGONAL_SETTING} => {DIAGONAL_ZERO_LOSS} => {POSITIVE} => all p q:Z. {inside("p", "q")} =>
        {" and ".join(CLOSED)}""",
    says="for positive observed values, equal or distinct, the closed forms (with the square) hold for every start from which the loss"
    " tends to 0",
    uses=[ID, "shin2025.prop-5-rbar"],
)
def every_start_with_positive_values(g: Goal) -> None:
    """If a row of A(0) is minus its column of B(0), the observed entry stays <= 0 and cannot tend to w* > 0."""
    g.intro()
    positive = named(g, lambda f: is_all(f, "k") and f[2][2][0] == "<")
    k = g.lemma("shin2025.prop-5-rbar", "amendment", "n", "W", "A", "B", "G", by=[None, None, flow_again, zero_loss_again])
    k = g.split(g.apply(k, "p", "q"))
    names = ("n", "lam k:Z. k", "lam k:Z. k", "W", "A", "B", "G")

    def regular(at: str) -> Script:
        def script(g: Goal) -> None:
            w = g.apply(positive, at)

            def no(g: Goal) -> None:
                z = g.contra()
                o = g.lemma(
                    ID,
                    "part:opposite",
                    *names,
                    at,
                    by=[None, None, None, flow_again, zero_loss_again, None, lambda g: g.close_by(z)],
                )
                g.pos([f"@{w}"], [f"@{g.split(o)[0]}"])

            g.conj(no, lambda g: (g.left_or_right(1), g.auto())[-1])

        return script

    g.conj(*[lambda g, h=h, at=at: g.close_by(g.apply(h, by=[regular(at)])) for h, at in zip(k, "pq", strict=True)])
