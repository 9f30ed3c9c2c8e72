"""Lemma 24: the operator (16) in the coordinates of a singular value decomposition."""

from __future__ import annotations

from proofs.eftekhari2022.preconditioner import READING, by_power, power_steps, powers, psd
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import holds, part


@part(
    "eftekhari2022.lemma-24-1",
    "conjugated-power",
    "all n:Z, U K:M(n,n). T(U) @ U = I(n) => U @ T(U) = I(n) => all k:Z. 0 <= k => (U @ K @ T(U))^k = U @ K^k @ T(U)",
    says="(U K U^T)^k = U K^k U^T",
)
def powers_of_conjugates(g: Goal) -> None:
    """Induction over k."""
    g.fix()
    left = g.assume()
    right = g.assume()

    def step(g: Goal) -> None:
        first, _ = power_steps(g, "n", "U @ K @ T(U)", "k")
        inner, _ = power_steps(g, "n", "K", "k")
        g.rewrite(first)
        g.rewrite("before")
        g.rewrite(inner)
        g.nc((left, 1, "U @ K^(k-1)", "K @ T(U)"))

    by_power(lambda g: g.nc((right, -1, None, None)), step)(g)


@part(
    "eftekhari2022.lemma-24-2",
    "square-power",
    "all n:Z, K:M(n,n). all k:Z. 0 <= k => (K @ K)^k = K^(2*k)",
    says="(K K)^k = K^(2k)",
)
def powers_of_a_square(g: Goal) -> None:
    """Induction over k."""
    g.fix()

    def step(g: Goal) -> None:
        first, _ = power_steps(g, "n", "K @ K", "k")
        g.rewrite(first)
        g.rewrite("before")
        g.have("0 <= 2*(k - 1)")
        g.have("0 <= 2*k")
        add = g.by_fact("mpow_add", "n", "2*(k - 1)", 2, "K")
        g.have(("<=", 0, g.hyp_formula(add)[1][2]))
        g.nc((add, -1, None, None))

    by_power(lambda g: g.nc(), step)(g)


@part(
    "eftekhari2022.lemma-24-1",
    "conjugated-root",
    f"""all n k N:Z, U S B K F:M(n,n). 1 <= N => 0 <= k => T(U) @ U = I(n) => B = U @ S @ T(U) => {psd("K", "n")} => K^N = S^k =>
       {psd("F", "n")} => F^N = B^k => F = U @ K @ T(U)""",
    says="(U S U^T)^(k/N) = U S^(k/N) U^T",
)
def fractional_powers_of_conjugates(g: Goal) -> None:
    """Both sides are positive semidefinite with the same N-th power; such a root is unique."""
    _positive, _nonneg, left, base, k_sym, k_psd, k_root, f_sym, f_psd, f_root = g.intro()
    _, right, _ = g.split(g.by_fact("inv_unique", "n", "T(U)", "U"))
    conjugated = "U @ K @ T(U)"
    power = g.lemma(
        "eftekhari2022.lemma-24-1",
        "part:conjugated-power",
        "n",
        "U",
        "K",
        by=[lambda g: g.close_by(left), lambda g: g.close_by(right)],
    )
    of_k = g.apply(power, "N")
    power_s = g.lemma(
        "eftekhari2022.lemma-24-1",
        "part:conjugated-power",
        "n",
        "U",
        "S",
        by=[lambda g: g.close_by(left), lambda g: g.close_by(right)],
    )
    of_s = g.apply(power_s, "k")

    def positive_conjugate(g: Goal) -> None:
        g.fix("w")
        h = g.apply(k_psd, "T(U) @ w")
        g.pos([f"@{h}"])

    def same_power(g: Goal) -> None:
        g.rewrite(f_root)
        g.rewrite(base)
        g.rewrite(of_s)
        g.rewrite(of_k)
        g.rewrite(k_root)
        g.refl()

    unique = g.by_fact(
        "psd_root_unique",
        "n",
        "N",
        "F",
        conjugated,
        by=[
            None,
            lambda g: g.close_by(f_sym),
            lambda g: g.nc((k_sym, 1, "U", "T(U)")),
            lambda g: g.close_by(f_psd),
            positive_conjugate,
            same_power,
        ],
    )
    g.close_by(unique)


DECOMPOSITION = "all x y N:Z, W D_:M(y,x), U:M(y,y), S:M(y,x), V:M(x,x), F K:Z->M(y,y), H L:Z->M(x,x). 1 <= N => W = U @ S @ T(V) => T(U) @ U = I(y) => T(V) @ V = I(x) =>"
ROOTS = f"{powers('F', 'H', 'W @ T(W)', 'T(W) @ W', 'N')} =>"


def conjugations(g: Goal, names: list[str], at: str, half: bool) -> tuple[str, str]:
    """F(j) = U K U^T and H(j) = V L V^T at an index; K K and L L in place of K and L for half powers."""
    _positive, product, u, v, of_w, of_s = names[:6]
    f, h = g.split(g.apply(of_w, at))
    k, m = g.split(g.apply(of_s, at))
    left = g.have("W @ T(W) = U @ (S @ T(S)) @ T(U)", lambda g: g.nc((v, 1, "U @ S", "T(S) @ T(U)"), rw=[product]))
    right = g.have("T(W) @ W = V @ (T(S) @ S) @ T(V)", lambda g: g.nc((u, 1, "V @ T(S)", "S @ T(V)"), rw=[product]))
    results = []
    for dim, basis, ortho, gram, whole, eq, power, root, own, inner in (
        ("y", "U", u, "S @ T(S)", "W @ T(W)", left, f"N - {at}", "K", f, k),
        ("x", "V", v, "T(S) @ S", "T(W) @ W", right, f"{at} - 1", "L", h, m),
    ):
        own_psd, own_power = g.split(own)
        in_psd, in_power = g.split(inner)
        small = f"{root}({at})"
        if half:
            small, in_psd, in_power = squared(g, dim, small, in_psd, in_power, f"({gram})^({power})")
        name = "F" if root == "K" else "H"
        results.append(
            g.lemma(
                "eftekhari2022.lemma-24-1",
                "part:conjugated-root",
                *(dim, power, "N", basis, gram, whole, small, f"{name}({at})"),
                by=[
                    None,
                    None,
                    closing(ortho),
                    closing(eq),
                    closing(in_psd),
                    closing(in_power),
                    closing(own_psd),
                    closing(own_power),
                ],
            )
        )
    return results[0], results[1]


def closing(h: str) -> Script:
    """Close by a hypothesis, up to brackets."""
    return lambda g: g.exact(h)


def squared(g: Goal, dim: str, k: str, positive: str, power: str, value: str) -> tuple[str, str, str]:
    """K K is the root where K is the half root."""
    sym, _ = g.split(positive)
    square = f"({k} @ {k})"

    def semidefinite(g: Goal) -> None:
        g.fix("w")
        q = f"tr(T({k} @ w) @ ({k} @ w))"
        g.have(f"0 <= {q}")
        g.replace(f"tr(T(w) @ {square} @ w)", f"tr(T(w) @ T({k}) @ {k} @ w)", lambda g: (g.rewrite(sym), g.field()))
        g.replace(f"tr(T(w) @ T({k}) @ {k} @ w)", q, lambda g: g.field())
        g.auto()

    both = g.have(psd(square, dim), lambda g: g.conj(lambda g: g.nc((sym, 1, f"T({k})", None), (sym, 1, None, k)), semidefinite))
    double = g.lemma("eftekhari2022.lemma-24-2", "part:square-power", dim, k)
    at = g.apply(double, "N")
    root = g.have(f"{square}^N = {value}", lambda g: (g.rewrite(at), g.exact(power)))
    return square, both, root


@holds(
    "eftekhari2022.lemma-24-1",
    f"""{DECOMPOSITION} {ROOTS} {powers("K", "L", "S @ T(S)", "T(S) @ S", "N")} =>
       sum(j, 1, N, F(j) @ D_ @ H(j)) = U @ sum(j, 1, N, K(j) @ (T(U) @ D_ @ V) @ L(j)) @ T(V)""",
    argument="sound",
    reading=f"{READING}; the shape of S is not needed",
)
def operator_in_singular_coordinates(g: Goal) -> None:
    """F(j) = U K(j) U^T and H(j) = V L(j) V^T, term by term."""
    names = intro_whole(g)

    def term(g: Goal) -> None:
        g.fix("j")
        g.split_all(g.assume())
        f, h = conjugations(g, names, "j", False)
        g.nc(rw=[f, h])

    right = g.fact("matrix_sum_mul_right", "y", "x", "x", 1, "N", "T(V)", f"lam j:Z. {INNER}")
    _, index, _, _, body = g.hyp_formula(right)[2]
    left = g.fact("matrix_sum_mul_left", "y", "x", "y", 1, "N", "U", ("lam", ((index, "Z"),), body))
    whole = ("lam", ((index, "Z"),), ("mm", "U", body))
    ext = g.by_fact("matrix_sum_ext", "y", "x", 1, "N", "lam j:Z. F(j) @ D_ @ H(j)", whole, by=[term])
    g.nc((ext, 1, None, None), (left, -1, None, None), (right, -1, "U", None))


INNER = "(K(j) @ (T(U) @ D_ @ V) @ L(j))"


def intro_whole(g: Goal) -> list[str]:
    """Introduce without splitting the hypotheses about all indices."""
    return g.intro(split=False)


@holds(
    "eftekhari2022.lemma-24-2",
    f"""{DECOMPOSITION} {ROOTS} {powers("K", "L", "S @ T(S)", "T(S) @ S", "2*N")} =>
       tr(T(D_) @ sum(j, 1, N, F(j) @ D_ @ H(j))) =
       sum(j, 1, N, tr(T(K(j) @ (T(U) @ D_ @ V) @ L(j)) @ (K(j) @ (T(U) @ D_ @ V) @ L(j))))""",
    argument="sound",
    reading=f"{READING}, and S^(k/(2N)) the 2N-th root; the shape of S is not needed",
    uses=["eftekhari2022.lemma-24-1"],
)
def quadratic_form_of_the_operator(g: Goal) -> None:
    """F(j) = U K(j)^2 U^T and H(j) = V L(j)^2 V^T; each trace is a squared norm."""
    names = intro_whole(g)
    term_ = "F(j) @ D_ @ H(j)"
    inside = g.fact("matrix_sum_mul_left", "y", "x", "x", 1, "N", "T(D_)", f"lam j:Z. {term_}")
    traced = g.fact("matrix_sum_trace", "x", 1, "N", f"lam j:Z. T(D_) @ ({term_})")

    def each(g: Goal) -> None:
        g.fix("j")
        g.split_all(g.assume())
        f, h = conjugations(g, names, "j", True)
        k, m = g.split(g.apply(names[5], "j"))
        k_sym = g.split_all(g.split(k)[0])[0]
        l_sym = g.split_all(g.split(m)[0])[0]
        g.rewrite(f)
        g.rewrite(h)
        middle = "(T(U) @ D_ @ V)"
        g.replace(g.concl[2], f"tr(T(L(j)) @ T({middle}) @ T(K(j)) @ K(j) @ {middle} @ L(j))", lambda g: g.field())
        g.rewrite(k_sym)
        g.rewrite(l_sym)
        g.field()

    ext = g.by_fact("sum_ext", 1, "N", f"lam j:Z. tr(T(D_) @ ({term_}))", f"lam j:Z. tr(T({INNER}) @ {INNER})", by=[each])
    g.rewrite(inside)
    g.field((traced, 1), (ext, 1))
