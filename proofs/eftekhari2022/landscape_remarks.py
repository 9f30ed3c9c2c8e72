"""Sections 1, 3 and Appendix G: nonconvexity, an instance of Assumption 14, bounded and nonnegative singular values, starts that lead to zero."""

from __future__ import annotations

from proofs.eftekhari2022.global_convergence import CLAIM as CONVERGENCE
from proofs.eftekhari2022.optimal_pairs import killed, length
from proofs.eftekhari2022.second_order_layers import half
from proofs.eftekhari2022.theorem_twenty import FLOW, NETWORK, PADDING, one_by_one, second_value
from proofs.razin2020.scripts import using
from proofs.varre2023.mirror_flow import scalar_matrix
from verify.kernel import Goal
from verify.registry import holds


def size(m: str) -> str:
    """The squared Frobenius norm."""
    return f"tr(T({m}) @ ({m}))"


def deep(b: str, a: str) -> str:
    """The loss with the last layer b and the first layer a, and the product M of the layers between."""
    return half(f"Y - ({b}) @ M @ ({a}) @ X")


@holds(
    "eftekhari2022.assertion-nonconvex",
    f"""all x y m n k:Z, X:M(x,m), Y:M(y,m), M:M(k,n). 1 <= y => X != O(x,m) => M != O(k,n) => ex A C:M(n,x), B D:M(y,k).
       ({deep("B", "A")} + {deep("D", "C")})/2 < {deep("(1/2)*(B + D)", "(1/2)*(A + C)")}""",
    argument="sound",
    reading="two tuples that differ in the first and the last layer (A, B and C, D) have a midpoint with a larger loss than the mean of theirs; M is the"
    " product of the layers between, any that is not 0 (the identity for N = 2)",
    added="X is not 0 (otherwise the objective is constant, hence convex)",
)
def midpoints_can_be_worse(g: Goal) -> None:
    """(2 q e f^T, 0) and (0, 2 g h^T) have the loss |Y|^2/2, and their midpoint has the product q g h^T M e f^T."""
    g.fix()
    y_lo, x_some, m_some = (g.assume() for _ in range(3))

    def moves(g: Goal, m: str, rows: str, columns: str, some: str, name: str) -> str:
        """A vector that m does not map to 0."""

        def script(g: Goal) -> None:
            no = g.contra()

            def gone(g: Goal) -> None:
                g.fix("v")
                moved = g.contra()
                both = g.have(f"ex v:V({columns}). {m} @ v != O({rows},1)", lambda g: (g.witness("v"), g.close_by(moved))[-1])
                g.clash(both, no)

            every = g.have(f"all v:V({columns}). {m} @ v = O({rows},1)", gone)
            g.clash(killed(g, m, rows, columns, every), some)

        return g.obtain(g.have(f"ex v:V({columns}). {m} @ v != O({rows},1)", script), name, split=False)[0]

    turned = g.have("T(X) != O(m,x)", lambda g: not_zero(g, x_some))
    e = length(g, "(M @ e)", "k", moves(g, "M", "k", "n", m_some, "e"))
    f = length(g, "(T(X) @ f)", "m", moves(g, "T(X)", "m", "x", turned, "f"))
    (pick,) = g.obtain(g.by_fact("unit_vector", "y", "1", by=[None, using(y_lo)]), "g", split=False)
    a, b = g.apply(pick, "1", "T(g)", "1"), g.apply(pick, "y", "I(y)", "1")
    b = g.rewritten(b, g.have("I(y) @ g = g", lambda g: g.nc()))
    c = g.have("I(y)[1,1] = 1", lambda g: g.field())
    unit = g.have("T(g) @ g = I(1)", lambda g: g.ext(lambda g: g.field((a, 1), (b, 1), (c, 1))))
    p, r = size("(M @ e)"), size("(T(X) @ f)")
    product = "g @ T(M @ e) @ M @ e @ T(f) @ X"
    pairing = f"tr(T(Y) @ ({product}))"
    norm = g.have(f"{size(product)} = {p}^2*{r}", lambda g: lengths(g, unit))
    g.have(f"0 < {p}^2*{r}", lambda g: g.pos([f"@{e}", f"@{e}", f"@{f}"]))
    some = f"ex q:R. q*({p}^2*{r}) = 2*abs({pairing}) + 1"
    (q,) = g.obtain(g.have(some, lambda g: (g.witness(f"(2*abs({pairing}) + 1)/({p}^2*{r})"), g.field())[-1]), "q", split=False)
    first, last = "(2*q)*(e @ T(f))", "2*(g @ T(M @ e))"
    g.witness(first, "O(n,x)", "O(y,k)", last)
    flat = g.have(f"{deep('O(y,k)', first)} = {half('Y')}", lambda g: still(g, f"O(y,k) @ M @ ({first}) @ X"))
    other = g.have(f"{deep(last, 'O(n,x)')} = {half('Y')}", lambda g: still(g, f"({last}) @ M @ O(n,x) @ X"))
    middle = f"Y - ((1/2)*(O(y,k) + {last})) @ M @ ((1/2)*({first} + O(n,x))) @ X"
    value = g.have(f"{half(middle)} = {half('Y')} - q*{pairing} + q^2/2*{size(product)}", lambda g: reached(g, middle, product))
    pos = g.have("0 < q", lambda g: g.pos([f"abs({pairing})", "2"], ["1"], mul=[f"{p}^2*{r}"], eqs=[(q, 1)]))
    bound = g.split(g.apply(g.split(g.fact("abs_le", pairing, f"abs({pairing})"))[0], by=[lambda g: g.refl()]))[1]
    g.pos(["q", f"@{bound}"], [f"@{pos}", "1/2"], eqs=[(value, 1), (flat, "-1/2"), (other, "-1/2"), (norm, "q^2/2"), (q, "q/2")])


def not_zero(g: Goal, some: str) -> None:
    """X != 0, transposed."""
    eq = g.contra()
    k = g.have("T(T(X)) = T(O(m,x))", lambda g: (g.rewrite(eq), g.refl())[-1])
    g.clash(g.have("X = O(x,m)", lambda g: g.nc((k, 1, None, None))), some)


def lengths(g: Goal, unit: str) -> None:
    """|g (p^T p) w^T|^2 = |p|^4 |w|^2."""
    pp = scalar_matrix(g, "(T(M @ e) @ (M @ e))")
    k = g.have(
        "g @ T(M @ e) @ M @ e @ T(f) @ X = tr(T(M @ e) @ (M @ e))*(g @ T(f) @ X)", lambda g: g.nc((pp, 1, "g", "T(f) @ X"))
    )
    g.rewrite(k)
    ones = g.have("T(g @ T(f) @ X) @ (g @ T(f) @ X) = T(X) @ f @ T(f) @ X", lambda g: g.nc((unit, 1, "T(X) @ f", "T(f) @ X")))
    one = g.have(
        "tr(T(g @ T(f) @ X) @ (g @ T(f) @ X)) = tr(T(T(X) @ f) @ (T(X) @ f))", lambda g: (g.rewrite(ones), g.field())[-1]
    )
    g.field((one, "tr(T(M @ e) @ (M @ e))^2"))


def still(g: Goal, product: str) -> None:
    """A zero layer makes the product 0."""
    g.field()


def reached(g: Goal, middle: str, product: str) -> None:
    """The product at the midpoint is q times the product of the vectors."""
    k = g.have(f"{middle} = Y - q*({product})", lambda g: g.nc())
    g.rewrite(k)
    g.field()


@holds(
    "eftekhari2022.assumption-14",
    """ex x y m n N:Z, X:M(x,m), Y:M(y,m), A:M(n,x), B:M(y,n), Z:M(y,x). 2 <= N and 1 <= m and n = 1 and X @ T(X) = m*I(x) and
       Z = (1/m)*(Y @ T(X)) and 1 <= rank(Z) and 0 < sv(Z,1) and sv(Z,2) < sv(Z,1) and T(B) @ B = A @ T(A)""",
    argument="sound",
    reading="an instance with N = 2, all widths 1 and X = Y = 1; a matrix with one row or column has the second singular value 0",
)
def standing_assumptions_have_an_instance(g: Goal) -> None:
    """All matrices are 1."""
    one = "[[1]]"
    largest = one_by_one(g, one)
    g.fact("sv_range", 1, 1, one, name="order")
    nonneg = g.split(g.apply("order", 1, 1))[0]
    t = g.have(f"tr(T({one}) @ {one}) = 1", lambda g: g.field())

    def root(g: Goal) -> None:
        k = g.by_fact("product_zero", f"sv({one},1) - 1", f"sv({one},1) + 1", by=[lambda g: g.field((largest, 1), (t, 1))])
        g.cases(
            k,
            lambda g: g.field((next(reversed(g.seq.hyps)), 1)),
            lambda g: (g.contra(), g.pos([f"@{nonneg}"], ["1"], eqs=[(list(g.seq.hyps)[-2], -1)])),
        )

    value = g.have(f"sv({one},1) = 1", root)
    zero = second_value(g, one)
    g.witness("1", "1", "1", "1", "2", one, one, one, one, one)

    def close(g: Goal) -> None:
        c = g.concl
        if c[0] == "and":
            g.conj(*[close] * (len(c) - 1))
        elif "rank" in str(c):
            k = g.have(f"rank({one}) = 1", lambda g: g.compute())
            g.pos(eqs=[(k, 1)])
        elif "sv" in str(c):
            g.pos(["1"], eqs=[(value, 1), (zero, -1)]) if "2]" in str(c) or str(c).count("sv") == 2 else g.pos(
                ["1"], eqs=[(value, 1)]
            )
        elif c[0] == "=" and "mat" in str(c):
            g.ext(lambda g: g.field())
        else:
            g.auto()

    close(g)


@holds(
    "eftekhari2022.step-g-nonneg",
    """all N:Z, s h:R~>R. 2 <= N => (all t:R. 0 <= t => (s(t) != 0 => s'(t) = -(N*(s(t)^2)^(1 - 1/N)*h(t))) and (s(t) = 0 => s'(t) = 0)) =>
       0 <= s(0) => all t:R. 0 <= t => 0 <= s(t)""",
    argument="sound",
    reading="the power s^(2-2/N) of (106) is (s^2)^(1-1/N), as it stands in the operator (16) for a singular value of either sign; h(t) = u^T grad L_1 v",
)
def tracked_values_stay_nonnegative(g: Goal) -> None:
    """|(s^2)'| <= 2 N (1 + s^2)(1 + h^2) s^2, so that s stays 0 from a zero on (Gronwall); a change of sign would need a zero before."""
    g.fix()
    depth, ode, start = (g.assume() for _ in range(3))
    rate = "(2*N*(1 + s(t)^2)*(1 + h(t)^2))"
    _, slope = g.obtain(g.by_fact("antiderivative", f"lam t:R. {rate}"), "K")
    g.fix("t")
    now = g.assume()
    low = g.contra()

    def zero(g: Goal) -> None:
        def at_once(g: Goal) -> None:
            eq = next(reversed(g.seq.hyps))
            g.witness("0")
            g.conj(lambda g: g.auto(), using(now), lambda g: g.field((eq, -1)))

        def later(g: Goal) -> None:
            above = next(reversed(g.seq.hyps))

            def between(g: Goal) -> None:
                g.left_or_right(0)
                g.conj(lambda g: g.pos([f"@{above}"]), lambda g: g.pos([f"@{low}"]))

            k = g.by_fact("intermediate_value", "0", "t", "0", "lam r:R. -s(r)", by=[None, using(now), between])
            parts = g.obtain(k, "a")
            g.witness("a")
            g.conj(using(parts[0]), using(parts[1]), lambda g: g.field((parts[2], -1)))

        g.cases(g.by_fact("lt_or_eq", "0", "s(0)", by=[using(start)]), later, at_once)

    a_lo, a_hi, none = g.obtain(g.have("ex a:R. 0 <= a and a <= t and s(a) = 0", zero), "a")

    def grows(g: Goal) -> None:
        g.fix("c")
        later = g.assume()
        at = g.have("0 <= c", lambda g: g.pos([f"@{later}"], [f"@{a_lo}"]))
        general, still = g.split(g.apply(ode, "c", by=[using(at)]))
        k = g.apply(slope, "c", by=[using(at)])
        r = rate.replace("(t)", "(c)")
        d = g.differentiate("r", "s(r)^2", "c")

        def vanishing(g: Goal) -> None:
            eq = next(reversed(g.seq.hyps))
            flat = g.apply(still, by=[using(eq)])
            g.pos(eqs=[(d, -1), (flat, "-2*s(c)"), (k, "s(c)^2"), (eq, f"{r}*s(c)")])

        def moving(g: Goal) -> None:
            ne = next(reversed(g.seq.hyps))
            value = g.apply(general, by=[using(ne)])
            g.have("0 < s(c)^2", lambda g: g.auto())
            p = "(s(c)^2)^(1 - 1/N)"
            g.have("0 < N", lambda g: g.pos([f"@{depth}"], ["2"]))
            order = g.fact("total", "s(c)^2", "1")
            half_ = g.have("1/2 <= 1 - 1/N", lambda g: g.pos([f"@{depth}"], mul=["2", "N"]))
            one_ = g.have("1 - 1/N <= 1", lambda g: g.pos(["1"], mul=["N"]))
            root = g.have("(s(c)^2)^(1/2) = abs(s(c))", lambda g: absolute(g))
            square = g.fact("abs_square", "s(c)")
            g.have("0 <= abs(s(c))", lambda g: g.auto())

            def small(g: Goal) -> None:
                le = next(reversed(g.seq.hyps))
                h = g.by_fact("pow_exp_anti", "s(c)^2", "1/2", "1 - 1/N", by=[None, using(le), using(half_)])
                g.pos([f"@{h}"], ["abs(s(c))", "s(c)^2"], eqs=[(root, -1)])

            def large(g: Goal) -> None:
                ge = next(reversed(g.seq.hyps))
                h = g.by_fact("pow_exp_mono", "s(c)^2", "1 - 1/N", "1", by=[using(ge), using(one_)])
                same = g.have("(s(c)^2)^1 = s(c)^2", lambda g: g.field())
                big = g.have("1 <= abs(s(c))", lambda g: above_one(g, ge, square))
                g.pos([f"@{h}"], [f"@{big}", "s(c)^2"], ["abs(s(c))"], eqs=[(same, -1)])

            mild = g.have(f"{p} <= abs(s(c))*(1 + s(c)^2)", lambda g: g.cases(order, small, large))
            size_ = g.fact("abs_square", "s(c)")
            hs = g.fact("abs_square", "h(c)")
            g.have("0 <= abs(h(c))", lambda g: g.auto())
            product = g.fact("abs_product", "s(c)", "h(c)")
            left = g.split(g.apply(g.split(g.fact("abs_le", "s(c)*h(c)", "abs(s(c)*h(c))"))[0], by=[lambda g: g.refl()]))[0]
            bend = g.have("abs(h(c)) <= 1 + h(c)^2", lambda g: g.pos(["(abs(h(c)) - 1/2)^2"], ["3/4"], eqs=[(hs, -1)]))
            low_ = g.have("-(abs(s(c))*abs(h(c))) <= s(c)*h(c)", lambda g: g.pos([f"@{left}"], eqs=[(product, -1)]))
            g.have(f"0 < {p}")
            sa, ha = "abs(s(c))", "abs(h(c))"
            g.pos(
                ["2", "N", p, f"@{low_}"], ["2", "N", sa, ha, f"@{mild}"], ["2", "N", sa, sa, "1 + s(c)^2", f"@{bend}"],
                eqs=[(d, -1), (value, "-2*s(c)"), (k, "s(c)^2"), (size_, "-2*N*(1 + s(c)^2)*(1 + h(c)^2)")],
            )  # fmt: skip

        g.em("s(c) = 0", vanishing, moving)

    h = g.by_fact("gronwall", "a", "lam r:R. s(r)^2", "lam r:R. K(r)", by=[None, grows])
    h = g.apply(h, "t", by=[using(a_hi)])
    e = g.hyp_formula(h)[2][-1]
    square = g.have("s(t)^2 <= 0", lambda g: g.pos([f"@{h}"], eqs=[(none, ("*", -1, ("call", "s", "a"), e))]))
    g.pos([f"@{square}"], [f"@{low}", f"@{low}"])


def absolute(g: Goal) -> None:
    """(s^2)^(1/2) is the nonnegative root of s^2."""
    k = g.by_fact("sqrt_of_square", "s(c)")
    same = g.have("(s(c)^2)^(1/2) = sqrt(s(c)^2)", lambda g: g.field())
    g.field((same, 1), (k, 1))


def above_one(g: Goal, ge: str, square: str) -> None:
    """1 <= s^2 = |s|^2."""
    low = g.contra()
    g.pos([f"@{ge}"], [f"@{low}", "1 + abs(s(c))"], eqs=[(square, 1)])


@holds(
    "eftekhari2022.step-g-bounded",
    f"""all {NETWORK}. 0 <= x => 0 <= y => det(X @ T(X)) != 0 => {FLOW} ex b:R. all t:R. 0 <= t => all i:Z. 1 <= i => sv(E(t),i) <= b""",
    argument="sound",
    reading=f"E is the product of the layers; balanced or not. {PADDING.split('; r = 1')[0]}",
    context="X X^T is invertible [Section 2]",
    uses=[CONVERGENCE],
)
def singular_values_stay_bounded(g: Goal) -> None:
    """|E X - Y| does not grow, and E = (E X) X^T (X X^T)^-1."""
    g.fix()
    names = [g.assume() for _ in range(8)]
    regular, flow = names[2], names[3:]
    energy = g.lemma(CONVERGENCE, "part:energy", *("x", "y", "m", "n", "N", "X", "Y", *"ABWPQE"), by=[using(k) for k in flow])
    loss = size("E(#) @ X - Y")

    def down(g: Goal) -> None:
        g.fix("t")
        now = g.assume()
        k = g.split(g.apply(energy, "t", by=[using(now)]))[0]
        d = g.differentiate("r", loss.replace("#", "r"), "t")
        g.pos(["2", f"@{k}"], ["2", size("A'(t)")], eqs=[(d, -1)])

    falls = g.by_fact("nonincreasing", "0", f"lam r:R. {loss.replace('#', 'r')}", by=[None, down])
    inverse = g.by_fact("inv_right", "x", "X @ T(X)", by=[using(regular)])
    (right,) = g.obtain(
        g.have("ex V:M(m,x). X @ V = I(x)", lambda g: (g.witness("T(X) @ inv(X @ T(X))"), g.nc((inverse, 1, None, None)))[-1]),
        "V",
        split=False,
    )
    level = f"(2*({loss.replace('#', '0')} + {size('Y')})*{size('V')})"
    g.witness(f"1 + {level}")
    g.fix("t")
    now = g.assume()
    g.fix("i")
    low = g.apply(falls, "0", "t", by=[None, using(now)])
    image = g.have("E(t) = (E(t) @ X) @ V", lambda g: g.nc((right, -1, "E(t)", None)))
    most = g.fact("frobenius_submultiplicative", "y", "m", "x", "E(t) @ X", "V")
    own = g.have(f"{size('E(t)')} <= {size('E(t) @ X')}*{size('V')}", lambda g: close_to(g, most, image))
    apart = g.have(
        f"{size('E(t) @ X')} <= 2*{loss.replace('#', 't')} + 2*{size('Y')}", lambda g: g.pos([size("E(t) @ X - Y - Y")])
    )
    whole = g.have(
        f"{size('E(t)')} <= {level}", lambda g: g.pos([f"@{own}"], [f"@{apart}", size("V")], ["2", f"@{low}", size("V")])
    )
    g.assume()
    order = g.apply(g.split(g.apply(g.fact("sv_range", "y", "x", "E(t)"), "1", "i"))[1])
    first = g.have(f"sv(E(t),1)^2 <= {size('E(t)')}", lambda g: top(g, "y", "E(t)"))
    g.pos([f"@{order}"], [f"@{first}"], [f"@{whole}"], ["(sv(E(t),1) - 1/2)^2"], ["3/4"])


def close_to(g: Goal, most: str, image: str) -> None:
    """|E|^2 <= |E X|^2 |V|^2."""
    left = g.hyp_formula(most)[1]
    same = g.have(
        ("=", left, g.term(size("E(t)"))),
        lambda g: (g.replace(left[1][2], "E(t)", lambda g: g.nc((image, -1, None, None))), g.refl())[-1],
    )
    g.pos([f"@{most}"], eqs=[(same, 1)])


@holds(
    "eftekhari2022.fig-1-outside-local",
    f"""all x:Z, Z W:M(1,x). Z != O(1,x) => {size("W")} = 100*{size("Z")} => not {size("Z - W")} < sv(Z,1)^2""",
    argument="sound",
    reading="one row (d_y = 1), where the least singular value of Z is its norm; only |W_0| = 10 |Z| is used, not the angle of 30 degrees: (40) fails",
)
def starts_of_the_figure_violate_the_local_condition(g: Goal) -> None:
    """|Z - W| >= 9 |Z|."""
    g.fix()
    some, far = g.assume(), g.assume()
    near = g.assume()
    cauchy = g.fact("frobenius_cauchy", "1", "x", "Z", "W")
    a, c = size("Z"), "tr(T(Z) @ W)"

    def positive(g: Goal) -> None:
        low = g.contra()
        zero = g.have(f"{a} = 0", lambda g: g.antisym(using(low), lambda g: g.pos([a])))
        g.clash(g.by_fact("frobenius_zero", "1", "x", "Z", by=[using(zero)]), some)

    above = g.have(f"0 < {a}", positive)

    def bound(g: Goal) -> None:
        low = g.contra()
        g.pos([f"@{cauchy}"], [f"@{low}", f"{c} + 10*{a}"], eqs=[(far, f"-{a}")])

    cross = g.have(f"{c} <= 10*{a}", bound)
    largest = g.have(f"sv(Z,1)^2 <= {a}", lambda g: top(g, "1", "Z"))
    value = g.have(f"{size('Z - W')} = {a} - 2*{c} + {size('W')}", lambda g: g.field())
    g.pos([f"@{near}"], [f"@{largest}"], ["2", f"@{cross}"], ["80", f"@{above}"], eqs=[(value, 1), (far, 1)])


def top(g: Goal, rows: str, m: str) -> None:
    """sv(m,1)^2 is at most |m|^2, as |m v| <= |m| |v|."""

    def each(g: Goal) -> None:
        g.fix("v")
        k = g.fact("frobenius_submultiplicative", rows, "x", "1", m, "v")
        root = g.by_fact("sqrt_sq", size(m))
        g.pos([f"@{k}"], eqs=[(root, size("v"))])

    h = g.by_fact("spec_least", rows, "x", f"sqrt({size(m)})", m, by=[None, each])
    root = g.by_fact("sqrt_sq", size(m))
    order = g.fact("sv_range", rows, "x", m)
    g.split(g.apply(order, "1", "1"))
    h = g.rewritten(h, g.fact("spec_is_sv", rows, "x", m))
    g.pos([f"@{h}", f"sqrt({size(m)}) + sv({m},1)"], eqs=[(root, -1)])
