"""Every axiom of the library, evaluated as it stands on sampled instances in floating point, and a corrupted version found false.

The formula that is evaluated is that of the library, and not a transcription. Existential parts are given what numpy finds; a
corruption edits the text of the axiom to something that is false, and must come out false at some instance.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
import pytest
from flint import arb, arb_series, ctx

from tests.support.numeric import Env, Reading, Smooth, singular_value
from verify.kernel.facts import library
from verify.kernel.library.__main__ import entry, modules
from verify.kernel.terms import freeze

Rng = np.random.Generator
AXIOMS = sorted(name for name, fact in library()[0].items() if fact.kind == "axiom")
SOURCES = {fact[0]: fact for module in modules() for fact in getattr(module, "FACTS", [])}
SHAPES = ((2, 3), (3, 2), (1, 1), (3, 3), (0, 2))
ORDER = 30
"""How many terms of a power series are summed within three tenths of its radius of convergence."""


@dataclass(frozen=True)
class Case:
    """Instances of an axiom (values of its parameters), what its bound variables are, and how to corrupt it.

    `false` gives the instances for the corrupted text; without it they are those of the axiom itself.
    """

    draw: Callable[[Rng], Iterable[Env]]
    edit: tuple[str, str]
    witnesses: Mapping[str, Callable[[Env], Any]] = field(default_factory=dict)
    samples: Mapping[str, Callable[[Env], Iterable[Any]]] = field(default_factory=dict)
    false: Callable[[Rng], Iterable[Env]] | None = None

    def conclusions(self, formula: Any, rng: Rng, corrupted: bool = False) -> list[bool]:
        """Every conclusion that was reached, over all instances."""
        reading = Reading(rng, self.samples, self.witnesses)
        draw = self.false if corrupted and self.false else self.draw
        with np.errstate(all="ignore"):
            return [found for env in draw(rng) for found in reading.conclusions(formula, env)]


def seeded(name: str) -> Rng:
    return np.random.default_rng(zlib.crc32(name.encode()))


@pytest.mark.parametrize("name", AXIOMS)
def test_an_axiom_holds_at_every_sampled_instance(name: str) -> None:
    found = CASES[name].conclusions(library()[0][name].formula, seeded(name))
    assert found, "no instance was evaluated"
    assert all(found)


@pytest.mark.parametrize("name", AXIOMS)
def test_a_corrupted_axiom_is_found_false(name: str) -> None:
    _, kind, params, text, says, source = SOURCES[name]
    old, new = CASES[name].edit
    assert old in text
    corrupted = freeze(entry(name, kind, params, text.replace(old, new), says, source)["formula"])
    assert not all(CASES[name].conclusions(corrupted, seeded(name), corrupted=True))


def test_every_axiom_has_a_case_and_every_case_an_axiom() -> None:
    assert sorted(CASES) == AXIOMS


# --- sums and matrices


def sequences(rng: Rng) -> Iterable[Env]:
    for lo, hi in ((-1, 3), (0, 0), (2, 1)):
        a, b = rng.normal(size=(2, 8))
        for f in (a, b):
            yield {"lo": lo, "hi": hi, "E": lambda i, a=a: a[i + 1], "F": lambda i, f=f: f[i + 1]}


def matrices(*names: str, transposed: str = "", **more: Any) -> Callable[[Rng], Iterable[Env]]:
    """Matrices of one shape, those of `transposed` of the transposed one; also all of them equal, and of rank 1."""

    def draw(rng: Rng) -> Iterable[Env]:
        for m, n in SHAPES:
            first = rng.normal(size=(m, n)) * 10 ** rng.uniform(-2, 2)
            for same in (True, False):
                found = {x: first if same else rng.normal(size=(m, n)) for x in names}
                yield {"m": m, "n": n, **{x: v.T if x in transposed else v for x, v in found.items()}, **more}

    return draw


def products(rng: Rng) -> Iterable[Env]:
    for m, n in SHAPES:
        x = rng.normal(size=(m, n))
        for y in (x.T, rng.normal(size=(n, 2))):
            yield {"m": m, "n": n, "k": y.shape[1], "X": x, "Y": y}
    u = rng.normal(size=(2, 1))
    yield {"m": 2, "n": 1, "k": 2, "X": u, "Y": u.T}


def factors(rng: Rng) -> Iterable[Env]:
    for env in products(rng):
        yield {**env, "n": env["k"], "k": env["n"]}


def contractions(rng: Rng) -> Iterable[Env]:
    for env in matrices("X", "Z")(rng):
        for z in (env["Z"] / max(1.0, singular_value(env["Z"], 1)), polar(env)):
            yield {**env, "Z": z}


def near_low_rank(rng: Rng) -> Iterable[Env]:
    for env in matrices("X")(rng):
        for i in range(1, 4):
            for y in (truncated(env["X"], i - 1), rng.normal(size=(env["m"], i - 1)) @ rng.normal(size=(i - 1, env["n"]))):
                yield {**env, "i": i, "Y": y}


def of_full_rank(rng: Rng) -> Iterable[Env]:
    x = rng.normal(size=(2, 3))
    yield {"m": 2, "n": 3, "i": 2, "X": x, "Y": x}


def perturbed(rng: Rng) -> Iterable[Env]:
    for env in matrices("X", "Y")(rng):
        for i in range(5):
            yield {**env, "i": i}
            yield {**env, "i": i, "Y": 0 * env["X"]}


def pinched(rng: Rng) -> Iterable[Env]:
    """Orthogonal projections onto the parts of an orthonormal basis, and 0 for all other indices."""
    for m, n in ((2, 3), (3, 3), (1, 4)):
        bases = [np.linalg.qr(rng.normal(size=(k, k)))[0] for k in (m, n)]
        cuts = [int(rng.integers(0, k + 1)) for k in (m, n)]

        def projection(base: np.ndarray, cut: int) -> Callable[[int], np.ndarray]:
            parts = {1: base[:, :cut], 2: base[:, cut:]}
            return lambda index: (part := parts.get(index, base[:, :0])) @ part.T

        r, s = (projection(base, cut) for base, cut in zip(bases, cuts, strict=True))
        for x in (rng.normal(size=(m, n)), sum(r(p) @ rng.normal(size=(m, n)) @ s(p) for p in (1, 2))):
            yield {"m": m, "n": n, "q": int(rng.integers(1, 4)), "X": x, "R": r, "S": s}


# --- decompositions


def truncated(x: np.ndarray, k: int) -> np.ndarray:
    """The best approximation of rank at most k."""
    u, s, v = np.linalg.svd(x, full_matrices=False)
    return (u[:, :k] * s[:k]) @ v[:k]


def polar(env: Env) -> np.ndarray:
    """The partial isometry of the polar decomposition of X."""
    u, s, v = np.linalg.svd(env["X"], full_matrices=False)
    kept = s > 1e-9 * max(1e-300, *s, 0.0)
    return u[:, kept] @ v[kept]


def rectangular(env: Env) -> np.ndarray:
    """The singular values of X on the diagonal of a matrix of its shape."""
    out = np.zeros(env["X"].shape)
    s = np.linalg.svd(env["X"], compute_uv=False)
    out[range(len(s)), range(len(s))] = s
    return out


def low_rank_rivals(env: Env) -> Iterable[np.ndarray]:
    rng, k = seeded("rivals"), env["k"]
    best = truncated(env["X"], k)
    yield best
    for scale in (0.01, 1.0):
        yield truncated(best + scale * rng.normal(size=best.shape), k)


def ranked(rng: Rng) -> Iterable[Env]:
    for env in matrices("X")(rng):
        for k in range(4):
            yield {**env, "k": k}


def square(rng: Rng) -> Iterable[Env]:
    for n in (1, 2, 3):
        for x in (rng.normal(size=(n, n)), rng.normal(size=(n, 1)) @ rng.normal(size=(1, n))):
            yield {"m": n, "n": n, "X": x}


def semidefinite(rng: Rng) -> Iterable[Env]:
    for n in (0, 1, 3):
        for rank in (1, n):
            root, other = (rng.normal(size=(n, min(rank, n))) for _ in range(2))
            for k in (1, 2, 3):
                x = root @ root.T
                values, vectors = np.linalg.eigh(x)
                again = root_of({"X": np.linalg.matrix_power(x, k), "k": k})
                v = vectors[:, -1:] if n else np.zeros((0, 1))
                yield {"n": n, "k": k, "X": x, "Y": again, "c": float(values[-1]) if n else 1.0, "v": v, "other": other @ other.T}


def pairs_of_semidefinite(rng: Rng) -> Iterable[Env]:
    for env in semidefinite(rng):
        yield {**env, "Y": env["other"]}
        yield {**env, "Y": 0 * env["X"]}


def indefinite(rng: Rng) -> Iterable[Env]:
    x = -np.eye(2)
    yield {"n": 2, "k": 2, "X": x, "Y": -x, "c": 1.0, "v": np.ones((2, 1))}


def root_of(env: Env) -> np.ndarray:
    """The k-th root of X, of a negative eigenvalue minus that of its absolute value."""
    values, vectors = np.linalg.eigh(env["X"])
    values[np.abs(values) < 1e-10 * np.abs(values).max(initial=0.0)] = 0.0
    return (vectors * (np.sign(values) * np.abs(values) ** (1 / env["k"]))) @ vectors.T


def quadratic(rng: Rng) -> Iterable[Env]:
    for env in square(rng):
        x = env["X"] + env["X"].T
        for i in range(1, env["n"] + 1):
            yield {**env, "X": x, "i": i, "b": -2 * float(np.linalg.eigvalsh(x)[0]) + float(rng.choice([0, 1])), "c": -0.7}


def quadratic_that_folds(rng: Rng) -> Iterable[Env]:
    yield {"n": 2, "X": np.diag([1.0, -3.0]), "i": 1, "b": 0.0, "c": 0.0}


def commuting(rng: Rng) -> Iterable[Env]:
    for env in square(rng):
        x = env["X"] + env["X"].T
        yield {**env, "X": x, "Y": x @ x - 2 * x}


def not_commuting(rng: Rng) -> Iterable[Env]:
    yield {"n": 2, "X": np.diag([1.0, 2.0]), "Y": np.array([[0.0, 1.0], [1.0, 0.0]])}


# --- linear differential equations and flows


def linear_systems(*unknowns: str, coefficients: str) -> Callable[[Rng], Iterable[Env]]:
    """Zero, which starts at 0, beside arbitrary coefficients."""

    def draw(rng: Rng) -> Iterable[Env]:
        for n in (0, 1, 2):
            zero = np.zeros((n, 1 if unknowns == ("u",) else n))
            a = rng.normal(size=(len(coefficients), n, n))
            yield {
                **dict.fromkeys(("m", "n", "k"), n),
                **dict.fromkeys(unknowns, lambda t, zero=zero: zero),
                **{c: lambda t, part=part: math.sin(t) * part for c, part in zip(coefficients, a, strict=True)},
            }

    return draw


def driven_from_rest(*unknowns: str, coefficients: str) -> Callable[[Rng], Iterable[Env]]:
    """With an added force 1 the solution from 0 is t."""

    def draw(rng: Rng) -> Iterable[Env]:
        zero, one = np.zeros((1, 1)), np.ones((1, 1))
        functions = {**dict.fromkeys(unknowns, lambda t: t * one), **dict.fromkeys(coefficients, lambda t: zero)}
        yield {**dict.fromkeys(("m", "n", "k"), 1), **functions}

    return draw


def two_layers(sign: float) -> Callable[[Rng], Iterable[Env]]:
    def draw(rng: Rng) -> Iterable[Env]:
        for m, k, n in ((2, 1, 2), (1, 2, 1), (2, 2, 1)):
            x, y, z, s = (rng.uniform(-1, 1, size=shape) for shape in ((m, k), (k, n), (m, n), (m, n)))
            yield {"m": m, "k": k, "n": n, "X": x, "Y": y, "Z": z, "S": s, "layers": down_the_loss(x, y, z, sign * s**2)}

    return draw


def down_the_loss(x: np.ndarray, y: np.ndarray, z: np.ndarray, weights: np.ndarray) -> Callable[[float], list[np.ndarray]]:
    """Both layers at a time by the classical Runge-Kutta method (up the loss for negative weights)."""

    def slope(a: np.ndarray, b: np.ndarray) -> list[np.ndarray]:
        g = weights * (a @ b - z)
        return [-g @ b.T, -a.T @ g]

    @lru_cache
    def position(t: float) -> list[np.ndarray]:
        steps = 150
        h, now = t / steps, [x, y]
        for _ in range(steps):
            k = [slope(*now)]
            for part in (h / 2, h / 2, h):
                k.append(slope(*(x + part * d for x, d in zip(now, k[-1], strict=True))))
            now = [x + h / 6 * (a + 2 * b + 2 * c + d) for x, a, b, c, d in zip(now, *k, strict=True)]
        return now

    return position


def layer(which: int) -> Callable[[Env], Smooth]:
    """A layer of the flow; its derivative is a difference quotient, and not the right side."""

    def witness(env: Env) -> Smooth:
        def at(order: int, t: float) -> np.ndarray:
            if order == 0:
                return env["layers"](t)[which]
            return Reading.derivative(lambda s: env["layers"](s)[which], t)

        return Smooth(at)

    return witness


def deep_flows(rng: Rng) -> Iterable[Env]:
    """E = |x|^2/2 and equal diagonal layers, each entry a solution of a' = -a^(2L-1): a power of a linear function."""
    for depth in (2, 3, 4):
        p, c = 2 * depth - 2, rng.uniform(0.5, 2, 2)

        def powers(exponent: float, c: np.ndarray = c, p: int = p) -> Callable[[int, float], np.ndarray]:
            """The n-th derivative at t of the diagonal matrix of (c + p t)^(-exponent/p)."""
            q = -exponent / p
            return lambda n, t: np.diag(p**n * math.prod(q - i for i in range(n)) * (c + p * t) ** (q - n))

        yield {
            **dict.fromkeys(("r", "c", "n"), 2),
            "L": depth,
            "radius": float(c.min()) / p,
            "E": lambda x: float((x * x).sum()) / 2,
            "N": lambda x: x,
            "flow": {
                **dict.fromkeys(("A", "B"), Smooth(powers(1))),
                "W": Smooth(lambda n, i, t, f=powers: f(1)(n, t)),
                "Q": Smooth(lambda n, i, t, f=powers: f(i)(n, t)),
                "P": Smooth(lambda n, i, t, f=powers, L=depth: f(L - i)(n, t)),
                "X": Smooth(powers(depth)),
            },
        }


def energy_term(env: Env) -> Callable[[int, np.ndarray], float]:
    """The part of degree k of y -> E(x + y)."""
    x = env["x"]
    return lambda k, y: [env["E"](x), float((x * y).sum()), env["E"](y)][k] if 0 <= k <= 2 else 0.0


def energy_on_a_line(env: Env) -> Callable[[int], float]:
    """The coefficients of t -> h(k, y + t u), by interpolation at -1, 0, 1."""
    low, mid, high = (env["h"](env["k"], env["y"] + t * env["u"]) for t in (-1, 0, 1))
    found = [mid, (high - low) / 2, (high + low) / 2 - mid]
    return lambda i: found[i] if i < 3 else 0.0


SERIES = {
    "z": lambda env: 0.3 * (env["a"] + env["radius"]) if "a" in env else 1.0,
    "o": lambda env: ORDER if "a" in env else 2,
}
NEAR = {
    "a": lambda env: (0.0, 0.8),
    "e": lambda env: (1e-6,),
    "b": lambda env: (env["o"], env["o"] + 3),
    "t": lambda env: [env["a"] + q * env["z"] for q in (-0.9, 0.5, 0.95)] if "a" in env else (0.0, 0.4, 1.5),
}


# --- a line of matrices of order 2, whose signed singular values are (|z1| +- |z2|)/2


def lines_of_matrices(rng: Rng) -> Iterable[Env]:
    for _ in range(4):
        a, b = rng.normal(size=(2, 2, 2))
        roots = [-z(a) / z(b) for z in (turn, shear)]
        radius = min(abs(t - root) for root in roots for t in (0.0, 0.8))
        line = Smooth(lambda n, t, a=a, b=b: a + t * b if n == 0 else b if n == 1 else 0 * b)
        yield {"m": 2, "n": 2, "line": (a, b), "F": line, "radius": radius}


def turn(m: np.ndarray) -> complex:
    return complex(m[0, 0] + m[1, 1], m[1, 0] - m[0, 1])


def shear(m: np.ndarray) -> complex:
    return complex(m[0, 0] - m[1, 1], m[1, 0] + m[0, 1])


def polar_series(z: complex, slope: complex, t: float) -> tuple[arb_series, arb_series]:
    """The power series at t of modulus and continuous angle of z + slope t."""
    now = z + slope * t
    x, y = arb_series([now.real, slope.real]), arb_series([now.imag, slope.imag])
    square = x * x + y * y
    angle = math.atan2(z.imag, z.real) + np.angle(now / z)
    return square.sqrt(), ((x * arb_series([slope.imag]) - y * arb_series([slope.real])) / square).integral() + arb(angle)


def part_of_line(part: str) -> Callable[[Env], Smooth]:
    """U, S or V of the analytic decomposition, with derivatives from power series."""

    def witness(env: Env) -> Smooth:
        a, b = env["line"]

        @lru_cache
        def series(t: float) -> list[list[arb_series]]:
            before, ctx.cap = ctx.cap, ORDER + 10
            try:
                (r1, p), (r2, q) = (polar_series(z(a), z(b), t) for z in (turn, shear))
                half = arb("0.5")
                if part == "S":
                    zero = arb_series([0])
                    return [[(r1 + r2) * half, zero], [zero, (r1 - r2) * half]]
                angle = (p + q) * half if part == "U" else (q - p) * half
                c, s = angle.cos(), angle.sin()
                return [[c, -s], [s, c]]
            finally:
                ctx.cap = before

        return Smooth(lambda n, t: math.factorial(n) * np.array([[float(f[n].mid()) for f in row] for row in series(t)]))

    return witness


# --- null sets


def polynomials(rng: Rng) -> Iterable[Env]:
    yield {"n": 1, "E": lambda x: float(x[0, 0] ** 2 - 1), "zeros": [[1.0], [-1.0], [0.5]]}
    zeros = [[0.0, y] for y in (-7.0, 0.0, 3.3)] + [[x, 1.0] for x in (-5.0, 0.2, 40.0)] + [[1.0, 3.0]]
    yield {"n": 2, "E": lambda x: float(x[0, 0] * (x[1, 0] - 1)), "zeros": zeros}


def zero_polynomial(rng: Rng) -> Iterable[Env]:
    yield {"n": 2, "E": lambda x: 0.0, "zeros": [[3.0, 7.0]]}


def degree_two(env: Env) -> Callable[[int], float]:
    """The coefficients of t -> E(x + t y)."""
    low, mid, high = (env["E"](env["x"] + t * env["y"]) for t in (-1, 0, 1))
    return lambda k: [mid, (high - low) / 2, (high + low) / 2 - mid][k]


def corner(side: int) -> Callable[[Env], Callable[[int], np.ndarray]]:
    """Boxes about 1 and -1 (n = 1), or ever longer and thinner ones about the lines x = 0 and y = 1 in turn (n = 2)."""

    def witness(env: Env) -> Callable[[int], np.ndarray]:
        def at(k: int) -> np.ndarray:
            k = max(1, k)
            width = env["e"] / 2 ** (k + 4) / k
            if env["n"] == 1:
                return np.array([[(-1.0) ** k + side * width]])
            half = np.array([[width], [float(k)]]) if k % 2 else np.array([[float(k)], [width]])
            return np.array([[0.0], [1.0]]) * (k % 2 == 0) + side * half

        return at

    return witness


def box_that_holds(env: Env) -> int:
    """The first box that contains x; 1 if none does."""
    a, b, x = env["A"], env["B"], env["x"]
    return next((k for k in range(1, 60) if (a(k) <= x).all() and (x <= b(k)).all()), 1)


PSD = "(all w:V(n). 0 <= tr(T(w) @ X @ w))"
ANY = "(all w:V(n). 0 <= tr(T(w) @ w))"
ORTHOGONAL = {
    "U": lambda env: np.linalg.svd(env["X"])[0],
    "V": lambda env: np.linalg.svd(env["X"])[2].T,
    "S": rectangular,
}
CASES = {
    "analytic_factor_flow": Case(
        deep_flows,
        ("d(k,X,a)[i,j]*(t - a)^k/prod(l, 1, k, l)", "d(k,X,a)[i,j]*(t - a)^k/prod(l, 1, k, l + 1)"),
        {**SERIES, "h": energy_term, "g": energy_on_a_line},
        {
            **NEAR,
            **{f: lambda env, f=f: [env["flow"][f]] for f in "ABWPQX"},
            **{x: lambda env, i=i: seeded("line").normal(size=(3, 2, 2))[i : i + 1] * 0.4 for i, x in enumerate("xyu")},
        },
    ),
    "analytic_svd_any_shape": Case(
        lines_of_matrices,
        ("F(t) = U(t) @ S(t) @ T(V(t))", "F(t) = 2*U(t) @ T(V(t))"),
        {**SERIES, "z": lambda env: 0.3 * env["radius"], **{part: part_of_line(part) for part in "USV"}},
        {**NEAR, "F": lambda env: [env["F"]]},
    ),
    "cauchy_schwarz": Case(sequences, ("<= sum(i, lo, hi, E(i)^2)", "<= 1/2*sum(i, lo, hi, E(i)^2)")),
    "det_one_plus": Case(matrices("X", "Y", transposed="Y"), ("I(n) + Y @ X", "I(n) - Y @ X")),
    "eckart_young": Case(
        ranked,
        ("sum(i, k + 1, n, sv(X,i)^2) <= tr", "sum(i, k, n, sv(X,i)^2) <= tr"),
        {"Y": lambda env: truncated(env["X"], env["k"])},
        {"Z": low_rank_rivals},
    ),
    "eckart_young_spectral": Case(near_low_rank, ("rank(Y) < i", "rank(Y) <= i"), false=of_full_rank),
    "eig_quadratic": Case(quadratic, ("2*eig(X,n) + b", "2*eig(X,1) + b"), false=quadratic_that_folds),
    "frobenius_cauchy": Case(matrices("X", "Y"), ("<= tr", "<= 1/2*tr")),
    "frobenius_submultiplicative": Case(products, ("<= tr", "<= 1/2*tr")),
    "linear_matrix_ode_zero": Case(
        linear_systems("X", coefficients="AB"),
        ("X(t) @ B(t)", "X(t) @ B(t) + J(m,n)"),
        false=driven_from_rest("X", coefficients="AB"),
    ),
    "linear_pair_zero": Case(
        linear_systems("X", "Y", coefficients="FG"),
        (
            "F(t) @ Y(t)) => (all t:R. 0 <= t => D(s, Y(s), t) = G(t) @ X(t))",
            "F(t) @ Y(t) + J(m,k)) => (all t:R. 0 <= t => D(s, Y(s), t) = G(t) @ X(t) + J(n,k))",
        ),
        false=driven_from_rest("X", "Y", coefficients="FG"),
    ),
    "linear_system_zero": Case(
        linear_systems("u", coefficients="A"),
        ("A(t) @ u(t)", "A(t) @ u(t) + J(n,1)"),
        false=driven_from_rest("u", coefficients="A"),
    ),
    "nuc_factors": Case(factors, (")/2", ")/3")),
    "nuc_pairing": Case(contractions, ("<= nuc(X)", "<= spec(X)")),
    "nuc_pinching": Case(pinched, ("<= nuc(X)", "<= nuc(X)/2")),
    "polar_decomposition": Case(
        matrices("X"),
        ("spec(Z) <= 1", "spec(Z) <= 1/2"),
        {"Z": polar, "S": lambda env: env["Z"].T @ env["X"]},
    ),
    "polynomial_zeros_null": Case(
        polynomials,
        ("E(x) != 0", "E(x) = 0"),
        {
            "m": lambda env: 2,
            "c": degree_two,
            "x": lambda env: np.full((env["n"], 1), 3.0),
            "A": corner(-1),
            "B": corner(1),
            "k": box_that_holds,
        },
        {
            "x": lambda env: [np.array(zero).reshape(-1, 1) for zero in env["zeros"]],
            "e": lambda env: (1.0, 1e-5),
            "m": lambda env: (-1, 0, 1, 30),
            "k": lambda env: (-1, 0, 1, 2, 9),
        },
        zero_polynomial,
    ),
    "powers_stormer": Case(pairs_of_semidefinite, ("<= nuc(X @ X - Y @ Y)", "<= nuc(X @ X - Y @ Y)/2")),
    "psd_power_eigenvector": Case(semidefinite, (PSD, ANY), false=indefinite),
    "psd_root_exists": Case(semidefinite, (f"{PSD} =>", f"{ANY} =>"), {"Y": root_of}, false=indefinite),
    "psd_root_unique": Case(
        semidefinite, ("(all v:V(n). 0 <= tr(T(v) @ X @ v))", "(all v:V(n). 0 <= tr(T(v) @ v))"), false=indefinite
    ),
    "simultaneous_diagonalisation": Case(
        commuting, ("X @ Y = Y @ X", "X @ Y = X @ Y"), {"U": lambda env: np.linalg.eigh(env["X"])[1]}, false=not_commuting
    ),
    "sv_perturbation": Case(perturbed, ("<= spec(X - Y)", "<= spec(X - Y)/2")),
    "svd": Case(matrices("X"), ("S[i,i] = sv(X,i)", "S[i,i] = sv(X,i + 1)"), ORTHOGONAL),
    "svd_square": Case(square, ("[i,i] = sv(X,i)", "[i,i] = sv(X,i + 1)"), ORTHOGONAL),
    "two_layer_flow": Case(
        two_layers(1.0),
        ("= -(", "= ("),
        {"A": layer(0), "B": layer(1)},
        {"t": lambda env: (0.0, 0.5, 4.0)},
        two_layers(-1.0),
    ),
}
