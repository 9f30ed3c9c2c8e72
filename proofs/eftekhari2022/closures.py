"""Section 3 and Appendices A, I: closures of sets of matrices and of layers."""

from __future__ import annotations

from proofs.eftekhari2022.product_map import CLAIM as CORNER
from proofs.eftekhari2022.product_map import corner
from proofs.razin2020.scripts import using
from verify.kernel import Goal
from verify.registry import holds, part

CLOSURE = "eftekhari2022.assertion-closure-rank-r"
SINGULAR = "eftekhari2022.lemma-11"


def size(m: str) -> str:
    """The squared Frobenius norm."""
    return f"tr(T({m}) @ ({m}))"


@part(
    CLOSURE,
    "closed",
    f"""all m n r:Z, X:M(m,n). 0 <= m => 1 <= n => 0 <= r => (all e:R. 0 < e => ex Y:M(m,n). rank(Y) <= r and {size("X - Y")} <= e) => rank(X) <= r""",
    says="limits of matrices of rank at most r have rank at most r",
    uses=[SINGULAR],
)
def low_rank_is_closed(g: Goal) -> None:
    """Otherwise the singular value r + 1 is positive, and no matrix of rank at most r is nearer (Eckart and Young)."""
    g.fix()
    m0, n1, r0, near = (g.assume() for _ in range(4))
    n0 = g.have("0 <= n", lambda g: g.pos([f"@{n1}"], [1]))
    larger = g.contra()
    more = g.by_fact("int_lt", "r", "rank(X)", by=[using(larger)])
    _, some = g.split(g.lemma(SINGULAR, "part:rank-by-singular-values", "n", "m", "X"))
    top = g.split(g.by_fact("rank_bounds", "m", "n", "X"))[2]
    value = g.apply(some, "r + 1")
    bound = g.split(g.by_fact("eckart_young", "m", "n", "r", "X"))[1]
    low, close = g.obtain(g.apply(near, "sv(X,r+1)^2/2"), "Y")
    k = g.apply(bound, "Y", by=[using(low)])
    terms = g.by_fact("sum_term_le", "r + 1", "n", "lam i:Z. sv(X,i)^2")
    term = g.apply(terms, "r + 1", by=[lambda g: g.conj(None, lambda g: g.pos([f"@{more}"], [f"@{top}"]))])
    g.have("0 < sv(X,r+1)", using(value))
    g.pos([f"@{k}"], [f"@{term}"], [f"@{close}"], ["1/2", "sv(X,r+1)^2"])
    del m0, n0, r0


DENSE = f"""all m n r:Z, X:M(m,n). 0 <= m => 0 <= n => 0 <= r => r <= m => r <= n => rank(X) <= r => all e:R. 0 < e =>
       ex Y:M(m,n). rank(Y) = r and {size("X - Y")} <= e"""


@part(CLOSURE, "dense", DENSE, says="near every matrix of rank at most r there is one of rank r", uses=[CORNER])
def rank_r_is_dense(g: Goal) -> None:
    """X = A B; on the line from (A, B) to the embeddings (J, K^T) the determinant of J^T Y K is a polynomial that is 1 at the end."""
    g.fix()
    m0, n0, r0, rm, rn, rank = (g.assume() for _ in range(6))
    g.fix("e")
    small = g.assume()
    (x,) = g.obtain(g.by_fact("rank_factor", "m", "n", "r", "X", by=[using(r0), using(rank)]), "A", "B", split=False)
    jj = corner(g, "m", "r", "J", r0, rm)[0]
    kk = corner(g, "n", "r", "K", r0, rn)[0]
    y = "(A + {t}*(J - A)) @ (B + {t}*(T(K) - B))"
    minor = "T(J) @ " + y + " @ K"
    a, b, c = "(T(J) @ A @ B @ K)", "(T(J) @ ((J - A) @ B + A @ (T(K) - B)) @ K)", "(T(J) @ (J - A) @ (T(K) - B) @ K)"

    def entries(g: Goal) -> None:
        g.fix("i", "j")
        g.assume()
        g.witness("2", f"lam k:Z. (1-k)*(2-k)/2*{a}[i,j] + k*(2-k)*{b}[i,j] + k*(k-1)/2*{c}[i,j]")
        g.fix("t")
        whole = g.have(f"{minor.format(t='t')} = {a} + t*{b} + t^2*{c}", lambda g: g.nc())
        g.rewrite(whole)
        g.field()

    (terms,) = g.obtain(g.by_fact("det_polynomial", "r", f"lam t:R. {minor.format(t='t')}", by=[entries]), "q", "c", split=False)

    def somewhere(g: Goal) -> None:
        g.witness("1")
        k = g.apply(terms, "1")
        end = g.have(f"{minor.format(t='1')} = I(r)", lambda g: g.nc((jj, 1, None, "T(K) @ K"), (kk, 1, None, None)))
        one = g.have(f"det({minor.format(t='1')}) = 1", lambda g: (g.rewrite(end), g.rewrite(g.fact("det_identity", "r")), g.refl())[-1])
        eq = g.contra()
        g.pos([1], eqs=[(k, -1), (one, 1), (eq, -1)])

    first, second = "((J - A) @ B + A @ (T(K) - B))", "((J - A) @ (T(K) - B))"
    bound = f"(2*{size(first)} + 2*{size(second)})"
    step = f"e/(e + 1 + {bound})"
    g.have(f"0 <= {bound}")
    near = g.by_fact("polynomial_nonzero_near", "q", "lam k:Z. c(k)", by=[somewhere])
    below, above, nonzero = g.obtain(g.apply(near, "0", step, by=[lambda g: g.pos([step])]), "t")
    room = g.have(f"t*(e + 1 + {bound}) < e", lambda g: g.pos([f"@{above}", f"e + 1 + {bound}"]))
    one = g.have("t < 1", lambda g: g.pos([f"@{room}"], [f"@{below}"], [f"@{below}", bound], mul=["e"]))
    here = y.format(t="t")
    g.witness(here)

    def full(g: Goal) -> None:
        k = g.apply(terms, "t")

        def det(g: Goal) -> None:
            eq = g.contra()
            g.clash(g.have("sum(k, 0, q, c(k)*t^k) = 0", lambda g: g.field((k, -1), (eq, 1))), nonzero)

        regular = g.have(f"det({minor.format(t='t')}) != 0", det)
        whole = g.apply(g.split(g.by_fact("rank_full", "r", minor.format(t="t"), by=[using(r0)]))[1], by=[using(regular)])
        left = g.split(g.fact("rank_product", "r", "m", "r", "T(J)", f"{here} @ K"))[1]
        left = g.rewritten(left, g.have(("=", g.hyp_formula(left)[1][2], g.term(minor.format(t="t"))), lambda g: g.nc()))
        right = g.split(g.fact("rank_product", "m", "n", "r", here, "K"))[0]
        right = g.rewritten(right, g.have(("=", g.hyp_formula(right)[1][2], g.hyp_formula(left)[2][2]), lambda g: g.nc()))
        most = g.split(g.fact("rank_product", "m", "r", "n", "A + t*(J - A)", "B + t*(T(K) - B)"))[0]
        inner = g.split(g.by_fact("rank_bounds", "m", "r", "A + t*(J - A)"))[2]
        g.antisym(lambda g: g.pos([f"@{most}"], [f"@{inner}"]), lambda g: g.pos([f"@{left}"], [f"@{right}"], eqs=[(whole, 1)]))

    def close(g: Goal) -> None:
        moved = g.have(f"X - {here} = -t*{first} + -(t^2)*{second}", lambda g: g.nc((x, 1, None, None)))
        g.rewrite(moved)
        norm = f"{size(f'-t*{first} + -(t^2)*{second}')}"
        m1, m2 = size(first), size(second)
        other = size(f"{first} - t*{second}")
        value = g.have(f"{norm} = t^2*(2*{m1} + 2*t^2*{m2}) - t^2*{other}", lambda g: g.field())
        g.have("0 < t", using(below))
        g.pos(
            ["t^2", other],
            ["2", "t^2", m2, f"@{one}", "1 + t"],
            ["t", bound, f"@{one}"],
            [f"@{room}"],
            ["t", "e"],
            ["t"],
            eqs=[(value, -1)],
        )

    g.conj(full, close)


@holds(
    CLOSURE,
    f"""all m n r:Z, X:M(m,n). 0 <= m => 1 <= n => 0 <= r => r <= m => r <= n =>
       (rank(X) <= r <=> all e:R. 0 < e => ex Y:M(m,n). rank(Y) = r and {size("X - Y")} <= e)""",
    argument="sound",
    reading="X belongs to the closure of the matrices of rank r if and only if its rank is at most r; m = d_N and n = d_0. That the matrices of rank r are a manifold is the"
    " name of the set and not shown",
    uses=[CLOSURE],
)
def closure_of_the_matrices_of_rank_r(g: Goal) -> None:
    """Dense and closed."""
    g.fix()
    m0, n1, r0, rm, rn = (g.assume() for _ in range(5))
    n0 = g.have("0 <= n", lambda g: g.pos([f"@{n1}"], [1]))

    def dense(g: Goal) -> None:
        rank = g.assume()
        h = g.lemma(CLOSURE, "part:dense", "m", "n", "r", "X", by=[using(k) for k in (m0, n0, r0, rm, rn, rank)])
        g.close_by(h)

    def closed(g: Goal) -> None:
        near = g.assume()

        def low(g: Goal) -> None:
            g.fix("e")
            rank, close = g.obtain(g.apply(near, "e", by=[using(g.assume())]), "Y")
            g.witness("Y")
            g.conj(lambda g: g.pos(eqs=[(rank, -1)]), using(close))

        h = g.have(f"all e:R. 0 < e => ex Y:M(m,n). rank(Y) <= r and {size('X - Y')} <= e", low)
        g.close_by(g.lemma(CLOSURE, "part:closed", "m", "n", "r", "X", by=[using(k) for k in (m0, n1, r0, h)]))

    g.iff(dense, closed)
