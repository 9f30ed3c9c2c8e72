"""Last part of Theorem 2: the setting with the unobserved entry at another location, and its reduction to the entry (1,1)."""

from __future__ import annotations

from proofs.razin2020.factorisation import BALANCED, FLOW, PADDING, factors
from proofs.razin2020.perturbed_problem import E
from proofs.razin2020.perturbed_singular_values import LEAST, Z
from proofs.razin2020.scripts import only, using
from proofs.razin2020.theorem_1 import determinant_signs
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import holds, part

PLACE = "1 <= i => i <= 2 => 1 <= j => j <= 2 =>"
TURNED = "[[{0}[i,j], {0}[i,3-j]], [{0}[3-i,j], {0}[3-i,3-j]]]"
"""The matrix with rows and columns exchanged so that the entry (i,j) stands at (1,1)."""


def loss_at(w: str) -> str:
    """The loss for the observations z and y beside, and eps opposite to, the unobserved location (i,j)."""
    return f"(({w}[i,3-j] - z)^2 + ({w}[3-i,j] - y)^2 + ({w}[3-i,3-j] - eps)^2)/2"


def sign_at(w: str) -> str:
    """The determinant has the sign of z z' if i = j, the opposite one otherwise."""
    return f"(i = j and 0 < z*y*det({w}) or i != j and z*y*det({w}) < 0)"


THEOREM_2_AT = f"""all {factors("2", "2")}, i j:Z, z y eps:R. 2 <= n => {FLOW} {BALANCED} {PLACE}
       (all t:R. 0 <= t => G(t)[i,j] = 0 and G(t)[i,3-j] = X(t)[i,3-j] - z and G(t)[3-i,j] = X(t)[3-i,j] - y and
          G(t)[3-i,3-j] = X(t)[3-i,3-j] - eps) => z != 0 => y != 0 => {sign_at("X(0)")} =>"""
READING = (
    "(i,j) is the unobserved location, z (at (i,3-j)) and y (at (3-i,j); z' in print) are the adjacent observations, eps the opposite one; "
    f"{PADDING}"
)
MATRIX = f"all W:M(2,2), i j:Z, z y eps l:R. {PLACE} z != 0 => y != 0 => l = {loss_at('W')} => {sign_at('W')} =>"


def by_place(g: Goal, low_i: str, high_i: str, low_j: str, high_j: str, script: Script) -> None:
    """The four locations; the script runs with i and j replaced in the conclusion."""

    def which(v: str, low: str, high: str) -> str:
        def prove(g: Goal) -> None:
            only(g, low, high)

            def strict(g: Goal) -> None:
                h = next(reversed(g.seq.hyps))
                k = g.by_fact("int_lt", 1, v, by=[using(h)])
                g.left_or_right(1)
                g.antisym(using(high), lambda g: g.pos([f"@{k}"]))

            def equal(g: Goal) -> None:
                h = next(reversed(g.seq.hyps))
                g.left_or_right(0)
                g.field((h, -1))

            g.cases(g.by_fact("lt_or_eq", 1, v, by=[using(low)]), strict, equal)

        return g.have(f"{v} = 1 or {v} = 2", prove)

    a, b = which("i", low_i, high_i), which("j", low_j, high_j)

    def row(g: Goal) -> None:
        g.rewrite(next(reversed(g.seq.hyps)))
        g.cases(b, column, column)

    def column(g: Goal) -> None:
        g.rewrite(next(reversed(g.seq.hyps)))
        script(g)

    g.cases(a, row, row)


T_W = TURNED.format("W")


@part(
    "razin2020.thm-2-step-reposition",
    "turned",
    f"""all W:M(2,2), i j:Z. {PLACE} (i = j => det({T_W}) = det(W)) and (i != j => det({T_W}) = -det(W)) and
       sv({T_W},1) = sv(W,1) and sv({T_W},2) = sv(W,2)""",
    says="exchanging rows and columns keeps the singular values, and the determinant up to the sign",
    uses=["razin2020.thm-3-step-sigma2-formula"],
)
def exchanging_rows_and_columns(g: Goal) -> None:
    """The singular values of a 2 x 2 matrix are determined by its norm and the square of its determinant."""
    names = g.intro()
    by_place(g, *names, lambda g: turned_matrix(g))


def turned_matrix(g: Goal) -> None:
    """One location."""
    only(g)
    m = g.concl[3][1][2]  # the turned matrix of this location
    entries = g.fact("frobenius_entries", 2, 2, "W")
    norm = g.have(("=", ("tr", ("mm", ("T", m), m)), g.term("tr(T(W) @ W)")), lambda g: g.field((entries, -1)))
    det = g.have(("=", ("^", ("det", m), 2), g.term("det(W)^2")), lambda g: g.field())

    def squared(g: Goal) -> str:
        a = g.split(g.lemma("razin2020.thm-3-step-sigma2-formula", "statement", m))
        b = g.split(g.lemma("razin2020.thm-3-step-sigma2-formula", "statement", "W"))
        both = ("+", ("tr", ("mm", ("T", m), m)), g.term("tr(T(W) @ W)"))
        sides = g.hyp_formula(a[2])[1], g.hyp_formula(b[2])[1]
        roots = g.have(("=", *sides), lambda g: g.ctx(lambda g: g.field((norm, both), (det, -4))))
        return g.have(
            ("=", ("^", ("op", "sv", m, 2), 2), g.term("sv(W,2)^2")),
            lambda g: g.field((a[1], 1), (b[1], -1), (norm, "1/2"), (roots, "-1/2")),
        )

    two_ = squared(g)
    sm, sw = g.split(g.fact("sv_2x2", m))[1], g.split(g.fact("sv_2x2", "W"))[1]
    one_ = g.have(
        ("=", ("^", ("op", "sv", m, 1), 2), g.term("sv(W,1)^2")), lambda g: g.field((sm, 1), (sw, -1), (norm, 1), (two_, -1))
    )

    def root(g: Goal, k: int, square: str) -> None:
        a = g.split(g.apply(g.fact("sv_range", 2, 2, m), k, k))[0]
        b = g.split(g.apply(g.fact("sv_range", 2, 2, "W"), k, k))[0]
        x, y = ("op", "sv", m, k), g.term(f"sv(W,{k})")
        p = g.by_fact("sqrt_unique", ("^", y, 2), x, by=[using(a), using(square)])
        q = g.by_fact("sqrt_unique", ("^", y, 2), y, by=[using(b), Goal.refl])
        only(g, p, q)
        g.field((p, -1), (q, 1))

    def by_sign(g: Goal) -> None:
        h = g.assume()
        f = g.hyp_formula(h)
        if (f[0] == "=") == (f[1] == f[2]):
            g.field()
        else:
            g.contra()
            if f[0] == "=":
                g.pos([1], eqs=[(h, 1 if f[1] < f[2] else -1)])
            else:
                same = g.have(("=", f[1], f[2]), Goal.refl)
                g.clash(same, h)

    g.conj(by_sign, by_sign, lambda g: root(g, 1, one_), lambda g: root(g, 2, two_))


def turned_setting(g: Goal, names: list[str]) -> list[str]:
    """From the hypotheses of a matrix at a location: the loss of the turned matrix, its determinant's sign, its singular values."""
    places, (loss, sign) = names[:4], names[-2:]
    k = g.split(g.lemma("razin2020.thm-2-step-reposition", "part:turned", "W", "i", "j", by=[using(h) for h in places]))
    t = T_W
    value = g.have(f"l = (({t}[1,2] - z)^2 + ({t}[2,1] - y)^2 + ({t}[2,2] - eps)^2)/2", lambda g: g.field((loss, 1)))

    def signed(g: Goal) -> None:
        def on(g: Goal) -> None:
            same, d = g.split(next(reversed(g.seq.hyps)))
            e = g.apply(k[0], by=[using(same)])
            only(g, d, e)
            g.rewrite(e)
            g.pos([f"@{d}"])

        def off(g: Goal) -> None:
            other, d = g.split(next(reversed(g.seq.hyps)))
            e = g.apply(k[1], by=[using(other)])
            only(g, d, e)
            g.rewrite(e)
            g.pos([f"@{d}"])

        g.cases(sign, on, off)

    det = g.have(f"0 < z*y*det({t})", signed)
    return [value, det, k[2], k[3]]


@holds(
    "razin2020.thm-2-step-reposition",
    f"""{MATRIX} (l < min(z^2/2, y^2/2) => (abs(z) - sqrt(2*l))*(abs(y) - sqrt(2*l))/{E} < abs(W[i,j]) and
          abs(z)*abs(y)/{E} - (abs(z) + abs(y)) <= (abs(z) - sqrt(2*l))*(abs(y) - sqrt(2*l))/{E} and sv(W,2) <= 4*abs(eps) + 4*sqrt(2*l)) and
       abs(W[i,j])/sqrt(2) - sqrt(2*l) <= sv(W,1) and sv(W,2) <= 4*abs(eps) + (4 + sqrt({Z})/{LEAST})*sqrt(2*l)""",
    uses=[
        "razin2020.thm-2-step-reposition",
        "razin2020.lemma-25",
        "razin2020.lemma-26-eq-49",
        "razin2020.lemma-26-eq-50",
        "razin2020.lemma-26-sigma1",
    ],
    argument="sound",
    reading="the bounds of Lemmas 25 and 26 at any location (i,j), z at (i,3-j), y at (3-i,j), eps opposite; that the derivation of (15) "
    "relies on these alone is not so: it also uses the norm of e_1 e_1^T, see the theorem",
)
def lemmas_at_any_location(g: Goal) -> None:
    """Exchange rows and columns."""
    names = g.intro(split=False)
    z, y = names[4:6]
    value, det, one, two = turned_setting(g, names)
    t = T_W
    scripts = [using(z), using(y), using(value), using(det)]
    same = g.have(f"abs({t}[1,1]) = abs(W[i,j])", lambda g: g.ctx(lambda g: g.field()))

    def small(g: Goal) -> None:
        h = g.assume()
        a, b = g.split(g.lemma("razin2020.lemma-25", "statement", t, "z", "y", "eps", "l", by=[*scripts, using(h)]))
        c = g.lemma("razin2020.lemma-26-eq-50", "statement", t, "z", "y", "eps", "l", by=[*scripts, using(h)])
        only(g, a, b, c, same, two)
        g.conj(
            lambda g: (g.rewrite(same, back=True), g.close_by(a))[-1],
            using(b),
            lambda g: (g.rewrite(two, back=True), g.close_by(c))[-1],
        )

    def first(g: Goal) -> None:
        k = g.lemma("razin2020.lemma-26-sigma1", "statement", t, "z", "y", "eps", "l", by=scripts[:3])
        only(g, k, one, same)
        g.rewrite(one, back=True)
        g.rewrite(same, back=True)
        g.close_by(k)

    def second(g: Goal) -> None:
        k = g.lemma("razin2020.lemma-26-eq-49", "statement", t, "z", "y", "eps", "l", by=scripts)
        only(g, k, two)
        g.rewrite(two, back=True)
        g.close_by(k)

    g.conj(small, first, second)


def sign_at_all_times(g: Goal, hyps: list[str], start: str) -> str:
    """The sign condition at time t, from the start."""
    _, up, down = determinant_signs(g, hyps)

    def kept(g: Goal, i: int, relation: str) -> None:
        place, s = g.split(next(reversed(g.seq.hyps)))

        def positive(g: Goal) -> None:
            h = next(reversed(g.seq.hyps))
            d = g.apply(g.apply(up, by=[using(h)]), "t")
            only(g, s, h, d, place)
            sign = "" if relation == "<" else "-"
            k = g.have(f"0 < {sign}(z*y)", lambda g: g.pos([f"@{s}"], mul=["det(X(0))"]))
            g.left_or_right(i)
            g.conj(using(place), lambda g: g.pos([f"@{k}", f"@{d}"]))

        def negative(g: Goal) -> None:
            h = next(reversed(g.seq.hyps))
            d = g.apply(g.apply(down, by=[using(h)]), "t")
            only(g, s, h, d, place)
            g.have("0 < -det(X(0))", lambda g: g.pos([f"@{h}"]))
            sign = "-" if relation == "<" else ""
            k = g.have(f"0 < {sign}(z*y)", lambda g: g.pos([f"@{s}"], mul=["-det(X(0))"]))
            g.left_or_right(i)
            g.conj(using(place), lambda g: g.pos([f"@{k}", f"@{d}"]))

        def zero(g: Goal) -> None:
            h = next(reversed(g.seq.hyps))
            only(g, s, h)
            g.contra()
            g.pos([f"@{s}"], eqs=[(h, "z*y" if relation == "<" else "-z*y")])

        g.cases(g.fact("trichotomy", 0, "det(X(0))"), positive, zero, negative)

    return g.have(sign_at("X(t)"), lambda g: g.cases(start, lambda g: kept(g, 0, "<"), lambda g: kept(g, 1, ">")))
