"""The pseudo-inverse of the data, and the spectral gap between 0 and the other singular values."""

from __future__ import annotations

from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import part

CLAIM = "varre2023.step-c-3-projection"
A = "(T(X) @ X)"


@part(
    CLAIM,
    "symmetric-inverse",
    f"all n p:Z, X:M(n,p). ex H K:M(p,p). T(K) = K and H @ {A} = K and {A} @ H = K and {A} @ K = {A} and K @ {A} = {A} and X @ K = X",
    says="X^T X has a generalised inverse H with which it commutes",
    uses=["shin2025.lemma-32"],
)
def gram_matrix_has_a_generalised_inverse(g: Goal) -> None:
    """In an eigenbasis the diagonal entries x become x/x^2, which is 1/x or 0; |X K - X|^2 = 0."""
    g.intro()
    base = g.by_fact("simultaneous_diagonalisation", "p", A, A, by=[lambda g: g.nc(), lambda g: g.nc(), lambda g: g.refl()])
    orth, off = g.obtain(base, "V")
    back = g.split(g.by_fact("inv_unique", "p", "T(V)", "V"))[1]
    d = f"(T(V) @ {A} @ V)"

    def diagonal_matrix(g: Goal, name: str, entry: str) -> tuple[str, Script]:
        h = g.obtain(g.fact("matrix_of_entries", "p", "p", f"lam i j:Z. {entry}"), name)[0]

        def diagonal(g: Goal) -> None:
            g.fix("i", "j")
            ne = g.assume()

            def inside(g: Goal) -> None:
                e = g.apply(h, "i", "j")
                z, _ = g.split(g.apply(off, "i", "j", by=[lambda g: g.close_by(ne)]))
                g.rewrite(e)
                g.rewrite(z)
                g.field()

            in_range(g, name, inside)

        return h, diagonal

    h_e, e_diag = diagonal_matrix(g, "E", f"{d}[i,j]/{d}[i,j]^2")
    h_f, f_diag = diagonal_matrix(g, "F", f"{d}[i,j]^2/{d}[i,j]^2")
    diag = "(all i j:Z. i != j => {0}[i,j] = 0)"
    d_off = g.have(diag.format(d), lambda g: (g.fix("i", "j"), g.assume(), g.close_by(g.split(g.apply(off, "i", "j"))[0])))
    e_off, f_off = g.have(diag.format("E"), e_diag), g.have(diag.format("F"), f_diag)

    def product(x: str, y: str, z: str, offs: list[str], entries: Script) -> str:
        return g.lemma(
            "shin2025.lemma-32",
            "part:diagonal-product",
            "p",
            x,
            y,
            z,
            by=[*[lambda g, h=h: g.close_by(h) for h in offs], entries],
        )

    def entries(g: Goal) -> None:
        g.fix("i")
        g.assume()
        g.assume()
        e, f = g.apply(h_e, "i", "i"), g.apply(h_f, "i", "i")
        g.rewrite(e)
        g.rewrite(f)
        g.field()

    def kept(g: Goal) -> None:
        g.fix("i")
        g.assume()
        g.assume()
        f = g.apply(h_f, "i", "i")
        g.rewrite(f)
        g.em(f"{d}[i,i] = 0", lambda g: (g.rewrite(list(g.seq.hyps)[-1]), g.field()), lambda g: g.field())

    ed = product("E", d, "F", [e_off, d_off, f_off], entries)
    de = product(d, "E", "F", [d_off, e_off, f_off], entries)
    df = product(d, "F", d, [d_off, f_off, d_off], kept)
    fd = product("F", d, d, [f_off, d_off, d_off], kept)
    sym = g.lemma("shin2025.lemma-32", "part:diagonal-transpose", "p", "F", by=[lambda g: g.close_by(f_off)])
    g.witness("V @ E @ T(V)", "V @ F @ T(V)")
    keeps = g.have(
        f"{A} @ (V @ F @ T(V)) = {A}",
        lambda g: g.nc(
            (df, 1, "V", "T(V)"), (back, -1, None, f"{A} @ V @ F @ T(V)"), (back, 1, None, f"{A} @ V @ T(V)"), (back, 1, A, None)
        ),
    )
    sym_f = g.have("T(V @ F @ T(V)) = V @ F @ T(V)", lambda g: g.nc((sym, 1, "V", "T(V)")))

    def whole(g: Goal) -> None:
        e = "(X @ (V @ F @ T(V)) - X)"
        none = g.have(f"T({e}) @ {e} = O(p,p)", lambda g: g.nc((keeps, 1, "T(V @ F @ T(V))", None), (keeps, -1, None, None)))
        zero = g.by_fact("frobenius_zero", "n", "p", e, by=[lambda g: (g.rewrite(none), g.field())])
        g.nc((zero, 1, None, None))

    g.conj(
        lambda g: g.close_by(sym_f),
        lambda g: g.nc((ed, 1, "V", "T(V)"), (back, -1, f"V @ E @ T(V) @ {A}", None)),
        lambda g: g.nc((de, 1, "V", "T(V)"), (back, -1, None, f"{A} @ V @ E @ T(V)")),
        lambda g: g.close_by(keeps),
        lambda g: g.nc(
            (fd, 1, "V", "T(V)"), (back, -1, f"V @ F @ T(V) @ {A}", None), (back, 1, f"V @ T(V) @ {A}", None), (back, 1, None, A)
        ),
        whole,
    )


def in_range(g: Goal, name: str, inside: Script) -> None:
    """Entries outside vanish; inside the script."""
    out = g.apply(g.fact("entry_outside", "p", "p", name), "i", "j", n=0)

    def away(g: Goal) -> None:
        g.close_by(g.apply(out, by=[some_side]))

    g.em(
        "1 <= i",
        lambda g: g.em("i <= p", lambda g: g.em("1 <= j", lambda g: g.em("j <= p", inside, away), away), away),
        away,
    )


def some_side(g: Goal) -> None:
    """One of the alternatives is among the hypotheses."""
    for i, alternative in enumerate(g.concl[1:]):
        for h, f in g.seq.hyps.items():
            if f == alternative:
                g.left_or_right(i)
                g.close_by(h)
                return
    g.auto()


@part(
    CLAIM,
    "pseudo-inverse",
    "all n p:Z, X:M(n,p). ex G:M(p,n). X @ G @ X = X and T(G @ X) = G @ X",
    says="the projection onto the span of the rows of X exists",
)
def pseudo_inverse_exists(g: Goal) -> None:
    """G = H X^T."""
    g.intro()
    h = g.lemma(CLAIM, "part:symmetric-inverse", "n", "p", "X")
    sym, left, _right, _keeps, _, whole = g.obtain(h, "H", "K")
    g.witness("H @ T(X)")
    g.conj(
        lambda g: g.nc((left, 1, "X", None), (whole, 1, None, None)),
        lambda g: turned(g, left, sym),
    )


def turned(g: Goal, left: str, sym: str) -> None:
    """H X^T X = K is symmetric."""
    other = g.have(f"T(H @ {A}) = T(K)", lambda g: (g.rewrite(left), g.refl()))
    g.nc((other, 1, None, None), (left, -1, None, None), (sym, 1, None, None))


@part(
    CLAIM,
    "gap",
    """all n p:Z, X:M(n,p). ex m:R. 0 < m and all k:Z, B:M(p,k).
        m*tr(T(X @ B) @ (X @ B)) <= tr(T(T(X) @ X @ B) @ (T(X) @ X @ B))""",
    says="|X^T X B|^2 >= m |X B|^2 for some m > 0",
)
def gap_of_the_data(g: Goal) -> None:
    """|X B|^2 = <Q, H Q> for Q = X^T X B, at most |H| |Q|^2."""
    g.intro()
    h = g.lemma(CLAIM, "part:symmetric-inverse", "n", "p", "X")
    _, _left, right, _, back, _whole = g.obtain(h, "H", "K")
    e = "tr(T(H) @ H)"
    g.have(f"0 <= {e}")
    g.witness(f"1/(1 + {e})")

    def bound(g: Goal) -> None:
        g.fix("k", "B")
        q = f"({A} @ B)"
        size, value = f"tr(T({q}) @ {q})", f"tr(T({q}) @ (H @ {q}))"
        inner = g.have(
            f"T(X @ B) @ (X @ B) = T({q}) @ (H @ {q})", lambda g: g.nc((right, -1, "T(B)", f"{A} @ B"), (back, -1, "T(B)", "B"))
        )
        same = g.have(f"tr(T(X @ B) @ (X @ B)) = {value}", lambda g: (g.rewrite(inner), g.refl()))
        one = g.fact("frobenius_cauchy", "p", "k", q, f"H @ {q}")
        two = g.fact("frobenius_submultiplicative", "p", "p", "k", "H", q)
        g.have(f"0 <= {size}")
        square = g.have(f"{value}^2 <= {size}^2*{e}", lambda g: g.pos([size, f"@{two}"], [f"@{one}"]))
        final = g.have(f"{value} <= (1 + {e})*{size}", lambda g: below(g, square, value, size, e))
        g.rewrite(same)
        g.pos([f"@{final}"], mul=[f"1 + {e}"])

    g.conj(lambda g: g.pos([1], mul=[f"1 + {e}"]), bound)


def below(g: Goal, square: str, value: str, size: str, e: str) -> None:
    """z <= (1 + e) q from z^2 <= e q^2."""
    less = g.contra()
    g.pos([f"@{less}", f"@{less}"], [f"@{square}"], [f"@{less}", "2", size, f"1 + {e}"], [size, size, f"1 + {e} + {e}^2"])
