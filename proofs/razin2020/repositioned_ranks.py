"""Last part of Theorem 2: effective rank and distance from the infimal rank, with the unobserved entry at another location."""

from __future__ import annotations

from proofs.razin2020.perturbed_ranks import LAST
from proofs.razin2020.perturbed_singular_values import LEAST, Z
from proofs.razin2020.problem import distance, erank, fro
from proofs.razin2020.repositioned import (
    MATRIX,
    PLACE,
    READING,
    T_W,
    THEOREM_2_AT,
    TURNED,
    by_place,
    loss_at,
    sign_at_all_times,
    turned_setting,
)
from proofs.razin2020.scripts import only, using
from verify.kernel import Goal
from verify.registry import holds, part

MEMBER = "V[i,3-j] = z and V[3-i,j] = y and V[3-i,3-j] = eps"
INFIMUM = (
    f"((all V:M(2,2). {MEMBER} => m <= {erank('V')}) and (all e_:R. 0 < e_ => ex V:M(2,2). {MEMBER} and {erank('V')} < m + e_))"
)


@part(
    "razin2020.theorem-2-reposition-eq-16",
    "infimum",
    f"all i j:Z, z y eps m:R. {PLACE} z != 0 => y != 0 => {INFIMUM} => 1 <= m",
    says="the infimum of the effective rank over the solutions is at least 1",
    uses=["razin2020.thm-2-step-reposition", "razin2020.thm-2-step-inf-erank"],
)
def infimum_at_any_location(g: Goal) -> None:
    """If m < 1 some solution has an effective rank below 1; turned, it is a solution at (1,1) with the same effective rank."""
    *names, inf = g.intro(split=False)
    places, (z, y) = names[:4], names[4:]
    near = g.split(inf)[1]
    wrong = g.contra()
    a, b, c, close = g.obtain(g.apply(near, "1 - m", by=[lambda g: g.pos([f"@{wrong}"])]), "V")
    t = TURNED.format("V")
    values = g.split(g.lemma("razin2020.thm-2-step-reposition", "part:turned", "V", "i", "j", by=[using(h) for h in places]))
    k = g.lemma("razin2020.thm-2-step-inf-erank", "statement", "z", "y", "eps", by=[using(z), using(y)])
    one = g.have("1 = 1", Goal.refl)
    low = g.split(g.apply(g.split(g.apply(k, 1))[1], by=[using(one)]))[0]
    own = g.apply(low, "V[i,j]")
    only(g, a, b, c, close, values[2], values[3], own)
    sol = "[[V[i,j], z], [y, eps]]"

    same = g.have(f"{sol} = {t}", lambda g: g.ext(lambda g: solution_entry(g, a, b, c)))
    x = g.have(f"sv({sol},1) = sv(V,1)", lambda g: (g.rewrite(same), g.close_by(values[2]))[-1])
    y_ = g.have(f"sv({sol},2) = sv(V,2)", lambda g: (g.rewrite(same), g.close_by(values[3]))[-1])
    only(g, close, own, x, y_)
    k = g.rewritten(g.rewritten(own, x), y_)
    only(g, close, k)
    g.pos([f"@{close}"], [f"@{k}"])


def solution_entry(g: Goal, a: str, b: str, c: str) -> None:
    """An entry of the turned solution."""
    i, j = g.concl[1][2:]
    g.field(*{(1, 1): [], (1, 2): [(a, -1)], (2, 1): [(b, -1)], (2, 2): [(c, -1)]}[(i, j)])


@part(
    "razin2020.theorem-2-reposition-eq-16",
    "static",
    f"{MATRIX} {erank('W')} <= 1 + {LAST}",
    says="the bound for a matrix whose determinant has the right sign",
    uses=["razin2020.thm-2-step-reposition", "razin2020.theorem-2-eq-16"],
)
def rank_bound_of_a_matrix_at_any_location(g: Goal) -> None:
    """Turned, the matrix satisfies (16), with the same singular values."""
    names = g.intro(split=False)
    value, det, one, two = turned_setting(g, names)
    z, y = names[4:6]
    k = g.lemma("razin2020.theorem-2-eq-16", "part:static", T_W, "z", "y", "eps", "l", by=[using(h) for h in (z, y, value, det)])
    only(g, k, one, two)
    g.close_by(g.rewritten(g.rewritten(k, one), two))


@holds(
    "razin2020.theorem-2-reposition-eq-16",
    f"""{THEOREM_2_AT} all m t l:R. {INFIMUM} => 0 <= t => l = {loss_at("X(t)")} => {erank("X(t)")} <= m + {LAST}""",
    uses=[
        "razin2020.lemma-6",
        "razin2020.theorem-2-eq-16",
        "razin2020.thm-2-step-reposition",
        "razin2020.theorem-2-reposition-eq-16",
    ],
    argument="sound",
    reading=READING,
)
def effective_rank_falls_at_any_location(g: Goal) -> None:
    """The determinant keeps its sign (Lemma 6); turned, the matrix satisfies the static bound, with the same singular values."""
    hyps = g.intro(split=False)
    *_, inf, _, loss = hyps
    start = next(h for h in hyps if g.hyp_formula(h)[0] == "or")
    k = hyps.index(start)
    places, z, y = hyps[k - 7 : k - 3], hyps[k - 2], hyps[k - 1]
    sign = sign_at_all_times(g, hyps, start)
    scripts = [using(h) for h in (*places, z, y)]
    low = g.lemma(
        "razin2020.theorem-2-reposition-eq-16", "part:infimum", "i", "j", "z", "y", "eps", "m", by=[*scripts, using(inf)]
    )
    scripts = [*scripts, using(loss), using(sign)]
    k2 = g.lemma("razin2020.theorem-2-reposition-eq-16", "part:static", "X(t)", "i", "j", "z", "y", "eps", "l", by=scripts)
    only(g, low, k2)
    g.pos([f"@{k2}"], [f"@{low}"])


def family_at(m: str, r: str) -> str:
    """m is the distance of the solutions for the location (i,j) from the matrices of rank at most r."""
    return (
        f"((all V M:M(2,2). {MEMBER} => rank(M) <= {r} => {m} <= {fro('V - M')}) and "
        f"(all e_:R. 0 < e_ => ex V M:M(2,2). {MEMBER} and rank(M) <= {r} and {fro('V - M')} < {m} + e_))"
    )


RANK_AT = f"(0 <= r and r <= 2 and {family_at('0', 'r')} and (all k:Z. 0 <= k and k < r => not {family_at('0', 'k')}))"


@part(
    "razin2020.theorem-2-reposition-eq-17",
    "at-least-one",
    f"all i j r:Z, z y eps:R. {PLACE} z != 0 => {RANK_AT} => 1 <= r",
    says="the infimal rank of the solutions is not 0",
)
def infimal_rank_is_not_zero(g: Goal) -> None:
    """A matrix of rank 0 is zero, and the entry z keeps a solution away from it."""
    *places, z, rank = g.intro(split=False)
    low, _, zero, _ = g.split(rank)
    near = g.split(zero)[1]
    wrong = g.contra()
    positive = g.have("0 < abs(z)")
    a, b, c, r, close = g.obtain(g.apply(near, "abs(z)", by=[using(positive)]), "V", "Y")
    below = g.have("rank(Y) <= 0", lambda g: rank_bound(g, wrong, r))
    best = g.split(g.by_fact("eckart_young", 2, 2, 0, "Y"))[1]
    own = g.apply(best, "Y", by=[using(below)])
    norm = g.by_fact("sv_frobenius", 2, 2, "Y")
    only(g, *places, z, a, close, own, norm, positive)
    none = g.have("tr(T(Y - Y) @ (Y - Y)) = 0", lambda g: g.field())
    total = g.have("tr(T(Y) @ Y) <= 0", lambda g: g.pos([f"@{own}"], eqs=[(norm, -1), (none, 1)]))
    both = g.have("tr(T(Y) @ Y) = 0", lambda g: g.antisym(using(total)))
    zero_ = g.by_fact("frobenius_zero", 2, 2, "Y", by=[using(both)])
    only(g, *places, a, close, zero_, positive)
    square, sign = g.by_fact("sqrt_sq", "tr(T(V - Y) @ (V - Y))"), g.by_fact("sqrt_nonneg", "tr(T(V - Y) @ (V - Y))")
    size = g.fact("abs_square", "z")
    value = g.have("tr(T(V - Y) @ (V - Y)) = tr(T(V) @ V)", lambda g: (g.rewrite(zero_), g.field())[-1])
    entries = g.fact("frobenius_entries", 2, 2, "V")

    def one_entry(g: Goal) -> None:
        only(g, *places, entries)

        def each(g: Goal) -> None:
            only(g, entries)
            others = [f"V[{p},{q}]^2" for p in (1, 2) for q in (1, 2)]
            f = g.concl[1][1]
            own_ = f"V[{f[2] if isinstance(f[2], int) else index(f[2])},{f[3] if isinstance(f[3], int) else index(f[3])}]^2"
            g.pos(*[[x] for x in others if x != own_], eqs=[(entries, 1)])

        by_place(g, *places, each)

    bound = g.have("V[i,3-j]^2 <= tr(T(V) @ V)", one_entry)
    only(g, a, close, square, sign, size, value, bound, positive)
    root = "sqrt(tr(T(V - Y) @ (V - Y)))"
    g.pos([f"@{close}", f"{root} + abs(z)"], [f"@{bound}"], eqs=[(square, 1), (value, 1), (size, -1), (a, "V[i,3-j] + z")])
    del low, b, c


def index(term: object) -> int:
    """The value of an index 3 - 1 or 3 - 2."""
    text = str(term)
    return 2 if text.rstrip(")").endswith("1") and "2" not in text else 1


def rank_bound(g: Goal, wrong: str, r: str) -> None:
    """rank(Y) <= 0 from rank(Y) <= r and r < 1."""
    only(g, wrong, r)
    k = g.by_fact("int_lt", "r", 1, by=[using(wrong)])
    g.pos([f"@{k}"], [f"@{r}"])


@holds(
    "razin2020.theorem-2-reposition-eq-17",
    f"""{THEOREM_2_AT} all r:Z, m t l:R. {RANK_AT} => 0 <= t => l = {loss_at("X(t)")} => {distance("m", "X(t)", "r")} =>
         m <= 4*abs(eps) + (4 + sqrt({Z})/{LEAST})*sqrt(2*l)""",
    uses=[
        "razin2020.lemma-6",
        "razin2020.thm-2-step-reposition",
        "razin2020.theorem-2-reposition-eq-17",
        "razin2020.prop-2-step-distance",
    ],
    argument="sound",
    reading=f"m is the distance of the product matrix from the infimal rank r of the solutions; {READING}",
)
def distance_falls_at_any_location(g: Goal) -> None:
    """r >= 1, so the distance is at most that from rank one, the second singular value."""
    hyps = g.intro(split=False)
    *_, rank, _, loss, dist = hyps
    start = next(h for h in hyps if g.hyp_formula(h)[0] == "or")
    k = hyps.index(start)
    places, z, y = hyps[k - 7 : k - 3], hyps[k - 2], hyps[k - 1]
    sign = sign_at_all_times(g, hyps, start)
    scripts = [using(h) for h in (*places, z)]
    low = g.lemma(
        "razin2020.theorem-2-reposition-eq-17", "part:at-least-one", "i", "j", "r", "z", "y", "eps", by=[*scripts, using(rank)]
    )
    scripts = [using(h) for h in (*places, z, y, loss, sign)]
    second = g.split(g.lemma("razin2020.thm-2-step-reposition", "statement", "X(t)", "i", "j", "z", "y", "eps", "l", by=scripts))[
        2
    ]
    lower = g.split(dist)[0]
    own = g.split(g.lemma("razin2020.prop-2-step-distance", "part:second-singular-value", "X(t)"))[1]

    def close(g: Goal) -> None:
        only(g, low, lower, own)
        wrong = g.contra()
        gap = g.have("0 < m - sv(X(t),2)", lambda g: g.pos([f"@{wrong}"]))
        r, near = g.obtain(g.apply(own, "m - sv(X(t),2)", by=[using(gap)]), "Y")
        bound = g.apply(lower, "Y", by=[lambda g: (only(g, r, low), g.pos([f"@{r}"], [f"@{low}"]))[-1]])
        only(g, near, bound)
        g.pos([f"@{near}"], [f"@{bound}"])

    m = g.have("m <= sv(X(t),2)", close)
    only(g, m, second)
    g.pos([f"@{m}"], [f"@{second}"])
