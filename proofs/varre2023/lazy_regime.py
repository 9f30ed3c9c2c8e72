"""Section 3.1, one output: for a large scale the singular values of the hidden layer hardly move."""

from __future__ import annotations

from proofs.razin2020.scripts import using
from proofs.varre2023.flows import TWO_LAYERS
from proofs.varre2023.network_and_loss import size
from proofs.varre2023.projection_steps import VARS
from proofs.varre2023.residual_decay import LEMMA
from verify.kernel import Goal
from verify.registry import holds

START = TWO_LAYERS.split(". ", 1)[1]
BETA = "W1(t) @ W2(t)"
TOP = "sv(W1(t),1)^2"


@holds(
    "varre2023.assertion-lazy-values-fixed",
    f"""all n p k l:Z, X:M(n,p), Y:M(n,k), b:M(p,k). 1 <= p => k = 1 => Y = X @ b => ex q:R. 0 <= q and
       all c:R, P:M(p,l), W1:R~>M(p,l), W2:R~>M(l,k). {START} all t:R. 0 <= t =>
         2*c <= {TOP} and {TOP} - 2*c <= q/c and all i:Z. 2 <= i => i <= p => sv(W1(t),i)^2 = 2*c""",
    argument="sound",
    reading="at the start all squared singular values are 2 gamma; at all times all but the first keep this value, and the first exceeds it by at most q/gamma, a small part of 2 gamma"
    " for a large gamma, with a number q of the data alone",
    uses=[LEMMA, "varre2023.lemma-3-1", "varre2023.step-c-3-projection", "varre2023.assertion-scalar-one-value-grows"],
)
def singular_values_hardly_move(g: Goal) -> None:
    """The first is gamma + sqrt(gamma^2 + |beta|^2) <= 2 gamma + |beta|^2/(2 gamma); beta = G X beta is bounded, since the loss does not increase."""
    g.fix()
    wide, one, target = (g.assume() for _ in range(3))
    inner, sym = g.obtain(g.lemma("varre2023.step-c-3-projection", "part:pseudo-inverse", "n", "p", "X"), "G")
    g.witness(f"2*{size('G')}*{size('Y')}")

    def every(g: Goal) -> None:
        g.fix()
        setting = [g.assume() for _ in range(5)]
        g.fix("t")
        now = g.assume()
        lemma = g.lemma("varre2023.lemma-3-1", "statement", *VARS, by=[using(n) for n in setting])
        z1, z2 = "W1(t) @ T(P)", "P @ W2(t)"

        def flow(g: Goal) -> None:
            g.fix("u")
            g.assume()
            a, b, _, _ = g.split(g.apply(lemma, "u"))
            g.conj(lambda g: g.exact(a), lambda g: g.exact(b))

        terms = ("n", "p", "k", "l", "c", "X", "Y", "P", f"lam t:R. {z1}", f"lam t:R. {z2}")
        begun = [using(setting[0]), using(setting[1]), lambda g: g.nc(rw=[setting[2]]), lambda g: g.nc(rw=[setting[3]]), flow]
        rate, decay = g.obtain(g.lemma(LEMMA, "part:exponential", *terms, "b", by=[using(target), *begun]), "m")
        low = g.apply(decay, "t", by=[using(now)])
        span = g.apply(
            g.lemma(LEMMA, "part:beta-in-the-span", *terms, "G", by=[using(inner), using(sym), *begun]), "t", by=[using(now)]
        )
        _, _, w1, w2 = g.split(g.apply(lemma, "t", by=[using(now)]))
        (beta,) = g.obtain(g.have(f"ex e:M(p,k). e = {BETA}", lambda g: (g.witness(BETA), g.refl())[-1]), "e", split=False)
        product = g.have(
            f"{z1} @ ({z2}) = e",
            lambda g: g.nc(
                (beta, -1, None, None), (w1, -1, None, "W2(t)"), (w2, -1, f"{z1} @ P", None), (setting[1], -1, z1, z2)
            ),
        )
        left, right = g.hyp_formula(low)[1:]
        begin = next(f for f in right[1:] if f[0] == "tr")

        def loss(g: Goal) -> None:
            g.replace(f"Y - X @ ({z1}) @ ({z2})", "Y - X @ e", lambda g: g.nc((product, -1, "X", None)))
            g.refl()

        def first_loss(g: Goal) -> None:
            gone = f"Y - X @ ({z1.replace('(t)', '(0)')}) @ ({z2.replace('(t)', '(0)')})"
            g.replace(gone, "Y", lambda g: g.nc((setting[3], -1, f"X @ {z1.replace('(t)', '(0)')} @ P", None)))
            g.refl()

        here = g.have(("=", left, g.term(size("(Y - X @ e)"))), loss)
        start = g.have(("=", begin, g.term(size("Y"))), first_loss)
        low = g.rewritten(g.rewritten(low, here), start)
        g.have("0 <= m*t", lambda g: g.pos([f"@{rate}", f"@{now}"]))
        less = g.by_fact("exp_mono", "-m*t", "0", by=[lambda g: g.pos(["m*t"])])
        unit = g.fact("exp_zero")
        residual = g.have(
            f"{size('(Y - X @ e)')} <= {size('Y')}",
            lambda g: g.pos([f"@{low}"], [size("Y"), f"@{less}"], eqs=[(unit, size("Y"))]),
        )
        spread = g.have(f"{size('(X @ e)')} <= 4*{size('Y')}", lambda g: g.pos(["2", f"@{residual}"], [size("(2*Y - X @ e)")]))
        sub = g.fact("frobenius_submultiplicative", "p", "n", "k", "G", "X @ e")
        back = g.have(
            "G @ (X @ e) = e", lambda g: g.nc((span, 1, None, None), (product, -1, "G @ X", None), (product, 1, None, None))
        )
        sub = g.rewritten(sub, back)
        short = g.have(f"{size('e')} <= 4*{size('G')}*{size('Y')}", lambda g: g.pos([f"@{sub}"], [size("G"), f"@{spread}"]))
        values = g.lemma(
            "varre2023.assertion-scalar-one-value-grows",
            "statement",
            *VARS,
            by=[using(wide), using(one), *[using(k) for k in setting]],
        )
        top, others = g.split(g.apply(values, "t", by=[using(now)]))
        top = g.rewritten(top, g.have(f"{BETA} = e", lambda g: g.nc((beta, -1, None, None))))
        root = f"sqrt(c^2 + {size('e')})"
        square = g.by_fact("sqrt_sq", f"c^2 + {size('e')}")
        positive = g.by_fact("sqrt_nonneg", f"c^2 + {size('e')}")

        def above(g: Goal) -> None:
            small = g.contra()
            g.pos([f"@{small}", f"@{positive}"], [f"@{small}", "c"], [size("e")], eqs=[(square, 1)])

        high = g.have(f"c <= {root}", above)
        g.conj(
            lambda g: g.pos([f"@{high}"], eqs=[(top, 1)]),
            lambda g: g.pos(["1/2", f"@{short}"], ["1/2", f"({root} - c)^2"], mul=["c"], eqs=[(top, "-c"), (square, "-1/2")]),
            using(others),
        )

    g.conj(None, every)
