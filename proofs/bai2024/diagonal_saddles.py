"""Proposition A.9: the vector of the escape from each saddle of diagonal data."""

from __future__ import annotations

from proofs.bai2024.setting import last
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import holds

SIGN_VECTOR = "bai2024.prop-a9-step-sign-vector"
LEARNED = "(all k:Z. 1 <= k and k < i => r(k) = 0) => (all k:Z. i <= k and k <= d => r(k) = m(k)) =>"
"""-deltaM = diag(r(1), ..., r(d)): the entries before i are learned, the others are not."""


def eigen(value: str) -> str:
    """(x, y) solves the equations of an eigenvector of [0, -deltaM; -deltaM^T, 0] for this eigenvalue."""
    return f"(all k:Z. 1 <= k and k <= d => r(k)*y(k) = {value}*x(k) and r(k)*x(k) = {value}*y(k))"


NONZERO = "(ex k:Z. 1 <= k and k <= d and (x(k) != 0 or y(k) != 0))"


def top(value: str, sign: str) -> str:
    """The value is the largest eigenvalue, its eigenvectors are the multiples of (e_i, sign e_i), and their products with c satisfy
    B_{.,i} = sign A^T_{.,i}."""
    own = eigen(value)
    return f"""(all x y:Z->R. (all k:Z. 1 <= k and k <= d => x(k) = I(d)[k,i] and y(k) = {sign}*I(d)[k,i]) => {own}) and
       (all l:R, x y:Z->R. {NONZERO} => {eigen("l")} => l <= {value}) and
       (all x y:Z->R. {own} => y(i) = {sign}*x(i) and (all k:Z. 1 <= k and k <= d and k != i => x(k) = 0 and y(k) = 0) and
         (all c:Z->R, A B:M(d,d). (all k l:Z. 1 <= k and k <= d and 1 <= l and l <= d => A[k,l] = x(k)*c(l) and B[l,k] = y(k)*c(l)) =>
            (all l:Z. 1 <= l and l <= d => B[l,i] = {sign}*A[i,l])))"""


@holds(
    SIGN_VECTOR,
    f"""all d i:Z, m r s:Z->R. 1 <= i => i <= d => (all k:Z. 1 <= k and k <= d => m(k) != 0 and s(k)^2 = 1 and s(k)*m(k) = abs(m(k))) =>
       (all k j:Z. 1 <= k and k < j and j <= d => abs(m(j)) < abs(m(k))) => {LEARNED} {top("abs(m(i))", "s(i)")}""",
    argument="sound",
    reading="s(k) = sign(mu_k), at a critical point where the entries before i are learned; the escape is along v (x) c, v an eigenvector of the largest"
    " eigenvalue |mu_i|. The index n in the printed ordering is d",
)
def largest_entry_not_learned_gives_the_vector(g: Goal) -> None:
    """The equations give r(k)^2 x(k) = l^2 x(k), and r(k)^2 < mu_i^2 for k != i."""
    g.fix()
    g.assume("low")
    g.assume("high")
    signs, order, learned, others = g.assume(), g.assume(), g.assume(), g.assume()
    g.split(g.apply(signs, "i"), "nonzero", "square", "size")
    own = g.apply(others, "i", by=[lambda g: g.conj(lambda g: g.refl(), None)])
    value = g.fact("abs_square", "m(i)")
    positive = g.have("0 < abs(m(i))")

    def smaller(g: Goal) -> None:
        (k,) = g.fix("k")
        g.split(g.assume())

        def before(g: Goal) -> None:
            z = g.apply(learned, k)
            g.pos([f"@{positive}", f"@{positive}"], eqs=[(z, "-r(k)")])

        def after(g: Goal) -> None:
            at = g.apply(others, k)
            less = g.apply(order, "i", k)
            own_square = g.fact("abs_square", "m(k)")
            g.pos([f"@{less}", f"@{positive}"], [f"@{less}", "abs(m(k))"], eqs=[(at, "-(r(k) + m(k))"), (own_square, 1)])

        def same(g: Goal) -> None:
            g.clash(last(g), next(h for h, f in g.seq.hyps.items() if f == ("!=", "k", "i")))

        def late(g: Goal) -> None:
            h = last(g)
            g.have("i <= k", lambda g: g.pos([f"@{h}"]))
            after(g)

        g.cases(g.fact("trichotomy", "k", "i"), before, same, late)

    less = g.have("all k:Z. 1 <= k and k <= d and k != i => r(k)^2 < abs(m(i))^2", smaller)

    def vector(g: Goal) -> None:
        g.fix("x", "y")
        shape = g.assume()
        g.fix("k")
        g.split(g.assume())
        a, b = g.split(g.apply(shape, "k"))

        def here(g: Goal) -> None:
            eq = last(g)
            at = g.have("r(k) = m(i)", lambda g: (g.rewrite(eq), g.close_by(own))[-1])
            g.conj(
                lambda g: g.field((a, "-abs(m(i))"), (b, "r(k)"), (at, "s(i)*I(d)[k,i]"), ("size", "I(d)[k,i]")),
                lambda g: g.field(
                    (a, "r(k)"), (b, "-abs(m(i))"), (at, "I(d)[k,i]"), ("size", "s(i)*I(d)[k,i]"), ("square", "-m(i)*I(d)[k,i]")
                ),
            )

        def away(g: Goal) -> None:
            zero = g.have("I(d)[k,i] = 0", lambda g: g.field())
            both: list[Script | None] = [
                lambda g: g.field((a, "-abs(m(i))"), (b, "r(k)"), (zero, "r(k)*s(i) - abs(m(i))")),
                lambda g: g.field((a, "r(k)"), (b, "-abs(m(i))"), (zero, "r(k) - abs(m(i))*s(i)")),
            ]
            g.conj(*both)

        g.em("k = i", here, away)

    def squares(g: Goal, k: str, law: str, l_: str) -> tuple[str, str]:
        """(r^2 - l^2) x = 0 and (r^2 - l^2) y = 0 at k."""
        a, b = g.split(g.apply(law, k))
        one = g.have(f"(r({k})^2 - ({l_})^2)*x({k}) = 0", lambda g: g.field((b, f"r({k})"), (a, l_)))
        two = g.have(f"(r({k})^2 - ({l_})^2)*y({k}) = 0", lambda g: g.field((a, f"r({k})"), (b, l_)))
        return one, two

    def largest(g: Goal) -> None:
        g.fix("l", "x", "y")
        some, law = g.assume(), g.assume()
        *_, nonzero = g.obtain(some, "k")
        pair = squares(g, "k", law, "l")

        def equal(g: Goal, product: str, x: str) -> None:
            h = last(g)

            def gap(g: Goal) -> None:
                z = last(g)

                def bound(g: Goal) -> None:
                    def here(g: Goal) -> None:
                        eq = last(g)
                        v = g.have("r(k) = m(i)", lambda g: (g.rewrite(eq), g.close_by(own))[-1])
                        g.pos(eqs=[(v, "-(r(k) + m(i))"), (value, 1)])

                    def away(g: Goal) -> None:
                        b = g.apply(less, "k")
                        g.pos([f"@{b}"])

                    g.em("k = i", here, away)

                most = g.have("r(k)^2 <= abs(m(i))^2", bound)
                g.contra("more")
                g.pos(["@more", f"@{positive}"], ["@more", "@more"], [f"@{positive}", "@more"], [f"@{most}"], eqs=[(z, 1)])

            def flat(g: Goal) -> None:
                g.clash(last(g), h)

            g.cases(g.by_fact("product_zero", "r(k)^2 - l^2", x, by=[lambda g: g.close_by(product)]), gap, flat)

        g.cases(nonzero, lambda g: equal(g, pair[0], "x(k)"), lambda g: equal(g, pair[1], "y(k)"))

    def simple(g: Goal) -> None:
        g.fix("x", "y")
        law = g.assume()
        a = g.split(g.apply(law, "i"))[0]
        same = g.have(
            "y(i) = s(i)*x(i)",
            lambda g: g.field((a, "s(i)/abs(m(i))"), (own, "-s(i)*y(i)/abs(m(i))"), ("size", "-y(i)/abs(m(i))")),
        )

        def rest(g: Goal) -> None:
            g.fix("k")
            g.split(g.assume())
            pair = squares(g, "k", law, "abs(m(i))")
            b = g.apply(less, "k")

            def zero(product: str, x: str) -> Script:
                def script(g: Goal) -> None:
                    def gap(g: Goal) -> None:
                        z = last(g)
                        g.contra()
                        g.pos([f"@{b}"], eqs=[(z, 1)])

                    h = g.by_fact("product_zero", "r(k)^2 - abs(m(i))^2", x, by=[lambda g: g.close_by(product)])
                    g.cases(h, gap, lambda g: g.close_by(last(g)))

                return script

            g.conj(zero(pair[0], "x(k)"), zero(pair[1], "y(k)"))

        def products(g: Goal) -> None:
            g.fix("c", "A", "B")
            shape = g.assume()
            g.fix("l")
            g.split(g.assume())
            u, v = g.split(g.apply(shape, "i", "l"))
            g.field((v, 1), (u, "-s(i)"), (same, "c(l)"))

        g.conj(lambda g: g.close_by(same), rest, products)

    g.conj(vector, largest, simple)


@holds(
    "bai2024.prop-a9-step-top-vector",
    f"""all d i:Z, m r:Z->R. 1 <= i => i <= d => (all k:Z. 1 <= k and k <= d => 0 < m(k)) =>
       (all k j:Z. 1 <= k and k < j and j <= d => m(j) < m(k)) => {LEARNED} {top("m(i)", "1")}""",
    argument="sound",
    reading="at a critical point where the entries before i are learned: the eigenvectors of the largest eigenvalue mu_i are the multiples of"
    " v = (e_i, e_i)",
    uses=[SIGN_VECTOR],
)
def positive_entries_give_equal_halves(g: Goal) -> None:
    """All signs are 1."""
    g.fix()
    low, high, positive, order = g.assume(), g.assume(), g.assume(), g.assume()
    learned, others = g.assume(), g.assume()
    modulus = g.have("all k:Z. 1 <= k and k <= d => abs(m(k)) = m(k)", lambda g: absolute(g, positive))

    def signs(g: Goal) -> None:
        g.fix("k")
        g.split(g.assume())
        g.apply(positive, "k")
        a = g.apply(modulus, "k")
        g.conj(None, lambda g: g.field(), lambda g: g.field((a, -1)))

    def decreasing(g: Goal) -> None:
        g.fix("k", "j")
        g.split(g.assume())
        for bound in ("1 <= j", "k <= d"):
            g.have(bound, lambda g: g.nlin(products=1))
        a, b, o = g.apply(modulus, "k"), g.apply(modulus, "j"), g.apply(order, "k", "j")
        g.pos([f"@{o}"], eqs=[(a, 1), (b, -1)])

    known = [lambda g: g.close_by(low), lambda g: g.close_by(high), signs, decreasing]
    known += [lambda g: g.close_by(learned), lambda g: g.close_by(others)]
    h = g.lemma(SIGN_VECTOR, "statement", "d", "i", "m", "r", "lam k:Z. 1", by=known)
    g.close_by(g.rewritten(h, g.apply(modulus, "i")))


def absolute(g: Goal, positive: str) -> None:
    """|x| = x for x > 0."""
    g.fix("k")
    g.assume()
    g.apply(positive, "k")
    g.field()
