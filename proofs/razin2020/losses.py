"""Equations (1), (2), (4) and (11): the losses of matrix and tensor completion, their gradients, gradient flow of one factor."""

from __future__ import annotations

from proofs.razin2020.scripts import only, using
from verify.kernel import Goal
from verify.registry import holds, part

MASK = "(all i j:Z. S[i,j] = 0 or S[i,j] = 1)"
LOSS = "1/2*sum(i, 1, r, sum(j, 1, c, S[i,j]*({0}[i,j] - B[i,j])^2))"
READING = "S marks the observed entries by 1 and the others by 0, B has the observed values"


def nonnegative_terms(g: Goal, mask: str, square: str) -> tuple[str, str, str]:
    """Adds for S[i,j] times a square: all terms, all rows, and the double sum are nonnegative."""

    def term(g: Goal) -> None:
        i, j = g.fix()
        k = g.apply(mask, i, j)
        x = f"({square.replace('[i,j]', f'[{i},{j}]')})"
        s = g.have(f"0 <= S[{i},{j}]", lambda g: g.cases(k, zero, one))
        g.pos([f"@{s}", x])

    def zero(g: Goal) -> None:
        g.pos(eqs=[(next(reversed(g.seq.hyps)), 1)])

    def one(g: Goal) -> None:
        g.pos([1], eqs=[(next(reversed(g.seq.hyps)), 1)])

    def row(g: Goal) -> None:
        (i,) = g.fix()
        x = f"S[{i},k]*{square.replace('[i,j]', f'[{i},k]')}"
        g.close_by(g.by_fact("sum_nonneg", 1, "c", f"lam k:Z. {x}", by=[lambda g: instance(g, i)]))

    def instance(g: Goal, i: str) -> None:
        (k,) = g.fix()
        g.assume()
        g.close_by(g.apply(terms, i, k))

    def instance_of_rows(g: Goal) -> None:
        (i,) = g.fix()
        g.assume()
        g.close_by(g.apply(rows, i))

    terms = g.have(f"all i j:Z. 0 <= S[i,j]*{square}", term)
    rows = g.have(f"all i:Z. 0 <= sum(j, 1, c, S[i,j]*{square})", row)
    return terms, rows, g.by_fact("sum_nonneg", 1, "r", f"lam i:Z. sum(j, 1, c, S[i,j]*{square})", by=[instance_of_rows])


@holds(
    "razin2020.eq-1",
    f"""all r c:Z, S B X H:M(r,c). {MASK} =>
       0 <= {LOSS.format("X")} and
       ({LOSS.format("X")} = 0 <=> all i j:Z. 1 <= i and i <= r and 1 <= j and j <= c and S[i,j] = 1 => X[i,j] = B[i,j]) and
       D(t, {LOSS.format("(X + t*H)")}, 0) = tr(T(had(S, X - B)) @ H)""",
    uses=["shin2025.eq-3"],
    reading=f"{READING}; the loss is nonnegative, it is 0 for the matrices that fit the observations and for no others, and its gradient is W - b on "
    "the observed entries and 0 elsewhere; any shape, also no observation or all",
)
def loss_of_matrix_completion(g: Goal) -> None:
    """A sum of squares; its derivative in a direction H is the inner product of S o (X - B) and H."""
    g.fix()
    mask = g.assume()
    entry = "(X[i,j] - B[i,j])^2"

    terms, rows, total = nonnegative_terms(g, mask, entry)

    def fits(g: Goal) -> None:
        zero = g.assume()
        p, q = g.fix()
        il, ih, jl, jh, seen = g.split(g.assume())

        def row(g: Goal) -> None:
            (i,) = g.fix()
            g.assume()
            g.close_by(g.apply(rows, i))

        def term(g: Goal) -> None:
            (j,) = g.fix()
            g.assume()
            g.close_by(g.apply(terms, p, j))

        none = g.have(f"sum(i, 1, r, sum(j, 1, c, S[i,j]*{entry})) = 0", lambda g: g.field((zero, 2)))
        every = g.by_fact("sum_zero_terms", 1, "r", f"lam i:Z. sum(j, 1, c, S[i,j]*{entry})", by=[row, using(none)])
        own = g.apply(every, p, by=[lambda g: g.conj(using(il), using(ih))])
        x = f"(X[{p},j] - B[{p},j])"
        every = g.by_fact("sum_zero_terms", 1, "c", f"lam j:Z. S[{p},j]*{x}^2", by=[term, using(own)])
        own = g.apply(every, q, by=[lambda g: g.conj(using(jl), using(jh))])
        x = f"X[{p},{q}] - B[{p},{q}]"
        square = g.have(f"({x})^2 = 0", lambda g: g.field((own, 1), (seen, f"-({x})^2")))
        k = g.by_fact("square_zero", x, by=[using(square)])
        g.field((k, 1))

    def fitted(g: Goal) -> None:
        fit = g.assume()

        def row(g: Goal) -> None:
            (i,) = g.fix()
            il, ih = g.split(g.assume())
            x = f"X[{i},j] - B[{i},j]"

            def term(g: Goal) -> None:
                (j,) = g.fix()
                jl, jh = g.split(g.assume())
                y = f"X[{i},{j}] - B[{i},{j}]"

                def unseen(g: Goal) -> None:
                    g.field((next(reversed(g.seq.hyps)), f"({y})^2"))

                def seen(g: Goal) -> None:
                    marked = next(reversed(g.seq.hyps))
                    e = g.apply(fit, i, j, by=[lambda g: g.conj(*[using(h) for h in (il, ih, jl, jh, marked)])])
                    g.field((e, f"S[{i},{j}]*({y})"))

                g.cases(g.apply(mask, i, j), unseen, seen)

            s = g.by_fact("sum_ext", 1, "c", f"lam j:Z. S[{i},j]*({x})^2", "lam j:Z. 0", by=[term])
            g.field((s, 1))

        s = g.by_fact("sum_ext", 1, "r", f"lam i:Z. sum(j, 1, c, S[i,j]*{entry})", "lam i:Z. 0", by=[row])
        g.field((s, "1/2"))

    def gradient(g: Goal) -> None:
        m = g.differentiate("t", LOSS.format("(X + t*H)"), "0")
        k = g.lemma("shin2025.eq-3", "part:frobenius-inner", "r", "c", "had(S, X - B)", "H")
        g.rewrite(m)
        g.field((k, -1))

    g.conj(lambda g: g.pos([f"@{total}", "1/2"]), lambda g: g.iff(fits, fitted), gradient)


PHI = LOSS.format("(P @ {0} @ Q)")
SLOPE = "T(P) @ had(S, P @ V @ Q - B) @ T(Q)"


@holds(
    "razin2020.eq-2",
    f"""all r a b c:Z, S B:M(r,c), P:M(r,a), V H:M(a,b), Q:M(b,c). {MASK} =>
       0 <= {PHI.format("V")} and D(t, {PHI.format("(V + t*H)")}, 0) = tr(T({SLOPE}) @ H)""",
    uses=["shin2025.eq-3"],
    reading=f"{READING}; V is one of the factors, P and Q are the products of the factors to the left and to the right of it, of any number and shapes: "
    "the objective is nonnegative and its gradient in each factor is the one that the other claims use",
)
def objective_of_the_factorisation(g: Goal) -> None:
    """The derivative in the direction H is the inner product of S o (P V Q - B) and P H Q."""
    g.fix()
    mask = g.assume()

    def nonneg(g: Goal) -> None:
        k = nonnegative_terms(g, mask, "((P @ V @ Q)[i,j] - B[i,j])^2")[2]
        g.pos([f"@{k}", "1/2"])

    g.conj(nonneg, slope)


def slope(g: Goal) -> None:
    """The derivative of the objective in one factor."""
    m = g.differentiate("t", PHI.format("(V + t*H)"), "0")
    k = g.lemma("shin2025.eq-3", "part:frobenius-inner", "r", "c", "had(S, P @ V @ Q - B)", "P @ H @ Q")
    g.rewrite(m)
    g.field((k, -1))


PHI_T = LOSS.format("(P(t) @ {0} @ Q(t))")
SLOPE_T = "T(P(t)) @ had(S, P(t) @ V(t) @ Q(t) - B) @ T(Q(t))"
FACTORS = "all r a b c:Z, S B:M(r,c), P:R~>M(r,a), V:R~>M(a,b), Q:R~>M(b,c)."
FACTOR_READING = (
    f"{READING}; V(t) is the factor W_l, P(t) = W_L ... W_{{l+1}} and Q(t) = W_{{l-1}} ... W_1 are the products of the factors to the left and to the "
    "right of it, of any number and shapes (identities at the ends)"
)


@holds(
    "razin2020.eq-4",
    f"""{FACTORS} (all t:R, H:M(a,b). 0 <= t => tr(T(V'(t)) @ H) = -D(s, {PHI_T.format("(V(t) + s*H)")}, 0)) <=>
       (all t:R. 0 <= t => V'(t) = -({SLOPE_T}))""",
    uses=["shin2025.eq-3"],
    reading=f"{FACTOR_READING}; the left side says in every direction H that the velocity is minus the derivative of the objective, the right side is the "
    "equation that the other claims use",
)
def flow_of_a_factor(g: Goal) -> None:
    """The derivative in the direction H is <gradient, H>; two matrices with the same inner products with all H are equal."""
    g.fix()

    def one(g: Goal) -> None:
        g.fix("t", "H")
        m = g.differentiate("s", PHI_T.format("(V(t) + s*H)"), "0")
        k = g.lemma("shin2025.eq-3", "part:frobenius-inner", "r", "c", "had(S, P(t) @ V(t) @ Q(t) - B)", "P(t) @ H @ Q(t)")
        g.rewrite(m)
        g.field((k, -1))

    gradient = g.have(f"all t:R, H:M(a,b). D(s, {PHI_T.format('(V(t) + s*H)')}, 0) = tr(T({SLOPE_T}) @ H)", one)

    def forward(g: Goal) -> None:
        flow = g.assume()
        g.fix("t")
        g.assume()
        gap = f"(V'(t) + {SLOPE_T})"
        x, y = g.apply(flow, "t", gap), g.apply(gradient, "t", gap)
        z = g.have(f"tr(T({gap}) @ {gap}) = 0", lambda g: g.field((x, 1), (y, -1)))
        o = g.by_fact("frobenius_zero", "a", "b", gap, by=[using(z)])
        g.nc((o, 1, None, None))

    def backward(g: Goal) -> None:
        flow = g.assume()
        g.fix("t", "H")
        g.assume()
        x, y = g.apply(flow, "t"), g.apply(gradient, "t", "H")
        g.rewrite(x)
        g.field((y, 1))

    g.iff(forward, backward)


@holds(
    "razin2020.lemma-23-step-gradient",
    f"""{FACTORS} (all t:R, H:M(a,b). 0 <= t => tr(T(V'(t)) @ H) = -D(s, {PHI_T.format("(V(t) + s*H)")}, 0)) =>
       all t:R. 0 <= t => V'(t) = -({SLOPE_T})""",
    uses=["razin2020.eq-4"],
    argument="sound",
    reading=f"{FACTOR_READING}; G(t) = S o (P V Q - B) is the gradient of the loss at the product matrix (eq-1)",
)
def velocity_of_a_factor(g: Goal) -> None:
    """The gradient flow (4), written out."""
    g.fix()
    h = g.lemma("razin2020.eq-4", "statement", "r", "a", "b", "c", "S", "B", "P", "V", "Q")
    flow = g.assume()
    g.close_by(g.apply(g.split(h)[0], by=[using(flow)]))


TENSOR = "1/2*sum(k, 1, n, S(k)*({0} - b(k))^2)"
TENSOR_MASK = "(all k:Z. S(k) = 0 or S(k) = 1)"
NUMBERED = "the index tuples (i_1, ..., i_N) are numbered by k = 1, ..., n, for any order N and any dimensions; S(k) = 1 marks the observed ones"


@part(
    "razin2020.eq-11",
    "rows",
    "all r c:Z, F:Z->R. 0 <= c => 0 <= r => sum(k, 1, r*c, F(k)) = sum(i, 1, r, sum(j, 1, c, F((i - 1)*c + j)))",
    says="index pairs numbered row by row",
)
def sum_row_by_row(g: Goal) -> None:
    """Induction on the number of rows."""
    g.fix("m", "c", "F")
    width = g.assume()

    def grow(g: Goal) -> None:
        ih = g.induct("r")
        lo = next(k for k in g.seq.hyps if k.endswith("_lo"))

        def none(g: Goal) -> None:
            eq = next(reversed(g.seq.hyps))
            g.rewrite(eq, back=True)
            a = g.by_fact("sum_empty", 1, "0*c", "lam k:Z. F(k)", by=[lambda g: g.pos([1])])
            g.rewrite(a)
            g.field()

        def more(g: Goal) -> None:
            strict = next(reversed(g.seq.hyps))
            k = g.by_fact("int_lt", 0, "r", by=[using(strict)])
            before = g.apply(ih, "r - 1", by=[lambda g: g.conj(lambda g: g.pos([f"@{k}"]), lambda g: g.pos([1]))])
            cut = g.by_fact(
                "sum_split",
                1,
                "(r - 1)*c",
                "r*c",
                "lam k:Z. F(k)",
                by=[lambda g: g.pos([f"@{k}", f"@{width}"]), lambda g: g.pos([f"@{width}"])],
            )
            shift = g.fact("sum_shift", "(r - 1)*c + 1", "r*c", "(r - 1)*c", "lam k:Z. F(k)")
            own = g.by_fact("sum_last", 1, "r", "lam i:Z. sum(j, 1, c, F((i - 1)*c + j))", by=[lambda g: g.pos([f"@{k}"])])
            g.field((before, 1), (cut, 1), (shift, 1), (own, -1))

        g.cases(g.by_fact("lt_or_eq", 0, "r", by=[using(lo)]), more, none)

    h = g.have("all r:Z. 0 <= r => sum(k, 1, r*c, F(k)) = sum(i, 1, r, sum(j, 1, c, F((i - 1)*c + j)))", grow)
    g.close_by(g.apply(h, "m", by=[using(g.assume())]))


AS_MATRIX = LOSS.format("X")


@holds(
    "razin2020.eq-11",
    f"""(all n:Z, S b W H:Z->R. {TENSOR_MASK} => 0 <= {TENSOR.format("W(k)")} and
          ({TENSOR.format("W(k)")} = 0 <=> all k:Z. 1 <= k and k <= n and S(k) = 1 => W(k) = b(k)) and
          D(t, {TENSOR.format("(W(k) + t*H(k))")}, 0) = sum(k, 1, n, S(k)*(W(k) - b(k))*H(k))) and
       (all n r c:Z, s b W:Z->R, S B X:M(r,c). 0 <= r => 0 <= c => n = r*c =>
          (all i j:Z. S[i,j] = s((i - 1)*c + j) and B[i,j] = b((i - 1)*c + j) and X[i,j] = W((i - 1)*c + j)) =>
          {TENSOR.replace("S(k)", "s(k)").format("W(k)")} = {AS_MATRIX})""",
    uses=["razin2020.eq-11"],
    reading=f"{NUMBERED}; the loss is nonnegative, it is 0 for the tensors that fit the observations and for no others, and its gradient is W - b on the observed "
    "entries and 0 elsewhere; for the order 2 it is the loss (1)",
)
def loss_of_tensor_completion(g: Goal) -> None:
    """A sum of squares; for pairs of indices the sum goes row by row."""

    def main(g: Goal) -> None:
        g.fix()
        mask = g.assume()
        square = "(W(k) - b(k))^2"

        def sign(g: Goal) -> None:
            (k,) = g.fix()

            def zero(g: Goal) -> None:
                g.field((next(reversed(g.seq.hyps)), f"(W({k}) - b({k}))^2")) if g.concl[0] == "=" else g.pos(
                    eqs=[(next(reversed(g.seq.hyps)), f"(W({k}) - b({k}))^2")]
                )

            def one(g: Goal) -> None:
                x = f"(W({k}) - b({k}))^2"
                g.pos([x], eqs=[(next(reversed(g.seq.hyps)), x)])

            g.cases(g.apply(mask, k), zero, one)

        signs = g.have(f"all k:Z. 0 <= S(k)*{square}", sign)

        def instance(g: Goal) -> None:
            (k,) = g.fix()
            g.assume()
            g.close_by(g.apply(signs, k))

        total = g.by_fact("sum_nonneg", 1, "n", f"lam k:Z. S(k)*{square}", by=[instance])

        def fits(g: Goal) -> None:
            zero = g.assume()
            (p,) = g.fix()
            low, high, seen = g.split(g.assume())
            none = g.have(f"sum(k, 1, n, S(k)*{square}) = 0", lambda g: g.field((zero, 2)))
            every = g.by_fact("sum_zero_terms", 1, "n", f"lam k:Z. S(k)*{square}", by=[instance, using(none)])
            own = g.apply(every, p, by=[lambda g: g.conj(using(low), using(high))])
            x = f"W({p}) - b({p})"
            zero = g.have(f"({x})^2 = 0", lambda g: g.field((own, 1), (seen, f"-({x})^2")))
            g.field((g.by_fact("square_zero", x, by=[using(zero)]), 1))

        def fitted(g: Goal) -> None:
            fit = g.assume()

            def term(g: Goal) -> None:
                (p,) = g.fix()
                low, high = g.split(g.assume())
                x = f"W({p}) - b({p})"

                def unseen(g: Goal) -> None:
                    g.field((next(reversed(g.seq.hyps)), f"({x})^2"))

                def seen(g: Goal) -> None:
                    marked = next(reversed(g.seq.hyps))
                    e = g.apply(fit, p, by=[lambda g: g.conj(*[using(h) for h in (low, high, marked)])])
                    g.field((e, f"S({p})*({x})"))

                g.cases(g.apply(mask, p), unseen, seen)

            s = g.by_fact("sum_ext", 1, "n", f"lam k:Z. S(k)*{square}", "lam k:Z. 0", by=[term])
            g.field((s, "1/2"))

        def gradient(g: Goal) -> None:
            g.rewrite(g.differentiate("t", TENSOR.format("(W(k) + t*H(k))"), "0"))
            g.field()

        g.conj(lambda g: g.pos([f"@{total}", "1/2"]), lambda g: g.iff(fits, fitted), gradient)

    def order_two(g: Goal) -> None:
        g.fix()
        rows, columns, size, entries = (g.assume() for _ in range(4))
        f = "s(k)*(W(k) - b(k))^2"
        h = g.lemma("razin2020.eq-11", "part:rows", "r", "c", f"lam k:Z. {f}", by=[using(columns), using(rows)])
        g.rewrite(size)

        def row(g: Goal) -> None:
            (i,) = g.fix()
            g.assume()

            def term(g: Goal) -> None:
                (j,) = g.fix()
                g.assume()
                s, b, x = g.split(g.apply(entries, i, j))
                g.field(rw=[s, b, x])

            k = f"(({i} - 1)*c + j)"
            g.close_by(
                g.by_fact(
                    "sum_ext",
                    1,
                    "c",
                    f"lam j:Z. {f.replace('(k)', k)}",
                    f"lam j:Z. S[{i},j]*(X[{i},j] - B[{i},j])^2",
                    by=[term],
                )
            )

        k = "((i - 1)*c + j)"
        inner = g.by_fact(
            "sum_ext",
            1,
            "r",
            f"lam i:Z. sum(j, 1, c, {f.replace('(k)', k)})",
            "lam i:Z. sum(j, 1, c, S[i,j]*(X[i,j] - B[i,j])^2)",
            by=[row],
        )
        g.field((h, "1/2"), (inner, "1/2"))

    g.conj(main, order_two)


@holds(
    "razin2020.assertion-linear-baseline",
    f"""all n:Z, S b:Z->R, eta:R, X:(Z,Z)->R. {TENSOR_MASK} => 0 < eta => eta < 2 => (all k:Z. X(0,k) = 0) =>
       (all s k:Z. 0 <= s => X(s+1,k) = X(s,k) - eta*(S(k)*(X(s,k) - b(k)))) =>
       all k:Z, e:R. 0 < e => ex m:Z. all s:Z. m <= s => 0 <= s => abs(X(s,k) - S(k)*b(k)) <= e""",
    argument="sound",
    reading="X(s,k) is the entry k of the tensor after s steps of gradient descent with the step size eta < 2 on the loss (11), whose gradient is S(k) (W(k) - b(k)) "
    "(eq-11), from zero; S(k) b(k) is the observed value, or 0 in an unobserved entry",
    context="a step size below 2, as larger ones do not converge [Figure 2]",
)
def descent_on_the_tensor_fills_in_zeros(g: Goal) -> None:
    """X(s) - S b = -(1 - eta S)^s S b, and |1 - eta|^s tends to 0 by Bernoulli's inequality."""
    g.fix()
    mask, low, high, start, steps = (g.assume() for _ in range(5))
    k, e = g.fix()
    positive = g.assume()
    seen = g.apply(mask, k)

    def closed(g: Goal) -> None:
        ih = g.induct("s")
        lo = next(h for h in g.seq.hyps if h.endswith("_lo"))

        def base(g: Goal) -> None:
            g.rewrite(next(reversed(g.seq.hyps)), back=True)
            g.field((g.apply(start, k), 1))

        def step(g: Goal) -> None:
            strict = next(reversed(g.seq.hyps))
            p = g.by_fact("int_lt", 0, "s", by=[using(strict)])
            before = g.apply(ih, "s - 1", by=[lambda g: g.conj(lambda g: g.pos([f"@{p}"]), lambda g: g.pos([1]))])
            one = g.apply(steps, "s - 1", k, by=[lambda g: g.pos([f"@{p}"])])
            more = g.by_fact("ipow_step", "1 - eta", "s - 1", by=[lambda g: g.pos([f"@{p}"])])

            def unseen(g: Goal) -> None:
                z = next(reversed(g.seq.hyps))
                g.field(
                    (one, 1),
                    (before, 1),
                    (z, f"-eta*(X(s-1,{k}) - b({k})) - (1 - eta)^(s-1)*b({k}) + (1 - eta)^s*b({k})"),
                )

            def observed(g: Goal) -> None:
                z = next(reversed(g.seq.hyps))
                g.field(
                    (one, 1),
                    (before, f"1 - eta*S({k})"),
                    (more, f"S({k})*b({k})"),
                    (z, f"eta*S({k})*b({k})*((1 - eta)^(s-1) - 1)"),
                )

            g.cases(seen, unseen, observed)

        g.cases(g.by_fact("lt_or_eq", 0, "s", by=[using(lo)]), step, base)

    form = g.have(f"all s:Z. 0 <= s => X(s,{k}) = S({k})*b({k}) - (1 - eta)^s*(S({k})*b({k}))", closed)
    u, h, y = "(1 - eta)^2", "(1 - (1 - eta)^2)", f"(S({k})*b({k}))"
    rate = g.have(f"0 < {h}", lambda g: g.pos([f"@{low}", f"@{high}"]))
    big = g.obtain(g.fact("archimedean", f"{y}^2/({h}*e^2)"), "m")[0]
    g.witness("m")
    g.fix("s")
    after, later = g.assume(), g.assume()
    far = g.have(f"{y}^2 <= s*{h}*e^2", lambda g: far_enough(g, big, after, rate, positive, y, h))
    value = g.apply(form, "s", by=[using(later)])
    power = g.by_fact("ipow_pow", "1 - eta", 2, "s", by=[None, using(later)])
    turned = g.by_fact("ipow_pow", "1 - eta", "s", 2, by=[using(later), None])
    least = g.by_fact("bernoulli", h, "s", by=[lambda g: g.pos([f"@{rate}"], [1]), using(later)])
    both = g.by_fact("ipow_mul", u, f"1 + {h}", "s", by=[using(later)])
    most = g.by_fact("ipow_mono", f"{u}*(1 + {h})", "1", "s", by=[None, lambda g: g.pos([f"{h}^2"]), using(later)])
    z = f"(X(s,{k}) - {y})"

    def square(g: Goal) -> None:
        power_u, top = f"({u})^s", f"(1 + {h})^s"
        same = g.have(
            f"{z}^2 = {power_u}*{y}^2",
            lambda g: g.field((value, f"{z} - (1 - eta)^s*{y}"), (turned, f"{y}^2"), (power, f"-{y}^2")),
        )
        one = g.have(f"{power_u}*{top} <= 1", lambda g: g.pos([f"@{most}"], eqs=[(both, 1)]))
        sign = g.have(f"0 <= {power_u}", lambda g: g.pos(["((1 - eta)^s)^2"], eqs=[(power, 1), (turned, -1)]))
        only(g, same, one, sign, far, least)
        g.pos(
            [f"@{one}", "e^2"], [f"@{least}", f"@{sign}", "e^2"], [f"@{sign}", "e^2"], [f"@{far}", f"@{sign}"], eqs=[(same, -1)]
        )

    near = g.have(f"{z}^2 <= e^2", square)
    size = g.fact("abs_square", z)

    def small(g: Goal) -> None:
        wrong = g.contra()
        g.pos([f"@{wrong}", f"@{wrong}"], [2, "e", f"@{wrong}"], [f"@{near}"], eqs=[(size, -1)])

    only(g, near, size, positive)
    small(g)


def far_enough(g: Goal, big: str, after: str, rate: str, positive: str, y: str, h: str) -> None:
    """y^2 <= s h e^2 for s >= m > y^2/(h e^2)."""
    g.pos([f"@{big}", h, "e^2"], [f"@{after}", h, "e^2"], side={f"0 < {h}": using(rate)})
    del positive, y
