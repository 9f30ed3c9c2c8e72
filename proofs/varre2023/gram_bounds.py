"""Lemma C.6: lower bounds by the invariant, and the cited trace inequality."""

from __future__ import annotations

from proofs.razin2020.scripts import using
from proofs.varre2023.alpha import setting_lemma
from proofs.varre2023.flows import PROJECTED
from proofs.varre2023.printed_beta import nested
from proofs.varre2023.residual_decay import LEMMA
from verify.kernel import Goal
from verify.registry import amendment, holds, refuted, undecided

undecided(
    "varre2023.step-c-6-gram-identity",
    outcome="ill-formed",
    tried="Z_1^T Z_1 has the size d x d and Z_2^T Z_2 the size k x k, so the equation has no meaning unless k = d",
    missing="the transposes in the other order: Z_1^T Z_1 = 2 gamma I + Z_2 Z_2^T, with which the Loewner bound follows",
)


@amendment(
    "varre2023.step-c-6-gram-identity",
    f"""{PROJECTED} all t:R. 0 <= t => T(Z1(t)) @ Z1(t) = (2*c)*I(p) + Z2(t) @ T(Z2(t)) and
       all v:V(p). 2*c*tr(T(v) @ v) <= tr(T(v) @ (T(Z1(t)) @ Z1(t)) @ v)""",
    says="Z_1^T Z_1 = 2 gamma I + Z_2 Z_2^T, hence Z_1^T Z_1 >= 2 gamma I",
    uses=["varre2023.lemma-3-2"],
)
def gram_matrix_by_the_invariant(g: Goal) -> None:
    """v^T Z2 Z2^T v is a square."""
    names = g.intro()
    inv = setting_lemma(g, "varre2023.lemma-3-2", "statement", names[:5])
    gram = g.have("T(Z1(t)) @ Z1(t) = (2*c)*I(p) + Z2(t) @ T(Z2(t))", lambda g: g.nc((inv, 1, None, None)))

    def bound(g: Goal) -> None:
        g.fix("v")
        g.rewrite(gram)
        g.pos(["tr(T(T(Z2(t)) @ v) @ (T(Z2(t)) @ v))"])

    g.conj(using(gram), bound)


@holds(
    "varre2023.step-c-6-gram-lower-bound",
    f"""{PROJECTED.replace("0 < c =>", "1 <= p => 0 < c =>", 1)} all t:R. 0 <= t =>
       (all i:Z. 1 <= i => i <= p => eig(T(Z1(t)) @ Z1(t), i) = eig(Z1(t) @ T(Z1(t)), i)) and
       (all v:V(p). 2*c*tr(T(v) @ v) <= tr(T(v) @ (Z1(t) @ T(Z1(t))) @ v)) and 2*c <= eig(Z1(t) @ T(Z1(t)), p)""",
    argument="sound",
    uses=["varre2023.lemma-3-2", "varre2023.lemma-c-2-alpha", LEMMA],
)
def gram_matrix_of_the_rows_is_bounded_below(g: Goal) -> None:
    """Z1 and Z1^T have the same singular values; |Z1^T v|^2 >= 2 gamma |v|^2."""
    names = g.intro()
    many, setting = names[0], names[1:6]
    inv = setting_lemma(g, "varre2023.lemma-3-2", "statement", setting)
    regular, _ = g.split(setting_lemma(g, "varre2023.lemma-c-2-alpha", "part:invertible", setting))

    def same(g: Goal) -> None:
        g.fix("i")
        g.assume()
        g.assume()
        a = g.by_fact("sv_gram", "p", "p", "i", "Z1(t)")
        b = g.by_fact("sv_gram", "p", "p", "i", "T(Z1(t))")
        turned = g.fact("sv_transpose", "p", "p", "i", "Z1(t)")
        plain = g.have("T(T(Z1(t))) @ T(Z1(t)) = Z1(t) @ T(Z1(t))", lambda g: g.nc())
        b = g.rewritten(g.rewritten(b, plain), turned)
        g.field((a, -1), (b, 1))

    def loewner(g: Goal) -> None:
        g.fix("v")
        h = g.lemma(
            LEMMA, "part:stretch", *("p", "k", 1, "c", "Z1(t)", "Z2(t)", "v"), by=[using(setting[0]), using(inv), using(regular)]
        )
        g.pos([f"@{h}"])

    form = g.have("all v:V(p). 2*c*tr(T(v) @ v) <= tr(T(v) @ (Z1(t) @ T(Z1(t))) @ v)", loewner)
    least = g.by_fact(
        "eig_lower_bound", "p", "2*c", "Z1(t) @ T(Z1(t))", by=[using(many), lambda g: g.nc(), lambda g: exact_form(g, form)]
    )
    g.conj(same, using(form), using(least))


def exact_form(g: Goal, form: str) -> None:
    """The bound of the quadratic form."""
    g.fix("w")
    h = g.apply(form, "w")
    g.pos([f"@{h}"])


def psd(x: str) -> str:
    """Symmetric and positive semidefinite."""
    return f"T({x}) = {x} => (all v:V(n). 0 <= tr(T(v) @ {x} @ v)) =>"


@refuted(
    "varre2023.cited-lasserre-trace",
    f"all n:Z, A B C:M(n,n). 1 <= n => {psd('A')} {psd('B')} {psd('C')} eig(A,n)*eig(B,n)*tr(C) <= tr(A @ B @ C)",
    reason="for A = a a^T, B = b b^T, C = c c^T with a = (1, 0), b = (1, 1), c = (-1, 2) the right side is <a,b><b,c><c,a> = -1, and the left side is not negative",
)
def trace_of_three_matrices_can_be_negative(g: Goal) -> None:
    """Three matrices of rank one in the plane."""
    vectors = {"A": "[[1],[0]]", "B": "[[1],[1]]", "C": "[[-1],[2]]"}
    mats = {"A": "[[1,0],[0,0]]", "B": "[[1,1],[1,1]]", "C": "[[1,-2],[-2,4]]"}
    g.witness(2, *mats.values())
    forms = {}
    for name, m in mats.items():
        v = vectors[name]
        made = g.have(f"{m} = {v} @ T({v})", lambda g: g.ext(lambda g: g.field()))
        forms[name] = g.have(f"all v:V(2). 0 <= tr(T(v) @ {m} @ v)", lambda g, v=v, made=made: square_form(g, v, made))

    def wrong(g: Goal) -> None:
        same = g.contra()
        signs = []
        for name in ("A", "B"):
            signs.append(
                g.by_fact(
                    "eig_lower_bound",
                    2,
                    0,
                    mats[name],
                    by=[None, lambda g: g.ext(lambda g: g.field()), lambda g, n=name: zero_form(g, forms[n])],
                )
            )
        value = g.have(f"tr({mats['A']} @ {mats['B']} @ {mats['C']}) = -1", lambda g: g.field())
        trace = g.have(f"tr({mats['C']}) = 5", lambda g: g.field())
        e1, e2 = f"eig({mats['A']},2)", f"eig({mats['B']},2)"
        low = g.have(f"0 <= {e1}*{e2}", lambda g: g.pos([f"@{signs[0]}", f"@{signs[1]}"]))
        g.pos([f"@{same}"], [5, f"@{low}"], [1], eqs=[(value, 1), (trace, f"-{e1}*{e2}")])

    scripts: list = [None]
    for name in mats:
        scripts += [lambda g: g.ext(lambda g: g.field()), using(forms[name])]
    nested(g, *scripts, wrong)


def square_form(g: Goal, v: str, made: str) -> None:
    """v^T a a^T v is a square."""
    g.fix("v")
    g.rewrite(made)
    g.pos([f"tr(T(T({v}) @ v) @ (T({v}) @ v))"])


def zero_form(g: Goal, form: str) -> None:
    """0 |v|^2 <= v^T X v."""
    g.fix("w")
    h = g.apply(form, "w")
    g.pos([f"@{h}"])


@amendment(
    "varre2023.cited-lasserre-trace",
    f"all n:Z, A C:M(n,n). 1 <= n => {psd('A')} {psd('C')} eig(A,n)*tr(C) <= tr(A @ C)",
    says="for two positive semidefinite matrices tr(A C) >= lambda_min(A) tr(C)",
)
def trace_of_two_matrices(g: Goal) -> None:
    """tr((A - lambda) C) = |H Q|^2 for the roots H of A - lambda and Q of C."""
    many, sym_a, _, sym_c, form_c = g.intro()
    e = "eig(A,n)"
    m = f"(A - {e}*I(n))"

    def shifted(g: Goal) -> None:
        g.fix("w")
        low = g.split(g.by_fact("eig_rayleigh", "n", "A", "w", by=[using(sym_a), using(many)]))[0]
        g.pos([f"@{low}"])

    sym_h, _, square_h = g.obtain(
        g.by_fact("psd_root_exists", "n", 2, m, by=[None, lambda g: g.nc((sym_a, 1, None, None)), shifted]), "H"
    )
    sym_q, _, square_q = g.obtain(g.by_fact("psd_root_exists", "n", 2, "C", by=[None, using(sym_c), using(form_c)]), "Q")
    product = g.have(
        f"{m} @ C = T(H) @ H @ Q @ T(Q)",
        lambda g: g.nc(
            (square_h, -1, None, "C"),
            (square_q, -1, "H @ H", None),
            (sym_h, -1, None, "H @ Q @ Q"),
            (sym_q, -1, "T(H) @ H @ Q", None),
        ),
    )
    trace = g.have(f"tr({m} @ C) = tr(T(H) @ H @ Q @ T(Q))", lambda g: (g.rewrite(product), g.refl()))
    g.pos(["tr(T(H @ Q) @ (H @ Q))"], eqs=[(trace, 1)])
