"""Appendices A.1, A.5, A.6: members of the manifolds in coordinates, as Kronecker products, and the explicit flow."""

from __future__ import annotations

from proofs.bai2024.component_manifold_dynamics import chain
from proofs.bai2024.graphs import PATTERN
from proofs.bai2024.invariant_manifolds import COUNT, FLOW, INDEPENDENT, spans, within
from proofs.bai2024.representable import gram_is_regular
from proofs.bai2024.setting import last
from verify.kernel import Goal, negate
from verify.kernel.tactics import Script
from verify.registry import amendment, holds, part, refuted, undecided

SPACE = f"all d k:Z, V:M(k,d). 1 <= d => 0 <= k => k <= d => {INDEPENDENT} =>"
PLACE = "1 <= i and i <= d and 1 <= j and j <= d"
ROW_SPAN = "(all i:Z. 1 <= i and i <= d => ex c:V(k). all l:Z. 1 <= l and l <= d => A[i,l] = (T(V) @ c)[l,1])"
COLUMN_SPAN = "(all j:Z. 1 <= j and j <= d => ex c:V(k). all l:Z. 1 <= l and l <= d => B[l,j] = (T(V) @ c)[l,1])"


undecided(
    "bai2024.eq-8",
    outcome="ill-formed",
    reason="I_i = {j : there is an i with (i,j) observed} binds i itself and does not depend on it, so that the sum runs over positions (i,j)"
    " that are not observed, where M_ij does not exist; meant are the columns that are observed in row i",
    argument="sound",
)


@amendment(
    "bai2024.eq-8",
    f"""all d:Z, n:R, P M:M(d,d), A B:R~>M(d,d). 1 <= d => {PATTERN} => 0 < n => {COUNT} => {FLOW} => all t:R, i k:Z. 0 <= t and 1 <= i and i <= d
       and 1 <= k and k <= d =>
       A'(t)[i,k] = -2/n*sum(j, 1, d, P[i,j]*(sum(q, 1, d, A(t)[i,q]*B(t)[q,j]) - M[i,j])*B(t)[k,j]) and
       B'(t)[k,i] = -2/n*sum(j, 1, d, P[j,i]*(sum(q, 1, d, A(t)[j,q]*B(t)[q,i]) - M[j,i])*A(t)[j,k])""",
    says="With the sums over the observed entries of row i (of column j): those with P = 1.",
)
def flow_by_rows_and_columns(g: Goal) -> None:
    """The matrix form of the flow, entry by entry."""
    g.fix()
    for _ in range(4):
        g.assume()
    laws = g.split(g.assume())
    g.fix("t", "i", "k")
    g.split(g.assume())
    residual = "had(P, A(t) @ B(t) - M)"
    a, b = g.apply(laws[0], "t"), g.apply(laws[1], "t")

    def terms(g: Goal, left: str, right: str) -> str:
        each: Script = lambda g: (g.fix("j"), g.assume(), g.field())[-1]  # noqa: E731
        return g.by_fact("sum_ext", 1, "d", f"lam j:Z. {left}", f"lam j:Z. {right}", by=[each])

    def rows(g: Goal) -> None:
        g.rewrite(a)
        m = g.apply(g.fact("mm_entry", "d", "d", "d", residual, "T(B(t))"), "i", "k")
        e = terms(g, f"{residual}[i,j]*T(B(t))[j,k]", "P[i,j]*(sum(q, 1, d, A(t)[i,q]*B(t)[q,j]) - M[i,j])*B(t)[k,j]")
        g.field((m, "-2/n"), (e, "-2/n"))

    def columns(g: Goal) -> None:
        g.rewrite(b)
        m = g.apply(g.fact("mm_entry", "d", "d", "d", "T(A(t))", residual), "k", "i")
        e = terms(g, f"T(A(t))[k,j]*{residual}[j,i]", "P[j,i]*(sum(q, 1, d, A(t)[j,q]*B(t)[q,i]) - M[j,i])*A(t)[j,k]")
        g.field((m, "-2/n"), (e, "-2/n"))

    g.conj(rows, columns)


@holds(
    "bai2024.eq-11",
    """all d:Z, P:M(d,d), r c:Z->Z, p:Z. (all i j:Z. P[i,j] = 0 or P[i,j] = 1) => (all i j:Z. P[i,j] = 1 => r(i) = c(j)) =>
       ex f g:Z->Z. (all i:Z. f(i) = 1 <=> (ex j:Z. P[i,j] = 1 and r(i) = p)) and (all j:Z. g(j) = 1 <=> (ex i:Z. P[i,j] = 1 and r(i) = p)) and
         (all i j:Z. P[i,j] = 1 => (f(i) = 1 <=> g(j) = 1))""",
    argument="sound",
    reading="well-formed: r and c are labels of rows and columns that agree along observed entries, such as the number of the component; f and g"
    " are the indicators of R_p and C_p, and an observed entry is in R_p exactly if it is in C_p",
)
def index_sets_of_a_component(g: Goal) -> None:
    """The indicator of a row or column is that of a sum of squares being zero or not."""
    g.fix()
    binary, labels = g.assume(), g.assume()
    outside = g.fact("entry_outside", "d", "d", "P")

    def sets(row: bool, name: str) -> str:
        entry = "P[x,q]" if row else "P[q,x]"
        (h,) = g.obtain(g.fact("indicator", "lam x:Z. r(x) - p" if row else "lam x:Z. c(x) - p"), f"{name}0", split=False)
        (k,) = g.obtain(g.fact("indicator", f"lam x:Z. sum(q, 1, d, {entry})"), f"{name}1", split=False)
        value = f"{name}1(x)*(1 - {name}0(x))"
        e = g.have(
            f"ex {name}:Z->Z. all x:Z. {name}(x) = {value}", lambda g: (g.witness(f"lam x:Z. {value}"), g.fix("x"), g.refl())[-1]
        )
        (f,) = g.obtain(e, name, split=False)

        def each(g: Goal) -> None:
            g.fix("x")
            own = g.apply(f, "x")
            at, off = g.split(g.apply(h, "x"))
            none, some = g.split(g.apply(k, "x"))

            def forward(g: Goal) -> None:
                one = g.assume()

                def label(g: Goal) -> None:
                    g.contra("ne")
                    z = g.apply(off, by=[lambda g: away(g)])
                    g.pos([], eqs=[(one, 1), (own, -1), (z, f"{name}1(x)")])

                same = g.have(f"{'r' if row else 'c'}(x) = p", label)

                def seen(g: Goal) -> None:
                    no = g.contra()

                    def zero(g: Goal) -> None:
                        g.fix("q")
                        g.assume()
                        place = "x,q" if row else "q,x"

                        def first(g: Goal) -> None:
                            g.close_by(last(g))

                        def second(g: Goal) -> None:
                            o = last(g)
                            witness = "ex q:Z. P[x,q] = 1" if row else "ex q:Z. P[q,x] = 1"
                            both = g.have(witness, lambda g: (g.witness("q"), g.close_by(o))[-1])
                            g.clash(both, no)

                        g.cases(g.apply(binary, *place.split(",")), first, second)

                    s = g.by_fact("sum_ext", 1, "d", f"lam q:Z. {entry}", "lam q:Z. 0", by=[zero])
                    empty = g.have(f"sum(q, 1, d, {entry}) = 0", lambda g: g.field((s, 1)))
                    z = g.apply(none, by=[lambda g: g.close_by(empty)])
                    g.pos([], eqs=[(one, 1), (own, -1), (z, f"-(1 - {name}0(x))")])

                found = g.have("ex q:Z. P[x,q] = 1" if row else "ex q:Z. P[q,x] = 1", seen)
                one_ = g.obtain(found, "q", split=False)[0]
                g.witness("q")

                def marked(g: Goal) -> None:
                    if row:
                        g.close_by(same)
                    else:
                        k = g.apply(labels, "q", "x")
                        g.field((k, 1), (same, 1))

                g.conj(lambda g: g.close_by(one_), marked)

            def backward(g: Goal) -> None:
                one, same = g.obtain(g.assume(), "q")
                place = ("x", "q") if row else ("q", "x")
                if not row:
                    k = g.apply(labels, "q", "x")
                    same = g.have("c(x) = p", lambda g, s=same: g.field((k, -1), (s, 1)))
                z = g.apply(at, by=[lambda g: g.field((same, 1))])

                def inside(g: Goal) -> None:
                    g.contra("out")
                    zero = g.apply(outside, *place, by=[lambda g: g.close_by("out")])
                    g.pos([], eqs=[(one, 1), (zero, -1)])

                ranges = g.have(f"1 <= {place[0]} and {place[0]} <= d and 1 <= {place[1]} and {place[1]} <= d", inside)
                g.split(ranges)

                def nonnegative(g: Goal) -> None:
                    g.fix("z")
                    g.assume()
                    g.cases(
                        g.apply(binary, *(("x", "z") if row else ("z", "x"))),
                        lambda g: g.pos(eqs=[(last(g), 1)]),
                        lambda g: g.pos(["1"], eqs=[(last(g), 1)]),
                    )

                low = g.apply(g.by_fact("sum_term_le", 1, "d", f"lam q:Z. {entry}", by=[nonnegative]), "q")

                def positive(g: Goal) -> None:
                    eq = g.contra()
                    g.pos([f"@{low}"], [], eqs=[(one, 1), (eq, -1)])

                u = g.apply(some, by=[lambda g: g.have(f"sum(q, 1, d, {entry}) != 0", positive) and g.close_by(last(g))])
                g.field((own, 1), (u, f"1 - {name}0(x)"), (z, "-1"))

            g.iff(forward, backward)

        member = f"ex q:Z. {entry} = 1 and " + ("r(x) = p" if row else "r(q) = p")
        return g.have(f"all x:Z. {name}(x) = 1 <=> ({member})", each)

    def away(g: Goal) -> None:
        eq = g.contra()
        f = g.hyp_formula("ne")
        k = g.have(("=", f[1], f[2]), lambda g: g.field((eq, 1)))
        g.clash(k, "ne")

    rows, columns = sets(True, "f"), sets(False, "g")
    g.witness("f", "g")

    def agree(g: Goal) -> None:
        g.fix("i", "j")
        one = g.assume()
        fr, fb = g.split(g.apply(rows, "i"))
        gr, gb = g.split(g.apply(columns, "j"))

        def forward(g: Goal) -> None:
            mark = g.assume()
            _, same = g.obtain(g.apply(fr, by=[lambda g: g.close_by(mark)], n=1), "q")
            g.close_by(
                g.apply(
                    gb, by=[lambda g: (g.witness("i"), g.conj(lambda g: g.close_by(one), lambda g: g.close_by(same)))[-1]], n=1
                )
            )

        def backward(g: Goal) -> None:
            mark = g.assume()
            seen, same = g.obtain(g.apply(gr, by=[lambda g: g.close_by(mark)], n=1), "q")
            a, b = g.apply(labels, "q", "j"), g.apply(labels, "i", "j")
            own = g.have("r(i) = p", lambda g: g.field((b, 1), (a, -1), (same, 1)))
            g.close_by(
                g.apply(
                    fb, by=[lambda g: (g.witness("j"), g.conj(lambda g: g.close_by(one), lambda g: g.close_by(own)))[-1]], n=1
                )
            )

        g.iff(forward, backward)

    g.conj(lambda g: g.close_by(rows), lambda g: g.close_by(columns), agree)


@holds(
    "bai2024.thm-a5-step-coordinates",
    f"{SPACE} all A B:M(d,d). {within('A', 'B')} => ex C:M(d,k), D:M(k,d). A = C @ V and B = T(V) @ D",
    argument="sound",
    reading="Omega_k as in this proof (rows and columns contained in the span); c_ij and d_ij are the entries of C and D",
)
def coordinates_of_the_factors(g: Goal) -> None:
    """The definition."""
    g.fix()
    for _ in range(4):
        g.assume()
    g.fix("A", "B")
    a, b = g.split(g.assume())
    x = g.obtain(a, "X")[0]
    y = g.obtain(b, "Y")[0]
    g.witness("X", "Y")
    g.conj(lambda g: g.close_by(x), lambda g: g.close_by(y))


PRODUCT = "all C:M(d,k), D:M(k,d), A B:M(d,d). A = C @ V => B = T(V) @ D =>"


@refuted(
    "bai2024.thm-a5-step-product",
    f"""{SPACE} {PRODUCT} all p q:Z. 1 <= p and p <= d and 1 <= q and q <= d =>
       (A @ B)[p,q] = sum(i, 1, k, sum(j, 1, k, sum(l, 1, d, C[l,i]*D[j,l])*(V[i,p]*V[j,q])))""",
    argument="fails",
    reason="the right side is (B A)^T: the rows of A meet the columns of B in the inner products alpha_i . alpha_j. d = k = 2, the unit vectors,"
    " A = [0,1; 0,0], B = [1,0; 0,0]: A B = 0, and the right side has the entry 1 at (2,1)",
)
def outer_products_give_the_other_product(g: Goal) -> None:
    """d = k = 2."""
    g.witness("2", "2", "I(2)")

    def independent(g: Goal) -> None:
        g.fix("v")
        h = g.assume()
        g.nc((h, 1, None, None))

    def product(g: Goal) -> None:
        a, b = "[[0,1],[0,0]]", "[[1,0],[0,0]]"
        g.witness(a, b, a, b)

        def differ(g: Goal) -> None:
            g.witness("2", "1")

            def no(g: Goal) -> None:
                eq = g.contra()
                g.pos([], eqs=[(eq, 1)])

            g.conj(None, no)

        chain(lambda g: g.nc(), lambda g: g.ext(lambda g: g.field()), differ)(g)

    chain(Goal.auto, Goal.auto, Goal.auto, independent, product)(g)


@amendment(
    "bai2024.thm-a5-step-product",
    f"""{SPACE} {PRODUCT} A @ B = C @ (V @ T(V)) @ D""",
    says="A B = C (alpha_i . alpha_j)_ij D: the entry (p, q) is the sum over i, j of c_pi d_jq alpha_i . alpha_j.",
)
def product_in_coordinates(g: Goal) -> None:
    """Substitute."""
    g.fix()
    for _ in range(4):
        g.assume()
    g.fix()
    a, b = g.assume(), g.assume()
    g.nc((a, 1, None, "B"), (b, 1, "C @ V", None))


SPAN_REASON = "(all u v:V(d). C = u @ T(v) => ex X:M(k,k). C = T(V) @ X @ V)"


@refuted(
    "bai2024.thm-a5-step-outer-span",
    f"""{SPACE} all C:M(d,d). rank(C) <= k => (ex A B:M(d,d). {within("A", "B")} and A @ B = C) and {SPAN_REASON}""",
    argument="fails",
    reason="the representation exists, but not for the reason given: the products alpha_i alpha_j^T span only the matrices T(V) X V, of which"
    " u v^T need not be one: d = 2, k = 1, alpha = e_1, C = e_2 e_2^T",
    reading="the factors as in this proof (contained in the span), and the reason for C of rank one",
)
def outer_products_do_not_span(g: Goal) -> None:
    """The entry (2, 2) of alpha X alpha^T is 0."""
    g.witness("2", "1", "[[1,0]]")

    def independent(g: Goal) -> None:
        g.fix("v")
        zero = g.assume()
        e = g.have("(T([[1,0]]) @ v)[1,1] = O(2,1)[1,1]", lambda g: (g.rewrite(zero), g.refl())[-1])
        g.ext(lambda g: g.field((e, 1)))

    def example(g: Goal) -> None:
        g.witness("[[0,0],[0,1]]")

        def rank(g: Goal) -> None:
            k = g.have("rank([[0,0],[0,1]]) = 1", lambda g: g.compute())
            g.pos(eqs=[(k, -1)])

        def wrong(g: Goal) -> None:
            g.left_or_right(1)
            g.witness("[[0],[1]]", "[[0],[1]]")

            def never(g: Goal) -> None:
                g.fix("X")
                eq = g.contra()
                left, right = g.hyp_formula(eq)[1:]
                k = g.have(("=", ("entry", left, 2, 2), ("entry", right, 2, 2)), lambda g: (g.rewrite(eq), g.refl())[-1])
                g.pos([], eqs=[(k, -1)])

            g.conj(lambda g: g.ext(lambda g: g.field()), never)

        g.conj(rank, wrong)

    chain(Goal.auto, Goal.auto, Goal.auto, independent, example)(g)


@amendment(
    "bai2024.thm-a5-step-outer-span",
    f"all d k:Z, V:M(k,d), C:M(d,d). 1 <= d => 0 <= k => k <= d => {INDEPENDENT} => rank(C) <= k => ex A B:M(d,d). {within('A', 'B')} and A @ B = C",
    says="Suitable factors exist: A = X V and B = V^T (V V^T)^-1 Y for C = X Y.",
    uses=["bai2024.thm-a5-step-representable"],
)
def factors_exist(g: Goal) -> None:
    """The amended statement on representable matrices."""
    g.close_by(g.lemma("bai2024.thm-a5-step-representable"))


def closed(member: str, limit: str) -> str:
    """The limit of members is a member."""
    return f"{SPACE} all A B:R->M(d,d), C G:M(d,d). (all t:R. {member}) => tends(t, A(t), C) => tends(t, B(t), G) => {limit}"


@part(
    "bai2024.thm-a4-step-closedness",
    "with-equality",
    f"not ({closed(spans('A(t)', 'B(t)'), spans('C', 'G'))})",
    says="with equality of the spaces, as in Equation (7), the set is not closed: d = k = 1, A(t) = B(t) = exp(-t), whose limit 0 is no member",
)
def exponentials_leave_the_set(g: Goal) -> None:
    """The negation, by an example."""
    opposite = g.have(negate(g.concl[1]), exponentials)
    g.clash(g.assume(), opposite)


def exponentials(g: Goal) -> None:
    """exp(-t) is not 0, its limit is."""
    g.witness("1", "1", "[[1]]")

    def independent(g: Goal) -> None:
        g.fix("v")
        zero = g.assume()
        e = g.have("(T([[1]]) @ v)[1,1] = O(1,1)[1,1]", lambda g: (g.rewrite(zero), g.refl())[-1])
        g.ext(lambda g: g.field((e, 1)))

    def example(g: Goal) -> None:
        g.witness("lam t:R. [[exp(-t)]]", "lam t:R. [[exp(-t)]]", "[[0]]", "[[0]]")

        def members(g: Goal) -> None:
            g.fix("t")
            parts = ["[[exp(-t)]]", "[[exp(t)]]", "[[exp(-t)]]", "[[exp(t)]]"]
            g.conj(*[lambda g, x=x: (g.witness(x), g.ext(lambda g: g.field()))[-1] for x in parts])

        def limit(g: Goal) -> None:
            h = g.by_fact("tends_exp_decay", "1")
            decay = ("lam", ((g.hyp_formula(h)[1], "R"),), g.hyp_formula(h)[2])
            same = g.by_fact(
                "tends_ext",
                "0",
                "0",
                decay,
                "lam t:R. exp(-t)",
                by=[lambda g: (g.fix("t"), g.assume(), g.field())[-1], lambda g: g.close_by(h)],
            )
            _, back = g.split(g.fact("tends_matrix", 1, 1, "[[0]]", "lam t:R. [[exp(-t)]]"))

            def entries(g: Goal) -> None:
                g.fix("i", "j")
                g.split(g.assume())
                for x in ("i", "j"):
                    one = g.have(f"{x} = 1", lambda g: g.antisym())
                    g.rewrite(one)
                k = g.by_fact(
                    "tends_ext",
                    "0",
                    "0",
                    "lam t:R. exp(-t)",
                    "lam t:R. [[exp(-t)]][1,1]",
                    by=[lambda g: (g.fix("t"), g.assume(), g.field())[-1], lambda g: g.close_by(same)],
                )
                g.exact(k)

            g.close_by(g.apply(back, by=[entries], n=1))

        def outside(g: Goal) -> None:
            g.left_or_right(1)
            g.fix("X")
            eq = g.contra()
            left, right = g.hyp_formula(eq)[1:]
            k = g.have(("=", ("entry", left, 1, 1), ("entry", right, 1, 1)), lambda g: (g.rewrite(eq), g.refl())[-1])
            g.pos([], eqs=[(k, -1)])

        chain(members, limit, limit, outside)(g)

    chain(Goal.auto, Goal.auto, Goal.auto, independent, example)(g)


@holds(
    "bai2024.thm-a4-step-closedness",
    closed(within("A(t)", "B(t)"), within("C", "G")),
    argument="sound",
    reading="Omega_k is the set of Equation (32) of the same section, with row(A) and col(B) contained in the span: only this one is a subspace",
    readings=[("equality of the spaces, as in Equation (7)", "refuted", "with-equality")],
)
def containment_is_closed(g: Goal) -> None:
    """With S = V^T (V V^T)^-1 V a member has A S = A and S B = B, which holds in the limit."""
    g.fix()
    for _ in range(3):
        g.assume()
    g.assume("independent")
    g.fix()
    members, a, b = g.assume(), g.assume(), g.assume()
    g.have("det(V @ T(V)) != 0", gram_is_regular, name="det")
    right = g.by_fact("inv_right", "k", "V @ T(V)")
    left = g.by_fact("inv_left", "k", "V @ T(V)")
    s, value = "S", "T(V) @ inv(V @ T(V)) @ V"
    (s_is,) = g.obtain(g.have(f"ex S:M(d,d). S = {value}", lambda g: (g.witness(value), g.refl())[-1]), "S", split=False)
    constant = g.fact("tends_matrix_const", "d", "d", s)

    def fixed(function: str, limit: str, known: str, rows: bool) -> str:
        e, f = (f"lam t:R. {function}(t)", f"lam t:R. {s}") if rows else (f"lam t:R. {s}", f"lam t:R. {function}(t)")
        lim = (limit, s) if rows else (s, limit)
        order = [known, constant] if rows else [constant, known]
        k = g.by_fact("tends_matrix_mul", "d", "d", "d", *lim, e, f, by=[lambda g, h=h: g.close_by(h) for h in order])
        product = f"{limit} @ {s}" if rows else f"{s} @ {limit}"

        def equal(g: Goal) -> None:
            g.extn("i", "j")
            one, _ = g.split(g.fact("tends_matrix", "d", "d", limit, f"lam t:R. {function}(t)"))
            p = g.apply(g.apply(one, by=[lambda g: g.close_by(known)], n=1), "i", "j")

            def same(g: Goal) -> None:
                g.close_by(k)

            third, _ = g.split(
                g.fact(
                    "tends_matrix",
                    "d",
                    "d",
                    product,
                    f"lam t:R. {function}(t) @ {s}" if rows else f"lam t:R. {s} @ {function}(t)",
                )
            )
            q = g.apply(g.apply(third, by=[same], n=1), "i", "j")
            moved = f"({function}(t) @ {s})[i,j]" if rows else f"({s} @ {function}(t))[i,j]"

            def each(g: Goal) -> None:
                g.fix("t")
                g.assume()
                m = g.split(g.apply(members, "t"))[0 if rows else 1]
                x = g.obtain(m, "X")[0]
                side = (
                    g.have(
                        f"{function}(t) @ {s} = {function}(t)",
                        lambda g: g.nc((x, 1, None, s), (s_is, 1, "X @ V", None), (right, 1, "X", "V"), (x, -1, None, None)),
                    )
                    if rows
                    else g.have(
                        f"{s} @ {function}(t) = {function}(t)",
                        lambda g: g.nc((x, 1, s, None), (s_is, 1, None, "T(V) @ X"), (left, 1, "T(V)", "X"), (x, -1, None, None)),
                    )
                )
                g.rewrite(side)
                g.refl()

            back = g.by_fact(
                "tends_ext",
                "0",
                f"({product})[i,j]",
                f"lam t:R. {moved}",
                f"lam t:R. {function}(t)[i,j]",
                by=[each, lambda g: g.close_by(q)],
            )
            u = g.by_fact(
                "tends_unique",
                f"{limit}[i,j]",
                f"({product})[i,j]",
                f"lam t:R. {function}(t)[i,j]",
                by=[lambda g: g.close_by(p), lambda g: g.close_by(back)],
            )
            g.close_by(u)

        return g.have(f"{limit} = {product}", equal)

    one, two = fixed("A", "C", a, True), fixed("B", "G", b, False)
    g.conj(
        lambda g: (g.witness("C @ T(V) @ inv(V @ T(V))"), g.nc((one, 1, None, None), (s_is, 1, "C", None)))[-1],
        lambda g: (g.witness("inv(V @ T(V)) @ V @ G"), g.nc((two, 1, None, None), (s_is, 1, None, "G")))[-1],
    )
