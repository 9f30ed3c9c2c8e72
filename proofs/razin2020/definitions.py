"""Equations (6) and (7), Definitions 1 and 2: they are meaningful, and are what the other modules use."""

from __future__ import annotations

from proofs.razin2020.problem import LOSS, solution
from proofs.razin2020.scripts import using
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import holds, part

MASK, VALUES = "[[0,1],[1,1]]", "[[0,1],[1,0]]"


@holds(
    "razin2020.eq-6",
    f"""all W:M(2,2). (sum(i, 1, 2, sum(j, 1, 2, {MASK}[i,j]*(W[i,j] - {VALUES}[i,j])^2)))/2 = {LOSS}""",
    reading="the first matrix marks the observed entries, the second has their values: the loss (1) of these "
    "observations is the one of the other modules",
)
def loss_of_the_observations(g: Goal) -> None:
    """Written out."""
    g.intro()
    g.field()


@holds(
    "razin2020.eq-7",
    f"""all W:M(2,2). ({LOSS} = 0 <=> W[1,2] = 1 and W[2,1] = 1 and W[2,2] = 0) and
       (W[1,2] = 1 and W[2,1] = 1 and W[2,2] = 0 <=> ex x:R. W = {solution("x")})""",
    argument="sound",
)
def zero_loss_matrices(g: Goal) -> None:
    """A sum of squares vanishes only if each square does."""
    g.fix("W")

    def vanish(g: Goal, loss: str, residual: str, rest: str) -> str:
        def square(g: Goal) -> None:
            g.antisym(lambda g: g.pos([rest], eqs=[(loss, -2)]), lambda g: g.pos([f"({residual})^2"]))

        k = g.have(f"({residual})^2 = 0", square)
        return g.apply(g.fact("square_zero", residual), by=[using(k)])

    def forward(g: Goal) -> None:
        h = g.assume()
        a = vanish(g, h, "W[1,2] - 1", "(W[2,1] - 1)^2 + W[2,2]^2")
        b = vanish(g, h, "W[2,1] - 1", "(W[1,2] - 1)^2 + W[2,2]^2")
        c = vanish(g, h, "W[2,2]", "(W[1,2] - 1)^2 + (W[2,1] - 1)^2")
        g.conj(lambda g: g.field((a, 1)), lambda g: g.field((b, 1)), using(c))

    def backward(g: Goal) -> None:
        a, b, c = g.split(g.assume())
        g.field((a, "(W[1,2] - 1)/2"), (b, "(W[2,1] - 1)/2"), (c, "W[2,2]/2"))

    def to_matrix(g: Goal) -> None:
        a, b, c = g.split(g.assume())
        g.witness("W[1,1]")
        g.ext(lambda g: entry(g, a, b, c))

    def entry(g: Goal, a: str, b: str, c: str) -> None:
        for rows in ((), ((a, 1),), ((b, 1),), ((c, 1),)):
            if fits(g, rows):
                g.field(*rows)
                return

    def fits(g: Goal, rows: tuple[tuple[str, int], ...]) -> bool:
        left = g.concl[1]
        return (not rows and left[2:] == (1, 1)) or any(g.hyp_formula(h)[1] == left for h, _ in rows)

    def from_matrix(g: Goal) -> None:
        (eq,) = g.obtain(g.assume(), "x")

        def put(g: Goal) -> None:
            g.rewrite(eq)
            g.field()

        g.conj(put, put, put)

    g.conj(lambda g: g.iff(forward, backward), lambda g: g.iff(to_matrix, from_matrix))


TOTAL = "sum(k, 1, q, sv(W,k))"


SHARE = f"(sv(W,i)/{TOTAL})"
ERANK = f"exp(-sum(i, 1, q, {SHARE}*log({SHARE})))"


@part(
    "razin2020.def-1",
    "entropy",
    """all q:Z, p:Z->R. 1 <= q => (all i:Z. 1 <= i and i <= q => 0 <= p(i)) => sum(i, 1, q, p(i)) = 1 =>
       1 <= exp(-sum(i, 1, q, p(i)*log(p(i)))) and exp(-sum(i, 1, q, p(i)*log(p(i)))) <= q""",
    says="the exponential of the entropy of q shares lies between 1 and q",
)
def effective_number_of_shares(g: Goal) -> None:
    """log p <= p - 1 <= 0, and p log(1/(q p)) <= 1/q - p; a share 0 contributes 0."""
    size, nonneg, total = g.intro()

    def by_share(g: Goal, zero: Script, positive: Script) -> None:
        """For the share i: it is 0 or positive."""
        g.fix("i")
        g.assume()
        sign = g.apply(nonneg, "i")
        g.cases(g.by_fact("lt_or_eq", 0, "p(i)", by=[using(sign)]), positive, zero, name="case")

    def at_zero(g: Goal) -> None:
        g.rewrite(g.have("p(i) = 0", lambda g: g.field(("case", -1))))
        g.pos() if g.concl[1] == 0 else g.pos(["1/q"])

    def below_one(g: Goal) -> None:
        one = g.apply(g.by_fact("sum_term_le", 1, "q", "lam i:Z. p(i)", by=[using(nonneg)]), "i")
        k = g.by_fact("log_concave", "p(i)", by=[using("case")])
        g.pos(["@case", f"@{k}"], ["@case", f"@{one}"], eqs=[(total, "-p(i)")])

    def above(g: Goal) -> None:
        k = g.by_fact("log_concave", "1/(q*p(i))")
        g.pos([f"@{k}", "@case"])

    terms = g.have("all i:Z. 1 <= i and i <= q => 0 <= -(p(i)*log(p(i)))", lambda g: by_share(g, at_zero, below_one))
    low = g.by_fact("sum_nonneg", 1, "q", "lam i:Z. -(p(i)*log(p(i)))", by=[using(terms)])
    bound = "p(i)*log(q) + 1/q - p(i)"
    most = g.have(f"all i:Z. 1 <= i and i <= q => -(p(i)*log(p(i))) <= {bound}", lambda g: by_share(g, at_zero, above))
    high = g.by_fact("sum_mono", 1, "q", "lam i:Z. -(p(i)*log(p(i)))", f"lam i:Z. {bound}", by=[using(most)])
    constant = g.by_fact("sum_const", 1, "q", "1/q")
    entropy_ = "-sum(i, 1, q, p(i)*log(p(i)))"
    least = g.have(f"0 <= {entropy_}", lambda g: g.pos([f"@{low}"]))
    top = g.have(f"{entropy_} <= log(q)", lambda g: g.pos([f"@{high}"], eqs=[(total, "1 - log(q)"), (constant, -1)]))
    first, second = (
        g.by_fact("exp_mono", 0, entropy_, by=[using(least)]),
        g.by_fact("exp_mono", entropy_, "log(q)", by=[using(top)]),
    )
    zero, inverse = g.fact("exp_zero"), g.by_fact("exp_log", "q")
    g.conj(lambda g: g.pos([f"@{first}"], eqs=[(zero, 1)]), lambda g: g.pos([f"@{second}"], eqs=[(inverse, 1)]))
    del size


@holds(
    "razin2020.def-1",
    f"""all m n q:Z, W:M(m,n). 1 <= m => 1 <= n => q = min(m,n) => W != O(m,n) =>
       0 < {TOTAL} and (all i:Z. 1 <= i and i <= q => 0 <= sv(W,i)/{TOTAL}) and sum(i, 1, q, sv(W,i)/{TOTAL}) = 1 and
       (all i:Z. 1 <= i and i <= q and sv(W,i) = 0 => {SHARE}*log({SHARE}) = 0) and 1 <= {ERANK} and {ERANK} <= q""",
    uses=["razin2020.def-1"],
    reading="a definition is not true or false: for W != 0 the normalised singular values form a probability vector, a singular "
    "value 0 contributes nothing to the entropy (0 log 0 = 0), and the effective rank lies between 1 and min(d, d')",
)
def normalised_singular_values_form_a_distribution(g: Goal) -> None:
    """The singular values sum to a positive number, since their squares sum to the squared Frobenius norm."""
    *_, nonzero = g.intro()
    g.have("1 <= q", least_is_positive)
    order = g.fact("sv_range", "m", "n", "W")
    g.split(g.apply(order, 1, 1))

    def nonneg(g: Goal) -> None:
        g.fix("i")
        g.assume()
        g.close_by(g.split(g.apply(order, "i", "i"))[0])

    def positive(g: Goal) -> None:
        wrong = g.contra()
        first = g.apply(g.by_fact("sum_term_le", 1, "q", "lam k:Z. sv(W,k)", by=[nonneg]), 1)

        def vanish(g: Goal) -> None:
            g.fix("i")
            _low, _ = g.split(g.assume())
            _a, below = g.split(g.apply(order, 1, "i"))
            below = g.apply(below)
            own = g.split(g.apply(order, "i", "i"))[0]
            zero = g.have(
                "sv(W,i) = 0",
                lambda g: g.antisym(lambda g: g.pos([f"@{below}"], [f"@{first}"], [f"@{wrong}"]), using(own)),
            )
            g.field((zero, "sv(W,i)"))

        squares = g.by_fact("sum_ext", 1, "n", "lam i:Z. sv(W,i)^2", "lam i:Z. 0", by=[vanish])
        none = g.by_fact("sum_const", 1, "n", "0")
        norm = g.by_fact("sv_frobenius", "m", "n", "W")
        total = g.have("tr(T(W) @ W) = 0", lambda g: g.field((norm, 1), (squares, 1), (none, 1)))
        z = g.by_fact("frobenius_zero", "m", "n", "W", by=[using(total)])
        g.clash(z, nonzero)

    h = g.have(f"0 < {TOTAL}", positive)

    def shares(g: Goal) -> None:
        g.fix("i")
        g.assume()
        k = g.split(g.apply(order, "i", "i"))[0]
        g.pos([f"@{k}"], mul=[TOTAL])

    def total_one(g: Goal) -> None:
        eq, _ = g.intro()
        g.field((eq, "-1/z"))

    share = g.have(f"all z:R. z = {TOTAL} => 0 < z => sum(i, 1, q, sv(W,i)/z) = 1", total_one)
    share = g.apply(share, TOTAL, by=[Goal.refl, using(h)])

    def nothing(g: Goal) -> None:
        g.fix("i")
        _, _, zero = g.split_all(g.assume())
        g.field((zero, f"log({SHARE})/{TOTAL}"))

    def effective(g: Goal) -> list[str]:
        between = g.lemma("razin2020.def-1", "part:entropy", "q", f"lam i:Z. sv(W,i)/{TOTAL}", by=[None, shares, using(share)])
        return g.split(between)

    g.conj(
        using(h),
        shares,
        using(share),
        nothing,
        lambda g: g.close_by(effective(g)[0]),
        lambda g: g.close_by(effective(g)[1]),
    )


def least_is_positive(g: Goal) -> None:
    """1 <= q for q = min(m, n)."""

    def case(g: Goal) -> None:
        g.split(next(reversed(g.seq.hyps)))
        g.nlin(products=1)

    g.cases(g.fact("min_cases", "m", "n"), case, case)


CLOSE = "(all e:R. 0 < e => ex X Y:M(m,n). S(X) != 0 and rank(Y) <= {0} and sqrt(tr(T(X - Y) @ (X - Y))) < e)"
MINIMAL = f"{CLOSE.format('r')} and (all k:Z. 0 <= k and k < r => not {CLOSE.format('k')})"

MINIMAL_P = f"{CLOSE.format('p')} and (all k:Z. 0 <= k and k < p => not {CLOSE.format('k')})"


@holds(
    "razin2020.def-2",
    f"""all m n:Z, S:M(m,n)->R. 0 <= m => 0 <= n => (ex X:M(m,n). S(X) != 0) =>
       (ex r:Z. 0 <= r and r <= m and r <= n and {MINIMAL}) and
       (all r p:Z. 0 <= r => 0 <= p => {MINIMAL} => {MINIMAL_P} => r = p)""",
    reading="the members of the set are the X with S(X) != 0; the definition is meaningful: a nonempty set has exactly "
    "one infimal rank, "
    "the least r at which its distance from the matrices of rank at most r is 0",
)
def infimal_rank_exists_and_is_unique(g: Goal) -> None:
    """A member X has distance 0 from the matrices of rank at most rank X; take the least such bound."""
    *_, member = g.intro()

    def exists(g: Goal) -> None:
        def descend(g: Goal) -> None:
            ih = g.induct("j")
            close = g.assume()
            smaller = f"ex k:Z. 0 <= k and k < j and {CLOSE.format('k')}"

            def yes(g: Goal) -> None:
                names = g.obtain(next(reversed(g.seq.hyps)), "k")
                k = g.apply(ih, "k", by=[None, lambda g: g.close_by(names[2])])
                found = g.obtain(k, "r")
                g.witness("r")
                g.conj(
                    None,
                    lambda g: g.pos([f"@{found[1]}"], [f"@{names[1]}"]),
                    *[using(h) for h in found[2:]],
                )

            def no(g: Goal) -> None:
                none = next(reversed(g.seq.hyps))
                g.witness("j")

                def least(g: Goal) -> None:
                    g.fix("k")
                    low, below = g.split(g.assume())
                    z = g.assume()
                    e = g.have(smaller, lambda g: put(g, low, below, z))
                    g.clash(e, none)

                g.conj(None, Goal.refl, using(close), least)

            def put(g: Goal, low: str, below: str, z: str) -> None:
                g.witness("k")
                g.conj(*[using(h) for h in (low, below, z)])

            g.em(smaller, yes, no)

        h = g.have(f"all j:Z. 0 <= j => {CLOSE.format('j')} => ex r:Z. 0 <= r and r <= j and {MINIMAL}", descend)
        (x,) = g.obtain(member, "Z")
        bounds = g.split(g.by_fact("rank_bounds", "m", "n", "Z"))

        def own(g: Goal) -> None:
            g.fix("e")
            e = g.assume()
            g.witness("Z", "Z")
            zero = g.by_fact("sqrt_unique", "tr(T(Z - Z) @ (Z - Z))", "0", by=[None, lambda g: g.field()])
            g.conj(using(x), Goal.refl, lambda g: g.pos([f"@{e}"], eqs=[(zero, -1)]))

        found = g.obtain(g.apply(h, "rank(Z)", by=[lambda g: g.close_by(bounds[0]), own]), "r")
        g.witness("r")
        g.conj(
            lambda g: g.close_by(found[0]),
            lambda g: g.pos([f"@{found[1]}"], [f"@{bounds[1]}"]),
            lambda g: g.pos([f"@{found[1]}"], [f"@{bounds[2]}"]),
            *[using(h) for h in found[2:]],
        )

    def unique(g: Goal) -> None:
        _, _, a, b, c, d = g.intro()

        def smaller(g: Goal, zero: str, least: str, value: str) -> None:
            order = next(reversed(g.seq.hyps))
            k = g.apply(least, value, by=[lambda g: g.conj(None, using(order))])
            g.clash(zero, k)

        g.cases(g.fact("trichotomy", "r", "p"), lambda g: smaller(g, a, d, "r"), None, lambda g: smaller(g, c, b, "p"))

    g.conj(exists, unique)
