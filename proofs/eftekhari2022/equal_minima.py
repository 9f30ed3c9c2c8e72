"""Section 2 and Appendix C: minima that agree, as equivalences of lower bounds."""

from __future__ import annotations

from proofs.eftekhari2022.deflation import size
from proofs.eftekhari2022.row_span_projection import DATA, N_, PENROSE, READING, P
from proofs.razin2020.scripts import using
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import holds

SETTING = f"all {DATA}, r:Z. {PENROSE}"
MINIMA = (
    "two minima agree where every lower bound c of one objective is one of the other; K stands for P, R for Q', T for Q''; "
    f"{READING}"
)
REST = f"{size(f'Y @ {N_}')}/2"
FREE = f"(all K:M(y,r), R:M(r,m). c <= {size(f'Y @ {P} - K @ R')}/2)"
PROJECTED = f"(all K:M(y,r), R:M(r,m). c <= {size(f'Y @ {P} - K @ R @ {P}')}/2)"
INSIDE = f"(all K:M(y,r), T_:M(r,m). (ex R:M(r,m). T_ = R @ {P}) => c <= {size(f'Y @ {P} - K @ T_')}/2)"
SPAN = f"(all K:M(y,r), T_:M(r,m). T_ @ {P} = T_ => c <= {size(f'Y @ {P} - K @ T_')}/2)"
DATA_ROWS = f"(all K:M(y,r), T_:M(r,m). (ex Q:M(r,x). T_ = Q @ X) => c <= {size(f'Y @ {P} - K @ T_')}/2)"
DATA_FACTORS = f"(all K:M(y,r), Q:M(r,x). c <= {size(f'Y @ {P} - K @ Q @ X')}/2)"
WHOLE = f"(all K:M(y,r), Q:M(r,x). c <= {size('Y - K @ Q @ X')}/2 - {REST})"


def pythagoras(g: Goal, names: list[str], k: str, r: str) -> str:
    """Adds the split (67)."""
    h = g.lemma("eftekhari2022.eq-67", "statement", "x", "y", "m", "X", "G", "Y", "r", k, by=[using(n) for n in names[:4]])
    return g.apply(h, r)


def from_projected(g: Goal, names: list[str]) -> None:
    """A bound for R P_X is one for R, as the other part of the error is not negative."""
    bound = g.assume()
    g.fix("K", "R")
    split = pythagoras(g, names, "K", "R")
    h = g.apply(bound, "K", "R")
    g.pos([f"@{h}"], ["1/2", size(f"K @ R @ {N_}")], eqs=[(split, 1)])


def to_projected(g: Goal) -> None:
    """R P_X is one of the free matrices."""
    bound = g.assume()
    g.fix("K", "R")
    h = g.apply(bound, "K", f"R @ {P}")
    g.exact(h)


@holds(
    "eftekhari2022.step-c-last-term-vanishes",
    f"{SETTING} all c:R. ({FREE} <=> {PROJECTED})",
    argument="sound",
    reading=MINIMA,
    uses=["eftekhari2022.eq-67"],
)
def last_term_may_be_dropped(g: Goal) -> None:
    """Replace R by R P_X."""
    names = g.intro(split=False)
    g.iff(to_projected, lambda g: from_projected(g, names))


@holds(
    "eftekhari2022.eq-68",
    f"""{SETTING} all c:R. ({FREE} <=> {PROJECTED}) and ({PROJECTED} <=> {INSIDE}) and ({INSIDE} <=> {SPAN}) and ({SPAN} <=> {DATA_ROWS}) and
       ({DATA_ROWS} <=> {DATA_FACTORS})""",
    argument="sound",
    reading=f"the rows of Q'' lie in the row span of X where Q'' P_X = Q''; {MINIMA}",
    uses=["eftekhari2022.eq-67"],
)
def chain_of_minima(g: Goal) -> None:
    """Rename the matrix: R P_X, T = R P_X, T = T P_X, T = Q X, Q X."""
    names = g.intro(split=False)
    own = names[0]

    def substitute(g: Goal) -> None:
        bound = g.assume()
        g.fix("K", "T_")
        eq = g.obtain(g.assume(), "Z_")[0]
        h = g.apply(bound, "K", "Z_")
        g.rewrite(eq)
        g.exact(h)

    def instance(term: str, letter: str) -> Script:
        def script(g: Goal) -> None:
            bound = g.assume()
            g.fix("K", letter)
            h = g.apply(bound, "K", term, by=[lambda g: (g.witness(letter), g.refl())])
            g.exact(h)

        return script

    def spanned(g: Goal) -> None:
        bound = g.assume()
        g.fix("K", "T_")
        eq = g.assume()
        g.close_by(g.apply(bound, "K", "T_", by=[lambda g: (g.witness("T_"), g.nc((eq, -1, None, None)))]))

    def projected(g: Goal) -> None:
        bound = g.assume()
        g.fix("K", "T_")
        eq = g.obtain(g.assume(), "Z_")[0]
        kept = g.have(f"T_ @ {P} = T_", lambda g: g.nc((own, 1, "Z_ @ G", None), rw=[eq]))
        g.close_by(g.apply(bound, "K", "T_", by=[using(kept)]))

    def rows(g: Goal) -> None:
        bound = g.assume()
        g.fix("K", "T_")
        eq = g.obtain(g.assume(), "Z_")[0]
        kept = g.have(f"T_ @ {P} = T_", lambda g: g.nc((own, 1, "Z_", None), rw=[eq]))
        g.close_by(g.apply(bound, "K", "T_", by=[using(kept)]))

    def factors(g: Goal) -> None:
        bound = g.assume()
        g.fix("K", "T_")
        eq = g.assume()
        g.close_by(g.apply(bound, "K", "T_", by=[lambda g: (g.witness("T_ @ G"), g.nc((eq, -1, None, None)))]))

    g.conj(
        lambda g: g.iff(to_projected, lambda g: from_projected(g, names)),
        lambda g: g.iff(substitute, instance(f"R @ {P}", "R")),
        lambda g: g.iff(spanned, projected),
        lambda g: g.iff(rows, factors),
        lambda g: g.iff(instance("Q @ X", "Q"), substitute),
    )


def data_split(g: Goal, names: list[str], k: str, q: str) -> str:
    """Adds the split (11)."""
    h = g.lemma(
        "eftekhari2022.eq-11-equality", "statement", "x", "y", "m", "X", "G", "Y", "r", k, by=[using(n) for n in names[:4]]
    )
    return g.apply(h, q)


def to_free(g: Goal, names: list[str]) -> None:
    """Q = R G gives at most the value of R."""
    bound = g.assume()
    g.fix("K", "R")
    split = pythagoras(g, names, "K", "R")
    whole = data_split(g, names, "K", "R @ G")
    h = g.apply(bound, "K", "R @ G")
    same = g.have(f"{size(f'Y @ {P} - K @ (R @ G @ X)')} = {size(f'Y @ {P} - K @ R @ {P}')}", lambda g: g.field())
    g.pos([f"@{h}"], ["1/2", size(f"K @ R @ {N_}")], eqs=[(split, 1), (whole, -1), (same, "-1/2")])


def from_free(g: Goal, names: list[str]) -> None:
    """R = Q X has the same value."""
    bound = g.assume()
    g.fix("K", "Q")
    whole = data_split(g, names, "K", "Q")
    h = g.apply(bound, "K", "Q @ X")
    g.pos([f"@{h}"], eqs=[(whole, 1)])


@holds(
    "eftekhari2022.lemma-5-value",
    f"{SETTING} det(X @ T(X)) != 0 => all c:R. ({WHOLE} <=> {FREE})",
    argument="sound",
    reading=MINIMA,
    uses=["eftekhari2022.eq-67", "eftekhari2022.eq-11-equality"],
)
def regression_has_the_value_of_the_approximation(g: Goal) -> None:
    """Every R can be replaced by R P_X = (R G) X; the data need not have full rank."""
    names = g.intro(split=False)
    g.iff(lambda g: to_free(g, names), lambda g: from_free(g, names))


@holds(
    "eftekhari2022.eq-11-inequality",
    f"{SETTING} all c:R. {FREE} => all K:M(y,r), Q:M(r,x). {REST} + c <= {size('Y - K @ Q @ X')}/2",
    argument="sound",
    reading=f"a lower bound of the right minimum gives one of the left; {MINIMA}",
    uses=["eftekhari2022.eq-11-equality"],
)
def regression_is_at_least_the_approximation(g: Goal) -> None:
    """R = Q X is one of the free matrices."""
    names = g.intro(split=False)
    bound = names[4]
    whole = data_split(g, names, "K", "Q")
    h = g.apply(bound, "K", "Q @ X")
    g.pos([f"@{h}"], eqs=[(whole, 1)])
