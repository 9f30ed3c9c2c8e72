"""Lemma 36, first step: bounds of the derivatives of every order along the flow, by Cauchy's majorants.

With the residual V, W = A B, P = B^T B and Q = A A^T the flow is quadratic,
A' = -V B^T, B' = -A^T V, W' = -(V P + Q V), V' = M o W', P' = -(V^T W + W^T V), Q' = -(V W^T + W V^T), so that the n-th
derivative of each is at most that of the solution of y' = 2 y^2, which is n! R (2 R)^n where R bounds all six.
"""

from __future__ import annotations

from proofs.shin2025.commutant import by_last
from proofs.shin2025.derivatives_of_products import ID, factorial
from proofs.shin2025.leibniz import BINOMIALS, agreement_in_every_order, carried
from proofs.shin2025.measurement_flow import MASK, flow, n2
from verify.kernel import Goal
from verify.kernel.tactics import Script
from verify.registry import part

CORE = "shin2025.lemma-28"

MAJORANT = """(all n:Z. 0 <= n => 0 <= c(n) and 0 <= e(n) and c(n + 1) = 2*(n + 1)*e(n)) and
    (all n i:Z. 0 <= i and i <= n => Cb(n,i)*c(i)*c(n - i) = e(n))"""
"""c(n) are the derivatives at 0 of a solution of y' = 2 y^2, e(n) those of y^2 divided by n + 1."""


@part(
    ID,
    "product-bound",
    f"""all rows inner cols:Z, Cb:(Z,Z)->R, c e:Z->R, F:R~>M(rows,inner), G:R~>M(inner,cols), H:R~>M(rows,cols), t:R, n:Z. {BINOMIALS} => {MAJORANT} => 0 <= t => 0 <= n =>
        (all t:R. 0 <= t => H(t) = F(t) @ G(t)) => (all i:Z. 0 <= i and i <= n => {n2("d(i,F,t)")} <= c(i)^2) =>
        (all i:Z. 0 <= i and i <= n => {n2("d(i,G,t)")} <= c(i)^2) => {n2("d(n,H,t)")} <= ((n + 1)*e(n))^2""",
    says="With derivatives of F and G up to the order n below the majorant, that of F G is below (n + 1) e(n).",
    uses=[ID],
)
def product_bound(g: Goal) -> None:
    """Each of the n + 1 terms of Leibniz' rule is at most e(n)."""
    g.fix()
    bin_, maj, t0, n0, prod, bf, bg = (g.assume() for _ in range(7))
    first, second = g.split(maj)
    rule = g.apply(g.apply(g.lemma(ID, "part:leibniz", "rows", "inner", "cols", "Cb", "F", "G", "H"), "n"), "t")
    term = "Cb(n,i)*(d(i,F,t) @ d(n - i,G,t))"
    g.rewrite(rule)
    en = g.split_all(g.apply(first, "n"))[1]

    def each(g: Goal) -> None:
        (i,) = g.fix("i")
        g.split(g.assume())
        value = g.apply(second, "n", i)
        a, b = g.apply(bf, i), g.apply(bg, f"n - {i}")
        s = g.fact("frobenius_submultiplicative", "rows", "inner", "cols", f"d({i},F,t)", f"d(n - {i},G,t)")
        x, _y = n2(f"d({i},F,t)"), n2(f"d(n - {i},G,t)")
        k = f"Cb(n,{i})"
        g.pos(
            [f"{k}^2", "@" + s],
            [f"{k}^2", x, "@" + b],
            [f"{k}^2", f"c(n - {i})^2", "@" + a],
            eqs=[(value, f"-({k}*c({i})*c(n - {i}) + e(n))")],
        )

    h = g.lemma(ID, "part:sum-bound", "rows", "cols", f"lam i:Z. {term}", "e(n)", by=[lambda g: g.close_by(en)])
    g.close_by(g.apply(h, "n", by=[None, each]))


VARIABLES = """all rows inner cols:Z, Cb:(Z,Z)->R, c e:Z->R, M Z:M(rows,cols), A:R~>M(rows,inner), B:R~>M(inner,cols),
    V W:R~>M(rows,cols), P:R~>M(cols,cols), Q:R~>M(rows,rows)."""
SHAPES = {
    "A": ("rows", "inner"),
    "B": ("inner", "cols"),
    "V": ("rows", "cols"),
    "W": ("rows", "cols"),
    "P": ("cols", "cols"),
    "Q": ("rows", "rows"),
}


def shape(x: str) -> tuple[str, str]:
    """The shape of a variable, or of its transpose, written with a T."""
    rows, columns = SHAPES[x[0]]
    return (columns, rows) if x.endswith("T") else (rows, columns)


SYSTEM = f"""{MASK} => {flow()} => (all t:R. 0 <= t => W(t) = A(t) @ B(t)) => (all t:R. 0 <= t => V(t) = had(M, A(t) @ B(t) - Z)) =>
    (all t:R. 0 <= t => P(t) = T(B(t)) @ B(t)) => (all t:R. 0 <= t => Q(t) = A(t) @ T(A(t)))"""
BELOW = " and ".join("{} <= c({})^2".format(n2(f"d({{0}},{x},t)"), "{0}") for x in "ABVWPQ")


@part(
    ID,
    "derivative-bounds",
    f"""{VARIABLES} {BINOMIALS} => {MAJORANT} => {SYSTEM} => all t:R. 0 <= t => {BELOW.format("0")} => all n:Z. 0 <= n => {BELOW.format("n")}""",
    says="The derivatives of every order of A, B, the residual V, W, B^T B and A A^T are below the majorant if their values are.",
    uses=[ID, CORE],
)
def derivatives_below_the_majorant(g: Goal) -> None:
    """The flow in these six variables is quadratic; induction on the order with Leibniz' rule."""
    g.fix()
    bin_, maj, mask, fl, w, v, p, q = (g.assume() for _ in range(8))
    orders: dict[str, str] = {}
    for x in "ABVW":
        y = f"{x}T"
        base = g.obtain(
            g.have(
                f"ex {y}:R~>M({','.join(shape(y))}). all t:R. {y}(t) = T({x}(t))",
                lambda g, x=x: (g.witness(f"lam t:R. T({x}(t))"), g.intro(), g.nc())[-1],
            ),
            y,
        )[0]
        base = g.have(
            f"all t:R. 0 <= t => d(0,{y},t) = T(d(0,{x},t))",
            lambda g, base=base: (g.intro(), h := g.apply(base, "t"), g.nc((h, 1, None, None)))[-1],
        )
        orders[y] = carried(g, y, x, "T({})", base, shape=shape(y))
    factors = {
        "H1": ("V", "BT"),
        "H2": ("AT", "V"),
        "H3": ("V", "P"),
        "H4": ("Q", "V"),
        "H5": ("VT", "W"),
        "H6": ("WT", "V"),
        "H7": ("V", "WT"),
        "H8": ("W", "VT"),
    }
    products = {}
    for h, (x, y) in factors.items():
        products[h] = g.obtain(
            g.have(
                f"ex {h}:R~>M({shape(x)[0]},{shape(y)[1]}). all t:R. {h}(t) = {x}(t) @ {y}(t)",
                lambda g, x=x, y=y: (g.witness(f"lam t:R. {x}(t) @ {y}(t)"), g.intro(), g.nc())[-1],
            ),
            h,
        )[0]
    x = "had(M, A(t) @ B(t) - Z)"

    def at(g: Goal, h: str) -> str:
        return g.apply(h, "t")

    def slope(name: str, body: str, h: str, value: str) -> str:
        """name'(t) = value for t >= 0, from name(t) = body(t)."""

        def script(g: Goal) -> None:
            k = g.by_fact(
                "derivative_agrees_matrix",
                *shape(name),
                "0",
                f"lam t:R. {name}(t)",
                f"lam t:R. {body}",
                by=[None, lambda g: g.close_by(h)],
            )
            g.intro()
            k = at(g, k)
            r = g.differentiate("t", body, "t")
            a, b = g.split(at(g, fl))
            res = at(g, v)
            g.nc((k, 1, None, None), (r, 1, None, None), rw=[a, b, res, *[at(g, e) for e in (w, p, q)]])

        return g.have(f"all t:R. 0 <= t => d(1,{name},t) = {value}", script)

    rates = {
        "W": slope("W", "A(t) @ B(t)", w, f"-({x} @ P(t) + Q(t) @ {x})"),
        "P": slope("P", "T(B(t)) @ B(t)", p, f"-(T({x}) @ W(t) + T(W(t)) @ {x})"),
        "Q": slope("Q", "A(t) @ T(A(t))", q, f"-({x} @ T(W(t)) + W(t) @ T({x}))"),
    }
    masked = g.have(
        "all t:R. 0 <= t => V(t) = had(M, W(t) - Z)",
        lambda g: (g.intro(), g.rewrite(at(g, v)), g.rewrite(at(g, w)), g.refl())[-1],
    )

    def residual_rate(g: Goal) -> None:
        k = g.by_fact(
            "derivative_agrees_matrix",
            *shape("V"),
            "0",
            "lam t:R. V(t)",
            "lam t:R. had(M, W(t) - Z)",
            by=[None, lambda g: g.close_by(masked)],
        )
        g.intro()
        k = at(g, k)
        r = g.differentiate("t", "had(M, W(t) - Z)", "t")
        g.nc((k, 1, None, None), (r, 1, None, None))

    rates["V"] = g.have("all t:R. 0 <= t => d(1,V,t) = had(M, d(1,W,t))", residual_rate)
    right = {"A": ("H1",), "B": ("H2",), "W": ("H3", "H4"), "P": ("H5", "H6"), "Q": ("H7", "H8")}
    laws: dict[str, str] = {}
    for name, hs in right.items():
        total = " + ".join(f"d({{0}},{h},{{1}})" for h in hs)

        def base(g: Goal, name: str = name, hs: tuple[str, ...] = hs) -> None:
            g.intro()
            rate = g.split(at(g, fl))["AB".index(name)] if name in "AB" else at(g, rates[name])
            transposed = [g.apply(g.apply(orders[f"{y}T"], "0"), "t") for y in "ABVW"]
            rules = [at(g, products[h]) for h in hs]
            res = at(g, v)
            g.nc((rate, 1, None, None), rw=[*rules, *transposed, res])

        first = g.have(f"all t:R. 0 <= t => d(0 + 1,{name},t) = -({total.format('0', 't')})", base)
        laws[name] = agreement_in_every_order(g, f"d({{0}} + 1,{name},{{1}})", f"-({total})", first, shape(name))
    first = g.have(
        "all t:R. 0 <= t => d(0 + 1,V,t) = had(M, d(0 + 1,W,t))",
        lambda g: (g.intro(), k := at(g, rates["V"]), g.nc((k, 1, None, None)))[-1],
    )
    laws["V"] = agreement_in_every_order(g, "d({0} + 1,V,{1})", "had(M, d({0} + 1,W,{1}))", first, shape("V"))
    g.fix("t")
    _t0, start = g.assume(), g.assume()
    g.induct("n", "ih")

    def none(g: Goal) -> None:
        z = g.have("n = 0")
        g.rewrite(z)
        g.close_by(start)

    def more(g: Goal) -> None:
        """From the orders up to n - 1."""
        grow = g.split_all(g.apply(g.split(maj)[0], "n - 1"))
        up = g.have(
            "c(n) = 2*n*e(n - 1)", lambda g: (g.replace("c(n)", "c((n - 1) + 1)", lambda g: g.ctx()), g.field((grow[2], 1)))[-1]
        )
        g.split_all(g.apply(g.split(maj)[0], "n"))

        def below(g: Goal, x: str, i: str) -> None:
            k = g.split(g.apply("ih", i))
            plain = k["ABVWPQ".index(x[0])]
            if len(x) == 1:
                g.close_by(plain)
            else:
                e = g.apply(g.apply(orders[x], i), "t")
                g.rewrite(e)
                g.pos(["@" + plain])

        def factor(x: str) -> Script:
            def script(g: Goal) -> None:
                (i,) = g.fix("i")
                g.split(g.assume())
                below(g, x, i)

            return script

        bounds = {}
        for h, (x, y) in factors.items():
            bounds[h] = g.lemma(
                ID,
                "part:product-bound",
                *(*shape(x), shape(y)[1]),
                "Cb",
                "c",
                "e",
                x,
                y,
                h,
                "t",
                "n - 1",
                by=[
                    lambda g: g.close_by(bin_),
                    lambda g: g.close_by(maj),
                    None,
                    None,
                    lambda g, h=h: (u := g.fix("u"), g.assume(), g.close_by(g.apply(products[h], u[0])))[-1],
                    factor(x),
                    factor(y),
                ],
            )
        big = "(n*e(n - 1))"
        g.have(f"0 <= {big}", lambda g: g.pos(["n", "e(n - 1)"]))
        halves = {h: g.have(f"{n2(f'd(n - 1,{h},t)')} <= {big}^2", lambda g, h=h: g.pos(["@" + bounds[h]])) for h in factors}

        def one(name: str) -> Script:
            def script(g: Goal) -> None:
                law = g.apply(g.apply(laws[name], "n - 1"), "t")
                hs = right[name]
                law = g.have(
                    f"d(n,{name},t) = -({' + '.join(f'd(n - 1,{h},t)' for h in hs)})", lambda g: g.nc((law, 1, None, None))
                )
                g.rewrite(law)
                if len(hs) == 1:
                    g.pos(["@" + halves[hs[0]]], [big, "3*n*e(n - 1)"], eqs=[(up, f"c(n) + 2*{big}")])
                else:
                    k = g.lemma(ID, "part:triangle", *shape(name), *[f"d(n - 1,{h},t)" for h in hs], big, big)
                    g.pos(["@" + k], eqs=[(up, f"c(n) + 2*{big}")])

            return script

        bound = {name: g.have(f"{n2(f'd(n,{name},t)')} <= c(n)^2", one(name)) for name in right}

        def residual_bound(g: Goal) -> None:
            law = g.apply(g.apply(laws["V"], "n - 1"), "t")
            law = g.have("d(n,V,t) = had(M, d(n,W,t))", lambda g: g.nc((law, 1, None, None)))
            k = g.lemma(CORE, "part:mask-contracts", "rows", "cols", "M", "d(n,W,t)")
            g.rewrite(law)
            g.pos(["@" + k], ["@" + bound["W"]])

        g.conj(*[residual_bound if x == "V" else (lambda g, x=x: g.close_by(bound[x])) for x in "ABVWPQ"])

    by_last(g, none, more)


@part(
    ID,
    "majorant",
    f"""all Cb:(Z,Z)->R, R:R. {BINOMIALS} => 1 <= R => ex c e:Z->R. {MAJORANT} and
        all n:Z. 0 <= n => c(n) = {factorial("n")}*R*(2*R)^n""",
    says="c(n) = n! R (2 R)^n and e(n) = n! R^2 (2 R)^n.",
    uses=[ID],
)
def geometric_majorant(g: Goal) -> None:
    """C(n, i) i! (n - i)! = n!."""
    g.fix()
    bin_, r1 = g.assume(), g.assume()
    fact = g.lemma(ID, "part:factorials")
    rule = g.lemma(ID, "part:binomial-coefficients", "Cb", by=[lambda g: g.close_by(bin_)])
    g.have("0 < R", lambda g: g.pos(["@" + r1], ["1"]))
    g.have("0 < 2*R")
    g.witness(f"lam n:Z. {factorial('n')}*R*(2*R)^n", f"lam n:Z. {factorial('n')}*R^2*(2*R)^n")

    def values(g: Goal) -> None:
        g.intro()
        p, s = g.split(g.apply(fact, "n"))
        g.conj(
            lambda g: g.pos([factorial("n"), "R", "(2*R)^n"]),
            lambda g: g.pos([factorial("n"), "R^2", "(2*R)^n"]),
            lambda g: g.field((s, "R*(2*R)^(n + 1)")),
        )

    def products(g: Goal) -> None:
        g.intro()
        k = g.apply(g.apply(rule, "n"), "i")
        g.field((k, "R^2*(2*R)^n"))

    g.conj(values, products, lambda g: (g.intro(), g.field())[-1])
