"""The operator (16) and Lemma 24: fractional powers of positive semidefinite matrices as roots of integer powers."""

from __future__ import annotations

from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import holds, part


def psd(x: str, n: str) -> str:
    """x is symmetric and positive semidefinite."""
    return f"(T({x}) = {x} and all w:V({n}). 0 <= tr(T(w) @ ({x}) @ w))"


def root(f: str, n: str, base: str, k: str, degree: str) -> str:
    """f is the positive semidefinite power base^(k/degree): the root of that degree of the k-th power."""
    return f"({psd(f, n)} and ({f})^({degree}) = ({base})^({k}))"


def powers(left: str, right: str, a: str, b: str, degree: str) -> str:
    """left(j) = a^((N-j)/degree) and right(j) = b^((j-1)/degree) for j = 1..N."""
    return f"""(all j:Z. 1 <= j and j <= N => {root(f"{left}(j)", "y", a, "N - j", degree)} and {root(f"{right}(j)", "x", b, "j - 1", degree)})"""


READING = "a fractional power S^(k/N) of a positive semidefinite matrix is the positive semidefinite N-th root of S^k; the zeroth power is the identity"

OPERATOR = "sum(j, 1, N, F(j) @ D_ @ H(j))"


def power_steps(g: Goal, dim: str, base: str, k: str) -> tuple[str, str]:
    """base^k = base^(k-1) base = base base^(k-1), for 1 <= k."""
    g.have(f"0 <= {k} - 1")
    one = g.by_fact("mpow_add", dim, f"{k} - 1", 1, base)
    other = g.by_fact("mpow_add", dim, 1, f"{k} - 1", base)
    first = g.have(f"({base})^({k}) = ({base})^({k} - 1) @ ({base})", lambda g: power_sum(g, one, k))
    second = g.have(f"({base})^({k}) = ({base}) @ ({base})^({k} - 1)", lambda g: power_sum(g, other, k))
    return first, second


def power_sum(g: Goal, h: str, k: str) -> None:
    """The exponent k as the sum in h."""
    g.have(("<=", 0, g.hyp_formula(h)[1][2]))
    g.have(f"0 <= {k}")
    g.nc((h, 1, None, None))


def by_power(base: Script, step: Script) -> Script:
    """Induction over an exponent k >= 0: the case 0 and the step from k - 1, with the names of the cases and of the hypothesis."""

    def script(g: Goal) -> None:
        ih = g.induct("k")
        lo = f"{ih}_lo"

        def later(g: Goal) -> None:
            strict = next(reversed(g.seq.hyps))
            g.by_fact("int_lt", 0, "k", by=[lambda g: g.close_by(strict)])
            g.apply(ih, "k - 1", name="before")
            step(g)

        def first(g: Goal) -> None:
            g.rewrite(next(reversed(g.seq.hyps)), back=True)
            base(g)

        g.cases(g.by_fact("lt_or_eq", 0, "k", by=[lambda g: g.close_by(lo)]), later, first)

    return script


@part(
    "eftekhari2022.def-operator-a",
    "symmetric-power",
    "all n:Z, S:M(n,n). T(S) = S => all k:Z. 0 <= k => T(S^k) = S^k",
    says="powers of a symmetric matrix are symmetric",
)
def powers_are_symmetric(g: Goal) -> None:
    """Induction: S^k = S^(k-1) S = S S^(k-1)."""
    g.fix()
    sym = g.assume()

    def step(g: Goal) -> None:
        first, second = power_steps(g, "n", "S", "k")
        turned = g.have("T(S^k) = T(S) @ T(S^(k-1))", lambda g: (g.rewrite(first), g.nc()))
        g.rewrite(turned)
        g.rewrite("before")
        g.rewrite(sym)
        g.nc((second, -1, None, None))

    by_power(lambda g: g.nc(), step)(g)


@part(
    "eftekhari2022.def-operator-a",
    "psd-power",
    f"all m n k:Z, W:M(m,n). 0 <= k => {psd('(W @ T(W))^k', 'm')}",
    says="integer powers of W W^T are positive semidefinite",
)
def powers_of_gram_matrices(g: Goal) -> None:
    """Even powers are squares; an odd power is a square with W W^T in the middle."""
    g.intro()
    s = "(W @ T(W))"

    h = g.lemma("eftekhari2022.def-operator-a", "part:symmetric-power", "m", s)
    sym = g.apply(h, "k")

    def positive(g: Goal) -> None:
        g.intro()
        parity = g.fact("int_parity", "k")

        def even(g: Goal) -> None:
            eq = g.obtain(next(reversed(g.seq.hyps)), "i")[0]
            g.have("0 <= i")
            half = g.apply(h, "i")
            add = g.by_fact("mpow_add", "m", "i", "i", s)
            same = g.have(
                f"{s}^k = {s}^i @ {s}^i", lambda g: (g.replace("k", "i + i", lambda g: g.field((eq, 1))), g.close_by(add))
            )
            g.rewrite(same)
            q = f"tr(T({s}^i @ w) @ ({s}^i @ w))"
            g.have(f"0 <= {q}")
            g.replace(f"tr(T(w) @ ({s}^i @ {s}^i) @ w)", q, lambda g: turned(g, half, ""))
            g.auto()

        def odd(g: Goal) -> None:
            eq = g.obtain(next(reversed(g.seq.hyps)), "i")[0]
            g.have("0 <= i", lambda g: integer_half(g, eq))
            half = g.apply(h, "i")
            add = g.by_fact("mpow_add", "m", "i", "i", s)
            once = g.by_fact("mpow_add", "m", "i + i", "1", s)
            one = g.by_fact("mpow_add", "m", "i", "1", s)
            other = g.by_fact("mpow_add", "m", "1", "i", s)
            for e in ("i + i + 1", "i + 1", "1 + i"):
                g.have(f"0 <= {e}")
            g.have(("<=", 0, g.hyp_formula(once)[1][2]))
            swap = g.have(f"{s}^i @ {s} = {s} @ {s}^i", lambda g: g.nc((other, 1, None, None), (one, -1, None, None)))
            same = g.have(
                f"{s}^k = {s}^i @ {s} @ {s}^i",
                lambda g: (
                    g.replace("k", "i + i + 1", lambda g: g.field((eq, 1))),
                    g.nc((once, 1, None, None), (add, 1, None, s), (swap, 1, f"{s}^i", None)),
                ),
            )
            g.rewrite(same)
            q = f"tr(T(T(W) @ {s}^i @ w) @ (T(W) @ {s}^i @ w))"
            g.have(f"0 <= {q}")
            g.replace(f"tr(T(w) @ ({s}^i @ {s} @ {s}^i) @ w)", q, lambda g: turned(g, half, f"{s} @ "))
            g.auto()

        g.cases(parity, even, odd)

    g.conj(lambda g: g.close_by(sym), positive)


def turned(g: Goal, half: str, middle: str) -> None:
    """Write the first S^i as T(S^i)."""
    power = "((W @ T(W))^i)"
    g.replace(g.concl[2], f"tr(T(w) @ T({power}) @ {middle}{power} @ w)", lambda g: g.field())
    g.rewrite(half)
    g.field()


def integer_half(g: Goal, h: str) -> None:
    """0 <= i from 0 <= k = 2 i + 1."""
    total = g.fact("total", 0, "i")

    def negative(g: Goal) -> None:
        below = next(reversed(g.seq.hyps))

        def strict(g: Goal) -> None:
            i_lt = next(reversed(g.seq.hyps))
            g.by_fact("int_lt", "i", 0, by=[lambda g: g.close_by(i_lt)])
            g.contra()
            g.nlin()

        g.cases(g.by_fact("lt_or_eq", "i", 0, by=[lambda g: g.close_by(below)]), strict, lambda g: g.nlin())

    g.cases(total, lambda g: g.auto(), negative)


@holds(
    "eftekhari2022.def-operator-a",
    f"""all x y N:Z, W:M(y,x). 1 <= N =>
       (all j:Z. 1 <= j and j <= N =>
           (ex E:M(y,y). {root("E", "y", "W @ T(W)", "N - j", "N")}) and (ex E:M(x,x). {root("E", "x", "T(W) @ W", "j - 1", "N")})) and
       (all F K:Z->M(y,y), H L:Z->M(x,x). {powers("F", "H", "W @ T(W)", "T(W) @ W", "N")} =>
           {powers("K", "L", "W @ T(W)", "T(W) @ W", "N")} =>
           F(N) = I(y) and H(1) = I(x) and (all j:Z. 1 <= j and j <= N => K(j) = F(j) and L(j) = H(j)) and
           all D1 D2:M(y,x), a b:R. sum(j, 1, N, F(j) @ (a*D1 + b*D2) @ H(j)) =
               a*sum(j, 1, N, F(j) @ D1 @ H(j)) + b*sum(j, 1, N, F(j) @ D2 @ H(j)))""",
    argument="sound",
    reading=f"{READING}; well-formed: these roots exist and are unique, the outer zeroth powers are identities, and the operator is linear",
)
def operator_is_well_defined_and_linear(g: Goal) -> None:
    """Existence and uniqueness of roots; the identity is a root of S^0; sums are linear."""
    g.fix()
    g.assume()
    g.conj(lambda g: roots_exist(g), lambda g: roots_are_unique(g))


def gram_power(g: Goal, side: str, k: str) -> str:
    """(W W^T)^k or (W^T W)^k is positive semidefinite."""
    if side == "y":
        return g.lemma("eftekhari2022.def-operator-a", "part:psd-power", "y", "x", k, "W")
    h = g.lemma("eftekhari2022.def-operator-a", "part:psd-power", "x", "y", k, "T(W)")
    eq = g.have("T(W) @ T(T(W)) = T(W) @ W", lambda g: g.nc())
    return g.rewritten(h, eq)


def roots_exist(g: Goal) -> None:
    """The fact about roots, for both Gram matrices."""
    g.fix("j")
    g.split_all(g.assume())

    def one(side: str, base: str, k: str) -> Script:
        def script(g: Goal) -> None:
            sym, semi = g.split(gram_power(g, side, k))
            h = g.by_fact(
                "psd_root_exists", side, "N", f"({base})^({k})", by=[None, lambda g: g.exact(sym), lambda g: g.exact(semi)]
            )
            parts = g.obtain(h, "E")
            g.witness("E")
            g.conj(lambda g: g.conj(lambda g: g.close_by(parts[0]), lambda g: g.close_by(parts[1])), lambda g: g.exact(parts[2]))

        return script

    g.conj(one("y", "W @ T(W)", "N - j"), one("x", "T(W) @ W", "j - 1"))


def unique(g: Goal, side: str, one: str, other: str, left: str, right: str) -> None:
    """left = right, both roots: `one` and `other` say so."""
    (a, b), (c, d) = g.split(one), g.split(other)
    (a1, a2), (c1, c2) = g.split(a), g.split(c)
    h = g.by_fact(
        "psd_root_unique",
        side,
        "N",
        left,
        right,
        by=[
            None,
            lambda g: g.close_by(a1),
            lambda g: g.close_by(c1),
            lambda g: g.close_by(a2),
            lambda g: g.close_by(c2),
            lambda g: (g.rewrite(b), g.rewrite(d), g.refl()),
        ],
    )
    g.close_by(h)


def roots_are_unique(g: Goal) -> None:
    """Two families of roots agree; the roots of zeroth powers are the identity; linearity."""
    first, second = g.intro(split=False)

    def identity(side: str, letter: str, at: str, which: int) -> Script:
        def script(g: Goal) -> None:
            own = g.split(g.apply(first, at))[which]
            (sym, semi), power = g.split(g.split(own)[0]), g.split(own)[1]
            h = g.by_fact(
                "psd_root_unique",
                side,
                "N",
                f"{letter}({at})",
                f"I({side})",
                by=[
                    None,
                    lambda g: g.close_by(sym),
                    None,
                    lambda g: g.close_by(semi),
                    square_norm,
                    lambda g: zeroth(g, power, side),
                ],
            )
            g.close_by(h)

        return script

    def square_norm(g: Goal) -> None:
        g.fix("w")
        q = g.have("0 <= tr(T(w) @ w)")
        g.pos([f"@{q}"])

    def zeroth(g: Goal, power: str, side: str) -> None:
        one = g.lemma("eftekhari2022.def-operator-a", "part:identity-power", side)
        at = g.apply(one, "N")
        g.rewrite(power)
        g.rewrite(at)
        g.nc()

    def agree(g: Goal) -> None:
        g.fix("j")
        g.split_all(g.assume())
        f, h = g.split(g.apply(first, "j"))
        k, other = g.split(g.apply(second, "j"))
        g.conj(lambda g: unique(g, "y", k, f, "K(j)", "F(j)"), lambda g: unique(g, "x", other, h, "L(j)", "H(j)"))

    g.conj(identity("y", "F", "N", 0), identity("x", "H", "1", 1), agree, linear)


def linear(g: Goal) -> None:
    """Sums are linear."""
    g.intro()
    first, second = "F(j) @ D1 @ H(j)", "F(j) @ D2 @ H(j)"
    h = g.by_fact(
        "matrix_sum_ext", "y", "x", 1, "N", "lam j:Z. F(j) @ (a*D1 + b*D2) @ H(j)", f"lam j:Z. a*({first}) + b*({second})",
        by=[lambda g: (g.intro(), g.nc())],
    )  # fmt: skip
    split = g.fact("matrix_sum_linear", "y", "x", 1, "N", "a", "b", f"lam j:Z. {first}", f"lam j:Z. {second}")
    g.rewrite(h)
    g.exact(split)


@part(
    "eftekhari2022.def-operator-a",
    "identity-power",
    "all n:Z. all k:Z. 0 <= k => I(n)^k = I(n)",
    says="powers of the identity",
)
def powers_of_the_identity(g: Goal) -> None:
    """Induction."""
    g.fix()

    def step(g: Goal) -> None:
        first, _ = power_steps(g, "n", "I(n)", "k")
        g.rewrite(first)
        g.rewrite("before")
        g.nc()

    by_power(lambda g: g.nc(), step)(g)
