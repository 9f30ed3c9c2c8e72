"""The end of the proof of Lemma C.13: from the spectra of Z1 Z1^T and alpha to the mirror variable of a singular value of beta."""

from __future__ import annotations

from itertools import pairwise

from proofs.razin2020.scripts import using
from proofs.varre2023.flows import ALPHA, BETA, PROJECTED
from proofs.varre2023.riccati import USES
from proofs.varre2023.whitened_symmetry import beta_by_gram, gram_products
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import holds

COMMON = PROJECTED.replace(". 0 < c", ", U:M(p,p), V:M(k,k), E F:M(p,p), A B:M(p,k). 0 < c", 1)
BASES = """T(U) @ U = I(p) => T(V) @ V = I(k) => Z1(t) @ T(Z1(t)) = U @ E @ T(U) =>"""
READING = "E, A, B stand for the diagonal matrices of Z_1 Z_1^T, alpha and beta in common singular bases U, V at the time t"


@holds(
    "varre2023.step-c-13-gram-alpha",
    f"""{COMMON} all t:R. 0 <= t => {BASES} {ALPHA} @ T({ALPHA}) = U @ F @ T(U) => det(E) != 0 and (2*c)*inv(E) = I(p) - F""",
    argument="sound",
    reading=f"{READING}; F for that of alpha alpha^T",
    uses=USES,
)
def spectra_of_the_layer_and_alpha(g: Goal) -> None:
    """(I - alpha alpha^T) Z1 Z1^T = 2 gamma I in the common basis."""
    names = g.intro()
    one, _ = gram_products(g, names)
    orth, gram, square = names[6], names[8], names[9]
    product = g.have("(I(p) - F) @ E = (2*c)*I(p)", lambda g: in_basis(g, one, orth, gram, square))
    half = g.have("((1/(2*c))*(I(p) - F)) @ E = I(p)", lambda g: g.nc((product, "1/(2*c)", None, None)))
    _, other, _ = g.split(g.by_fact("inv_unique", "p", "(1/(2*c))*(I(p) - F)", "E", by=[using(half)]))
    inverse, _, regular = g.split(g.by_fact("inv_unique", "p", "E", "(1/(2*c))*(I(p) - F)", by=[using(other)]))
    g.conj(using(regular), lambda g: g.nc((inverse, "2*c", None, None)))


def in_basis(g: Goal, one: str, orth: str, gram: str, square: str) -> None:
    """U^T .. U of the identity."""
    g.nc(
        (one, 1, "T(U)", "U"),
        (gram, -1, "T(U)", "U"),
        (square, 1, "T(U)", "Z1(t) @ T(Z1(t)) @ U"),
        (gram, 1, "T(U) @ U @ F @ T(U)", "U"),
        (orth, -1, None, "E @ T(U) @ U"),
        (orth, -1, "E", None),
        (orth, 1, None, "F @ T(U) @ U @ E @ T(U) @ U"),
        (orth, 1, "F", "E @ T(U) @ U"),
        (orth, 1, "F @ E", None),
        (orth, "2*c", None, None),
    )


@holds(
    "varre2023.step-c-13-alpha-beta",
    f"""{COMMON} all t:R. 0 <= t => {BASES} {ALPHA} = U @ A @ T(V) => {BETA} = U @ B @ T(V) => det(E) != 0 =>
       det(Z1(t) @ T(Z1(t))) != 0 => {ALPHA} = inv(Z1(t) @ T(Z1(t))) @ {BETA} and A = inv(E) @ B""",
    argument="sound",
    reading=READING,
    uses=USES,
)
def alpha_from_beta(g: Goal) -> None:
    """beta = Z1 Z1^T alpha."""
    names = g.intro()
    orth_u, orth_v, gram, alpha, beta, regular, whole = names[6:13]
    gram_products(g, names)
    value = beta_by_gram(g)
    solve = g.have("all M:M(p,p), x y:M(p,k). det(M) != 0 => y = M @ x => x = inv(M) @ y", solve_system)
    left_e = g.by_fact("inv_left", "p", "E", by=[using(regular)])
    product = g.have(
        "B = E @ A",
        lambda g: g.nc(
            (beta, -1, "T(U)", "V"),
            (value, 1, "T(U)", "V"),
            (gram, 1, "T(U)", f"{ALPHA} @ V"),
            (alpha, 1, "T(U) @ U @ E @ T(U)", "V"),
            (orth_u, -1, None, "B @ T(V) @ V"),
            (orth_v, -1, "B", None),
            (orth_u, 1, None, "E @ T(U) @ U @ A @ T(V) @ V"),
            (orth_u, 1, "E", "A @ T(V) @ V"),
            (orth_v, 1, "E @ A", None),
        ),
    )
    g.conj(
        lambda g: g.close_by(
            g.apply(solve, "Z1(t) @ T(Z1(t))", ALPHA, BETA, by=[using(whole), lambda g: g.nc((value, 1, None, None))])
        ),
        lambda g: g.nc((product, -1, "inv(E)", None), (left_e, -1, None, "A")),
    )


def solve_system(g: Goal) -> None:
    """The inverse from the left."""
    regular, value = g.intro()
    left = g.by_fact("inv_left", "p", "M", by=[using(regular)])
    g.nc((value, -1, "inv(M)", None), (left, -1, None, "x"))


@holds(
    "varre2023.eq-c-37",
    """all p k:Z, E:R~>M(p,p), A B:R~>M(p,k). (all t:R. 0 <= t => det(E(t)) != 0 and A(t) = inv(E(t)) @ B(t)) =>
       all t:R. 0 <= t => A'(t) = D(s, inv(E(s)), t) @ B(t) + inv(E(t)) @ B'(t)""",
    argument="sound",
    reading="E, A, B stand for tilde D_{Z_1}^2, D_alpha, D_beta",
)
def product_rule_for_the_diagonals(g: Goal) -> None:
    """The product rule and the derivative of an inverse."""
    h, _ = g.intro()

    def smooth(g: Goal) -> None:
        g.fix("w")
        g.assume()
        g.split(g.apply(h, "w"))
        g.auto()

    def same(g: Goal) -> None:
        g.fix("w")
        g.assume()
        g.close_by(g.split(g.apply(h, "w"))[1])

    agree = g.by_fact("derivative_agrees_matrix", "p", "k", 0, "lam t:R. A(t)", "lam t:R. inv(E(t)) @ B(t)", by=[smooth, same])
    now = g.apply(agree, "t")
    g.split(g.apply(h, "t"))
    g.nc((now, 1, None, None))


ENTRY = "all c b z r db da dz:R. 0 < c => z = c + sqrt(c^2 + b^2) =>"
ENTRIES = "entry by entry: b, z, da, db are the entries of D_beta, tilde D_{Z_1}^2, D_alpha', D_beta', and r that of R'"


def entry_facts(g: Goal) -> tuple[str, str]:
    """z > 0, and q = sqrt(c^2 + b^2) with z = c + q and b^2 = z^2 - 2 c z."""
    names = g.intro()
    g.have("0 < c^2 + b^2")
    q = g.obtain(g.have("ex q:R. q = sqrt(c^2 + b^2)", lambda g: (g.witness("sqrt(c^2 + b^2)"), g.refl())), "q")[0]
    g.have("0 < q", lambda g: (g.rewrite(q), g.auto()))
    square = g.have("b^2 = q^2 - c^2", lambda g: (g.rewrite(q), g.field()))
    value = g.have("z = c + q", lambda g: (g.rewrite(q), g.close_by(names[1])))
    g.have("0 < z", lambda g: (g.rewrite(value), g.auto()))
    return value, square


@holds(
    "varre2023.eq-c-38-39",
    f"""{ENTRY} dz = -2/z^2*b*r => da = dz*b + 1/z*db => da = -2/z^2*b*r*b + 1/z*db and
       -2/z^2*b*r*b + 1/z*db = -2/z^2*b^2*r + 1/z*db""",
    argument="sound",
    reading=f"{ENTRIES}; dz is the entry of the derivative of the inverse (step-c-13-inverse-gram), da that of (C.37)",
)
def derivative_of_alpha_by_beta(g: Goal) -> None:
    """Diagonal matrices commute."""
    entry_facts(g)
    hyps = list(g.seq.hyps)
    g.conj(lambda g: g.field((hyps[3], 1), (hyps[2], "b")), lambda g: g.field())


@holds(
    "varre2023.eq-c-40",
    f"""{ENTRY} da = -2/z^2*b^2*r + 1/z*db => da = (1 - (b/z)^2)*r => 1 - (b/z)^2 = 2*c/z and -2/z^2*b^2*r + 1/z*db = 2*c/z*r""",
    argument="sound",
    reading=f"{ENTRIES}; the hypotheses are (C.39) and (C.36) with D_alpha = (tilde D_{{Z_1}}^2)^{{-1}} D_beta",
)
def combined_diagonal_equation(g: Goal) -> None:
    """z^2 - b^2 = 2 gamma z."""
    value, square = entry_facts(g)
    hyps = list(g.seq.hyps)
    gap = g.have("1 - (b/z)^2 = 2*c/z", lambda g: spectral(g, square, value))
    g.conj(using(gap), lambda g: g.field((hyps[2], -1), (hyps[3], 1), (gap, "r")))


def spectral(g: Goal, square: str, value: str) -> None:
    """1 - b^2/z^2 = 2 c/z with z = c + q."""
    q = g.have("q = z - c", lambda g: g.field((value, -1)))
    turned = g.have("b^2 = z^2 - 2*c*z", lambda g: (g.rewrite(square), g.rewrite(q), g.field()))
    g.field((turned, "-1/z^2"))


FORMS = [
    "-2/z^2*b^2*r + 1/z*db = 2*c/z*r",
    "1/2*(1/(c + b^2/z))*db = r",
    "1/2*z*(1/(c*z + b^2))*db = r",
    "1/2*(c + sqrt(c^2 + b^2))*(1/(c^2 + b^2 + c*sqrt(c^2 + b^2)))*db = r",
    "1/2*(1/sqrt(c^2 + b^2))*db = r",
]


@holds(
    "varre2023.step-c-13-chain",
    f"""({ENTRY} {" and ".join(f"({x} <=> {y})" for x, y in pairwise(FORMS))}) and
       (all c t r:R, f:R~>R. 0 < c => 1/2*(1/sqrt(c^2 + f(t)^2))*f'(t) = r => D(s, 1/2*asinh(f(s)/c), t) = r)""",
    argument="sound",
    reading=f"{ENTRIES}; in the last line f is the singular value as a function of time",
)
def chain_to_the_mirror_variable(g: Goal) -> None:
    """With z = gamma + q all brackets are multiples of q = sqrt(gamma^2 + b^2); the derivative of the inverse hyperbolic sine."""

    def equivalences(g: Goal) -> None:
        value, square = entry_facts(g)
        named = next(h for h, f in g.seq.hyps.items() if f[0] == "=" and f[1] == "q")
        q = g.have("q = z - c", lambda g: g.field((value, -1)))
        turned = g.have("b^2 = z^2 - 2*c*z", lambda g: (g.rewrite(square), g.rewrite(q), g.field()))
        last = g.have(f"{FORMS[4]} <=> db = 2*r*q", lambda g: solved(g, named))
        each = [
            g.have(f"{FORMS[0]} <=> db = 2*r*q", lambda g: linear(g, turned, q, "z", "1/z")),
            g.have(f"{FORMS[1]} <=> db = 2*r*q", lambda g: bracket(g, "c + b^2/z", "q", turned, q)),
            g.have(f"{FORMS[2]} <=> db = 2*r*q", lambda g: bracket(g, "c*z + b^2", "z*q", turned, q)),
            g.have(f"{FORMS[3]} <=> db = 2*r*q", lambda g: third(g, named, square)),
            last,
        ]

        def link(x: str, y: str) -> Script:
            def script(g: Goal) -> None:
                fx, bx = g.split(x)
                fy, by = g.split(y)
                g.iff(
                    lambda g: chained(g, fx, by),
                    lambda g: chained(g, fy, bx),
                )

            return script

        g.conj(*[link(x, y) for x, y in pairwise(each)])

    def derivative(g: Goal) -> None:
        _, motion = g.intro()
        g.have("0 < c^2 + f(t)^2")
        g.have("0 < (f(t)/c)^2 + 1")
        root = g.by_fact("sqrt_unique", "(f(t)/c)^2 + 1", "sqrt(c^2 + f(t)^2)/c", by=[None, lambda g: g.field()])
        h = g.differentiate("s", "1/2*asinh(f(s)/c)", "t")
        g.rewrite(h)
        g.rewrite(root)
        g.field((motion, 1))

    g.conj(equivalences, derivative)


def chained(g: Goal, first: str, second: str) -> None:
    """Two implications, one after the other."""
    h = g.assume()
    middle = g.apply(first, by=[using(h)])
    g.close_by(g.apply(second, by=[using(middle)]))


def linear(g: Goal, turned: str, q: str, up: str, down: str) -> None:
    """(C.40) is linear in the velocity."""

    def forth(g: Goal) -> None:
        h = g.assume()
        g.rewrite(q)
        g.field((h, up), (turned, "2*r/z"))

    def back(g: Goal) -> None:
        h = g.assume()
        k = g.have("db = 2*r*(z - c)", lambda g: (g.rewrite(h), g.rewrite(q), g.refl()))
        g.field((k, down), (turned, "-2*r/z^2"))

    g.iff(forth, back)


def bracket(g: Goal, inner: str, value: str, turned: str, q: str) -> None:
    """The bracket is a multiple of q."""
    size = "1/z" if "/" in inner else "1"
    same = g.have(f"{inner} = {value}", lambda g: (g.rewrite(q), g.field((turned, size))))
    g.rewrite(same)
    half_of(g)


def half_of(g: Goal) -> None:
    """db/(2 q) = r means db = 2 r q."""

    def forth(g: Goal) -> None:
        h = g.assume()
        g.field((h, "2*q"))

    def back(g: Goal) -> None:
        h = g.assume()
        g.field((h, "1/(2*q)"))

    g.iff(forth, back)


def third(g: Goal, named: str, square: str) -> None:
    """gamma^2 + b^2 + gamma q = q (gamma + q)."""
    g.rewrite(named, back=True)
    same = g.have("c^2 + b^2 + c*q = q*(c + q)", lambda g: g.field((square, 1)))
    g.rewrite(same)
    half_of(g)


def solved(g: Goal, named: str) -> None:
    """The last form."""
    g.rewrite(named, back=True)
    half_of(g)
