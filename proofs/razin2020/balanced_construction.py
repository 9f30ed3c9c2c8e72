"""Lemma 1: the decompositions and products of the construction exist for any square factors."""

from __future__ import annotations

from proofs.razin2020.nearby_balanced_factors import FAMILY, FAMILY_READING, STEP
from proofs.razin2020.products_of_factors import upwards
from proofs.razin2020.scripts import only, using
from verify.kernel import Goal
from verify.registry import holds, part


@part(
    STEP,
    "one-more",
    "all m n:Z, F:Z->M(m,m), X:M(m,m). ex G:Z->M(m,m). G(n) = X and all l:Z. l != n => G(l) = F(l)",
    says="one member of a family of matrices is changed",
)
def one_member_is_changed(g: Goal) -> None:
    """f G + (1 - f) X with the indicator f of l != n."""
    g.fix()
    (f,) = g.obtain(g.fact("indicator", "lam x:Z. x - n"), "f")
    g.witness("lam l:Z. f(l)*F(l) + (1 - f(l))*X")

    def here(g: Goal) -> None:
        k = g.apply(g.split(g.apply(f, "n"))[0])
        g.nc(rw=[k])

    def elsewhere(g: Goal) -> None:
        (i,) = g.fix()
        apart = g.assume()

        def nonzero(g: Goal) -> None:
            h = g.contra()
            g.clash(g.have(f"{i} = n", lambda g: g.field((h, 1))), apart)

        k = g.apply(g.split(g.apply(f, i))[1], by=[nonzero])
        g.nc(rw=[k])

    g.conj(here, elsewhere)


def family(n: str, joint: str) -> str:
    """The construction for the factors up to the n-th one; its conditions are joined by a word."""
    return (
        FAMILY.rstrip()
        .removesuffix("=>")
        .replace("l <= L", f"l <= {n}")
        .replace(") =>", f") {joint}")
        .replace("= I(m) =>", f"= I(m) {joint}")
        .replace("= W(1) =>", f"= W(1) {joint}")
    )


@holds(
    "razin2020.lemma-1-step-construction",
    f"all m L:Z, W:Z->M(m,m). 1 <= L => ex U E V D Y:Z->M(m,m). {family('L', 'and')}",
    uses=[STEP],
    argument="sound",
    reading=f"{FAMILY_READING}: for any L square factors there are such decompositions and products; what is concluded from them holds for every choice",
)
def construction_exists(g: Goal) -> None:
    """Induction on the number of factors: the families are changed at one place."""
    g.fix()
    depth = g.assume()

    def decomposition(g: Goal, n: str) -> tuple[str, ...]:
        u, v, x, off, value = g.obtain(g.fact("svd", "m", "m", f"W({n})"), "p", "q", "z")
        range_ = g.fact("sv_range", "m", "m", f"W({n})")

        def nonneg(g: Goal) -> None:
            (i,) = g.fix()
            low = g.split(g.apply(range_, i, i))[0]
            g.pos([f"@{low}"], eqs=[(g.apply(value, i), 1)])

        return u, v, off, g.have("all i:Z. 0 <= z[i,i]", nonneg), x

    def grow(g: Goal) -> None:
        def base(g: Goal) -> None:
            u, v, off, nonneg, x = decomposition(g, "1")
            g.witness("lam l:Z. p", "lam l:Z. z", "lam l:Z. q", "lam l:Z. I(m)", "lam l:Z. W(1)")

            def first(g: Goal) -> None:
                (i,) = g.fix()
                low, high = g.split(g.assume())
                one = g.have(f"{i} = 1", lambda g: g.antisym(using(high), using(low)))
                g.rewrite(one)
                g.conj(*[using(h) for h in (u, v, off, nonneg, x)])

            def none(g: Goal) -> None:
                low, high = g.split((g.fix(), g.assume())[1])
                wrong = g.contra()
                only(g, low, high)
                g.pos([1], [f"@{low}"], [f"@{high}"])
                del wrong

            g.conj(first, Goal.refl, none, Goal.refl, none)

        def step(g: Goal) -> None:
            two = g.have("2 <= n", lambda g: g.nlin())
            before = g.apply(
                "ih", "n - 1", by=[lambda g: (only(g, two), g.conj(lambda g: g.pos([f"@{two}"]), lambda g: g.pos([1])))[-1]]
            )
            given, d1, ds, y1, ys = g.obtain(before, "U0", "E0", "V0", "D0", "Y0")
            u, v, off, nonneg, x = decomposition(g, "n")
            d = "p @ T(q) @ D0(n-1)"
            new = {"U": "p", "E": "z", "V": "q", "D": d, "Y": f"{d} @ U0(1) @ E0(1) @ T(U0(1)) @ T(D0(n-1))"}
            at, off_ = {}, {}
            for name, value in new.items():
                at[name], off_[name] = g.obtain(g.lemma(STEP, "part:one-more", "m", "n", f"{name}0", value), f"{name}1")
            g.witness("U1", "E1", "V1", "D1", "Y1")
            one = g.have("1 != n", lambda g: apart(g, two))
            first = {name: g.apply(off_[name], 1, by=[using(one)]) for name in new}

            def split(g: Goal, last: object, earlier: object) -> None:
                (i,) = g.fix()
                inside = g.assume()
                high = g.split(inside)[1]

                def below(g: Goal) -> None:
                    strict = next(reversed(g.seq.hyps))
                    k = g.by_fact("int_lt", i, "n", by=[using(strict)])
                    top = g.have(f"{i} <= n - 1", lambda g: (only(g, k), g.pos([f"@{k}"]))[-1])
                    ne = g.have(f"{i} != n", lambda g: strictly_apart(g, strict))
                    same = {name: g.apply(off_[name], i, by=[using(ne)]) for name in new}
                    earlier(g, i, inside, top, same)  # type: ignore[operator]

                def end(g: Goal) -> None:
                    g.rewrite(next(reversed(g.seq.hyps)))
                    last(g)  # type: ignore[operator]

                g.cases(g.by_fact("lt_or_eq", i, "n", by=[using(high)]), below, end)

            def last_decomposition(g: Goal) -> None:
                only(g, at["U"], at["V"], at["E"], u, v, off, nonneg, x)
                g.rewrite(at["U"])
                g.rewrite(at["V"])
                g.rewrite(at["E"])
                g.conj(*[using(h) for h in (u, v, off, nonneg, x)])

            def earlier_decomposition(g: Goal, i: str, inside: str, top: str, same: dict[str, str]) -> None:
                low = g.split(inside)[0]
                k = g.apply(given, i, by=[lambda g: g.conj(using(low), using(top))])
                names = g.split(k)
                only(g, same["U"], same["V"], same["E"], *names)
                g.rewrite(same["U"])
                g.rewrite(same["V"])
                g.rewrite(same["E"])
                g.conj(*[using(h) for h in names])

            def last_rotation(g: Goal) -> None:
                ne = g.have("n - 1 != n", lambda g: (only(g), g.field())[-1])
                prev = g.apply(off_["D"], "n - 1", by=[using(ne)])
                only(g, at["D"], at["U"], at["V"], prev)
                g.nc(rw=[at["D"], at["U"], at["V"], prev])

            def earlier_rotation(g: Goal, i: str, inside: str, top: str, same: dict[str, str]) -> None:
                low = g.split(inside)[0]
                k = g.apply(ds, i, by=[lambda g: g.conj(using(low), using(top))])
                ne = g.have(f"{i} - 1 != n", lambda g: below_apart(g, top))
                prev = g.apply(off_["D"], f"{i} - 1", by=[using(ne)])
                only(g, same["D"], same["U"], same["V"], prev, k)
                g.nc((k, 1, None, None), rw=[same["D"], same["U"], same["V"], prev])

            def last_factor(g: Goal) -> None:
                ne = g.have("n - 1 != n", lambda g: (only(g), g.field())[-1])
                prev = g.apply(off_["D"], "n - 1", by=[using(ne)])
                only(g, at["Y"], at["D"], prev, first["U"], first["E"])
                g.nc(rw=[at["Y"], at["D"], prev, first["U"], first["E"]])

            def earlier_factor(g: Goal, i: str, inside: str, top: str, same: dict[str, str]) -> None:
                low = g.split(inside)[0]
                k = g.apply(ys, i, by=[lambda g: g.conj(using(low), using(top))])
                ne = g.have(f"{i} - 1 != n", lambda g: below_apart(g, top))
                prev = g.apply(off_["D"], f"{i} - 1", by=[using(ne)])
                only(g, same["Y"], same["D"], prev, first["U"], first["E"], k)
                g.nc((k, 1, None, None), rw=[same["Y"], same["D"], prev, first["U"], first["E"]])

            g.conj(
                lambda g: split(g, last_decomposition, earlier_decomposition),
                lambda g: g.nc(rw=[first["D"], d1]),
                lambda g: split(g, last_rotation, earlier_rotation),
                lambda g: g.nc(rw=[first["Y"], y1]),
                lambda g: split(g, last_factor, earlier_factor),
            )

        upwards(g, "1", base, step, "n")

    h = g.have(f"all n:Z. 1 <= n => ex U E V D Y:Z->M(m,m). {family('n', 'and')}", grow)
    g.close_by(g.apply(h, "L", by=[using(depth)]))


def apart(g: Goal, two: str) -> None:
    """1 != n from 2 <= n."""
    h = g.contra()
    only(g, two, h)
    g.pos([1], [f"@{two}"], eqs=[(h, 1)])


def strictly_apart(g: Goal, strict: str) -> None:
    """i != n from i < n."""
    h = g.contra()
    only(g, strict, h)
    g.pos([f"@{strict}"], eqs=[(h, 1)])


def below_apart(g: Goal, top: str) -> None:
    """i - 1 != n from i <= n - 1."""
    h = g.contra()
    only(g, top, h)
    g.pos([2], [f"@{top}"], eqs=[(h, 1)])
