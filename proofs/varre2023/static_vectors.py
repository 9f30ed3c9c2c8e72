"""Theorem C.11 for whitened data: singular bases of beta* diagonalise alpha, R and beta at all times."""

from __future__ import annotations

from collections.abc import Callable

from proofs.razin2020.scripts import using
from proofs.varre2023.flows import ALPHA, BETA, RES, SETTING
from proofs.varre2023.riccati import TARGET, WHITE, solution
from proofs.varre2023.whitened_singular_values import column, equation, gain, product_t
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import holds, part

CLAIM = "varre2023.thm-c-11-whitened"
FORMULA = "varre2023.thm-c-12-formula"


def diagonal(m: str) -> str:
    """U^T M V is a rectangular diagonal matrix."""
    return f"(all i j:Z. 1 <= i and i <= p and 1 <= j and j <= k => i != j => (T(U) @ {m} @ V)[i,j] = 0)"


@part(
    CLAIM,
    "pairs",
    f"""{WHITE.replace(". 0 < c", ", u:V(p), v:V(k), r:R. 0 < c", 1)} 0 <= r => {TARGET} @ v = r*u => T({TARGET}) @ u = r*v =>
       all t:R. 0 <= t => ex a b:R. {ALPHA} @ v = a*u and {BETA} @ v = b*u and {RES} @ v = (r - b)*u""",
    says="alpha, beta and R map a right singular vector of beta* to multiples of the left one",
    uses=[FORMULA],
)
def multiples_of_the_left_vector(g: Goal) -> None:
    """The scalar Riccati equation along the pair, and R = beta* - beta."""
    names = g.intro()
    setting, nonneg, forth, back = names[:6], *names[6:9]
    known = [using(n) for n in setting]
    start, each = g.split(g.lemma(FORMULA, "part:solution", "c", "r", by=[None, using(nonneg)]))
    f = solution("t", "r")
    by = [*known, using(forth), using(back), lambda g: g.exact(start), lambda g: equation(g, each), lambda g: smooth(g, each)]
    pair = g.lemma(FORMULA, "part:pairs", *SETTING, "u", "v", "r", f"lam t:R. {f}", by=by)
    one, two = g.split(g.apply(pair, "t"))
    _, _, inside = g.split(g.apply(each, "t"))
    _, high = g.split(g.apply(inside))
    mapped = g.lemma(FORMULA, "part:beta", *SETTING, "u", "v", f, by=known)
    done = g.apply(mapped, "t", by=[None, lambda g: g.pos([f"@{high}", f"1 + {f}"]), using(one), using(two)])
    g.witness(f, gain(f))
    white = setting[5]
    g.conj(
        using(one),
        using(done),
        lambda g: g.nc((forth, 1, None, None), (done, -1, None, None), (white, -1, None, f"{BETA} @ v")),
    )


def smooth(g: Goal, each: str) -> None:
    """The denominators are positive at all times."""
    g.fix("w")
    g.split(g.apply(each, "w"))
    g.have("0 < r^2 + c^2")
    g.auto()


FRAMES = f"""{WHITE} ex U:M(p,p), V:M(k,k). T(U) @ U = I(p) and T(V) @ V = I(k) and {diagonal(TARGET)} and
       all t:R. 0 <= t => {diagonal(ALPHA)} and {diagonal(RES)} and {diagonal(BETA)}"""


@holds(
    CLAIM,
    FRAMES,
    argument="repaired",
    reason="along each singular pair of beta* the matrix equation is a scalar Riccati equation",
    reading="U and V are singular bases of beta* = X^T Y that do not depend on t: in them beta*, alpha, R and beta are rectangular diagonal matrices at all times. The order of the entries is that of"
    " beta*; those of R need not be ordered, since the large ones are learned first",
    uses=[CLAIM],
)
def bases_of_the_target_are_shared(g: Goal) -> None:
    """A singular value decomposition of beta*."""
    setting = g.intro()
    u_orth, v_orth, product, off, diag = g.obtain(g.fact("svd", "p", "k", TARGET), "U", "V", "D0")
    order = g.fact("sv_range", "p", "k", TARGET)
    g.witness("U", "V")
    turned = product_t(g, product)

    def always(g: Goal) -> None:
        g.fix("t")
        now = g.assume()

        def columns(g: Goal) -> None:
            g.fix("j")
            low, high = g.split(g.assume())
            e_k = g.obtain(g.by_fact("unit_vector", "k", "j", by=[using(low), using(high)]), "ek")[0]

            def pair(g: Goal, u: str, r: str, nonneg: Script, forth: Script, back: Script) -> tuple[str, str, str]:
                known = [*[using(n) for n in setting], nonneg, forth, back]
                h = g.lemma(CLAIM, "part:pairs", *SETTING, u, "V @ ek", r, by=known)
                return tuple(g.obtain(g.apply(h, "t", by=[using(now)]), "a", "b"))  # type: ignore[return-value]

            def entries(g: Goal, images: tuple[str, str, str], row: Callable[[Goal, str, str], None]) -> None:
                g.fix("i")
                g.split(g.assume())
                ne = g.assume()

                def entry(m: str, image: str) -> Script:
                    def script(g: Goal) -> None:
                        picked = g.apply(e_k, "p", f"T(U) @ {m} @ V", "i")
                        x = g.have(("=", g.hyp_formula(picked)[1], 0), lambda g: row(g, image, ne))
                        g.field((picked, -1), (x, 1))

                    return script

                g.conj(entry(ALPHA, images[0]), entry(RES, images[2]), entry(BETA, images[1]))

            def inside(g: Goal) -> None:
                e_p = g.obtain(g.by_fact("unit_vector", "p", "j"), "ep")[0]
                s = f"sv({TARGET},j)"
                forth = g.have(f"D0 @ ek = {s}*ep", lambda g: column(g, e_k, e_p, "D0", off, diag))
                back = g.have(f"T(D0) @ ep = {s}*ek", lambda g: column(g, e_p, e_k, "T(D0)", off, diag))
                images = pair(
                    g,
                    "U @ ep",
                    s,
                    lambda g: g.close_by(g.split(g.apply(order, "j", "j"))[0]),
                    lambda g: g.nc((product, 1, None, "V @ ek"), (v_orth, 1, "U @ D0", "ek"), (forth, 1, "U", None)),
                    lambda g: g.nc((turned, 1, None, "U @ ep"), (u_orth, 1, "V @ T(D0)", "ep"), (back, 1, "V", None)),
                )

                def row(g: Goal, image: str, ne: str) -> None:
                    _, left, right = g.hyp_formula(image)
                    x = right[1]
                    unit = g.apply(e_p, "p", "I(p)", "i")
                    zero = g.have("ep[i,1] = 0", lambda g: unit_zero(g, unit))
                    whole = g.concl[1][1]
                    value = g.have(
                        ("=", whole, ("sm", x, "ep")), lambda g: g.nc((image, 1, "T(U)", None), (u_orth, x, None, "ep"))
                    )
                    g.rewrite(value)
                    g.field((zero, x))
                    del left, ne

                entries(g, images, row)

            def outside(g: Goal) -> None:
                beyond = next(reversed(g.seq.hyps))

                def empty(g: Goal) -> None:
                    g.extn("ii", "zz")
                    h = g.apply(e_k, "p", "D0", "ii")
                    g.rewrite(g.have("zz = 1", lambda g: g.antisym()))
                    g.rewrite(h)
                    d = g.apply(off, "ii", "j", by=[lambda g: (g.contra(), g.nlin())[-1]])
                    g.rewrite(d)
                    g.field()

                none = g.have("D0 @ ek = O(p,1)", empty)
                images = pair(
                    g,
                    "O(p,1)",
                    "0",
                    lambda g: g.pos(),
                    lambda g: g.nc((product, 1, None, "V @ ek"), (v_orth, 1, "U @ D0", "ek"), (none, 1, "U", None)),
                    lambda g: g.nc(),
                )

                def row(g: Goal, image: str, ne: str) -> None:
                    whole = g.concl[1][1]
                    g.rewrite(g.have(("=", whole, g.term("O(p,1)")), lambda g: g.nc((image, 1, "T(U)", None))))
                    g.field()

                entries(g, images, row)
                del beyond

            g.em("j <= p", inside, outside)

        inner = f"(T(U) @ {ALPHA} @ V)[i,j] = 0 and (T(U) @ {RES} @ V)[i,j] = 0 and (T(U) @ {BETA} @ V)[i,j] = 0"
        every = g.have(f"all j:Z. 1 <= j and j <= k => all i:Z. 1 <= i and i <= p => i != j => {inner}", columns)

        def one(which: int) -> Script:
            def script(g: Goal) -> None:
                g.fix("i", "j")
                a, b, c, d = g.split(g.assume())
                ne = g.assume()
                h = g.apply(every, "j", by=[lambda g: g.conj(using(c), using(d))])
                h = g.apply(h, "i", by=[lambda g: g.conj(using(a), using(b)), using(ne)])
                g.close_by(g.split(h)[which])

            return script

        g.conj(one(0), one(1), one(2))

    def target(g: Goal) -> None:
        g.fix("i", "j")
        g.assume()
        ne = g.assume()
        m = g.have(
            f"T(U) @ {TARGET} @ V = D0",
            lambda g: g.nc((product, 1, "T(U)", "V"), (u_orth, 1, None, "D0 @ T(V) @ V"), (v_orth, 1, "D0", None)),
        )
        g.rewrite(m)
        g.close_by(g.apply(off, "i", "j", by=[using(ne)]))

    g.conj(using(u_orth), using(v_orth), target, always)


def unit_zero(g: Goal, unit: str) -> None:
    """An entry of a unit vector beside its place."""
    k = g.have("ep[i,1] = (I(p) @ ep)[i,1]", lambda g: g.ctx(lambda g: g.nc()))
    g.field((k, 1), (unit, 1))


@holds(
    "varre2023.assertion-static-vectors",
    FRAMES,
    argument="sound",
    reading="bases U and V of singular vectors that do not depend on t serve for beta(t) at all times, so that only the diagonal entries move; the singular values of beta follow the mirror flow of"
    " the other claims",
    uses=[CLAIM],
)
def singular_vectors_of_beta_are_static(g: Goal) -> None:
    """Theorem C.11."""
    g.close_by(g.lemma(CLAIM, "statement"))
