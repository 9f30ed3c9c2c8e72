"""Section 4.2: the labels of the teacher network with two ReLU neurons."""

from __future__ import annotations

from verify.kernel import Goal
from verify.registry import amendment, undecided

undecided(
    "varre2023.eq-teacher-relu",
    outcome="ill-formed",
    tried="the right side is the same for every label y_i: x_0 and x_1 stand where the i-th sample is meant, and x_0 is no sample, since the training set is x_1, .., x_10",
    missing="x_i in both places",
)


def neuron(w: str) -> str:
    """The ReLU of w^T x_i."""
    return f"max(0,tr(T({w}) @ x(i)))"


@amendment(
    "varre2023.eq-teacher-relu",
    f"""all w0 w1:V(5), a0 a1:R, x:Z->V(5). ex y:Z->R. all i:Z. 1 <= i => i <= 10 => y(i) = a0*{neuron("w0")} + a1*{neuron("w1")} and
       (all c:R. 0 <= c => a0*max(0,tr(T(w0) @ (c*x(i)))) + a1*max(0,tr(T(w1) @ (c*x(i)))) = c*y(i))""",
    says="with x_i in both places: every sample has a label, and the teacher is positively homogeneous",
)
def labels_of_the_teacher(g: Goal) -> None:
    """max(0, c v) = c max(0, v) for c >= 0."""
    g.fix()
    g.witness(f"lam i:Z. a0*{neuron('w0')} + a1*{neuron('w1')}")
    g.fix("i")
    g.assume()
    g.assume()

    def scaled(g: Goal) -> None:
        g.fix("c")
        low = g.assume()

        def one(w: str) -> str:
            v = f"tr(T({w}) @ x(i))"
            own, moved = g.fact("max_cases", 0, v), g.fact("max_cases", 0, f"tr(T({w}) @ (c*x(i)))")

            def script(g: Goal) -> None:
                g.cases(own, lambda g: known(g, True), lambda g: known(g, False))

            def known(g: Goal, up: bool) -> None:
                sign, value = g.split(next(reversed(g.seq.hyps)))
                g.cases(moved, lambda g: close(g, up, sign, value, True), lambda g: close(g, up, sign, value, False))

            def close(g: Goal, up: bool, sign: str, value: str, above: bool) -> None:
                order, result = g.split(next(reversed(g.seq.hyps)))
                if up == above:
                    g.field((result, 1), (value, "-c"))
                    return
                flat = g.have(
                    f"c*{v} = 0",
                    lambda g: g.antisym(
                        lambda g: g.pos([f"@{low}", f"@{sign}"]) if not up else g.pos([f"@{order}"]),
                        lambda g: g.pos([f"@{low}", f"@{sign}"]) if up else g.pos([f"@{order}"]),
                    ),
                )
                g.field((result, 1), (value, "-c"), (flat, 1 if above else -1))

            return g.have(f"max(0,tr(T({w}) @ (c*x(i)))) = c*max(0,{v})", script)

        first, second = one("w0"), one("w1")
        g.field((first, "a0"), (second, "a1"))

    g.conj(lambda g: g.refl(), scaled)
