"""Limits of flows that decouple or have a closed form: against integration, and under attack."""

from __future__ import annotations

import copy
import json
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from flint import arb
from hypothesis import given, settings
from hypothesis import strategies as st

from verify.completion.observations import Observations
from verify.flow import recheck
from verify.flow.ask import Question, answer, shapes
from verify.flow.batch import State, Stop, gradient_flow
from verify.flow.highprec import integrate
from verify.flow.models import deep_factorization
from verify.flow.reductions import Network, Undetermined, applies, blocks, certify, components, limit, truncate, truncates
from verify.flow.starts import parse_start
from verify.flow.stiff import stiff_flow


def network(rows, depth, start, hidden=None):
    target = tuple(tuple(None if v is None else Fraction(v) for v in row) for row in rows)
    factors = parse_start(start).factors(shapes(len(rows), len(rows[0]), depth, hidden))
    return Network(target, factors)


def scaled(factors):
    return tuple(tuple(tuple(Fraction(v) for v in row) for row in f) for f in factors)


def integrated(net, time=None):
    """The product at the end of a float64 run.

    Explicit steps keep exact symmetries of the state; implicit ones leave a saddle by their rounding.
    """
    model = deep_factorization(net.target, net.depth, net.sizes[1:-1])
    state = State.begin(model, [np.array([[[float(v) for v in row] for row in f]]) for f in net.factors])
    if time is None:
        gradient_flow(model, state, Stop(loss=1e-20, steps=500), rtol=1e-10)
        stiff_flow(model, state.resume(), Stop(loss=1e-22, steps=500), rtol=1e-8)
    else:
        gradient_flow(model, state, Stop(time=time), rtol=1e-7)
    out = state.blocks[0][0]
    for block in state.blocks[1:]:
        out = block[0] @ out
    return out


def followed(net, time):
    """The product at a time in high precision: a saddle's rounding errors have not grown yet."""
    model = deep_factorization(net.target, net.depth, net.sizes[1:-1])
    out = integrate(model, net.factors, [time], digits=70, check=False).states[-1]
    total = out[0]
    for block in out[1:]:
        total = block @ total
    return float(total[0, 0])


def middles(outcome):
    return np.array([[float(v.mid()) for v in row] for row in outcome.product])


DECOUPLED = [
    ([[-1, None], [None, -1]], 2, "identity:1e-2", "rest"),
    ([[1, None], [None, 2]], 2, "identity:1e-2", "limit"),
    ([[1, None], [None, 2]], 4, "identity:0.1", "limit"),
    ([[1, None, None], [None, 2, None]], 3, "identity:0.1", "limit"),
    ([[1, None], [None, -2], [None, None]], 3, "identity:0.1", "rest"),
    ([[1, 0], [0, "1/2"]], 3, "identity:0.1", "limit"),
    ([[None, 1, None], [2, None, None], [None, None, -1]], 2, "gaussian:0.3,5", "limit"),
    ([[1, 2, None, None], [None, 1, None, None], [None, None, 1, None], [None, None, 1, 1]], 2, "gaussian:0.4,1", "limit"),
    ([[3]], 5, "identity:0.2", "limit"),
    ([[1, 1], [1, 3]], 2, "identity:0.1", "limit"),
    ([[0, 1], [1, 0]], 2, "identity:0.1", "rest"),
]


@pytest.mark.parametrize(("rows", "depth", "start", "kind"), DECOUPLED)
def test_reduced_limits_are_those_of_the_flow(rows, depth, start, kind):
    net = network(rows, depth, start)
    assert applies(net)
    outcome = limit(net, 20, 300)
    assert outcome.found.kind == kind and outcome.digits >= 20
    assert recheck.check(json.loads(json.dumps(outcome.certificate))).kind == kind
    assert np.allclose(
        middles(outcome), integrated(net, None if kind == "limit" else 40.0), atol=2e-2 if kind == "rest" else 1e-8
    )


@pytest.mark.parametrize("depth", [2, 3, 5])
def test_tiny_scales_cost_nothing(depth):
    outcome = limit(network([[1, None], [None, 2]], depth, "identity:1e-300"), 50, 300)
    assert outcome.found.kind == "limit" and outcome.digits >= 50
    assert outcome.product[0, 1].is_zero() and outcome.product[1, 1] == 2


@settings(deadline=None, max_examples=25)
@given(st.lists(st.integers(-4, 4), min_size=1, max_size=4), st.integers(-3, 3))
def test_chains_against_integration(xs, w):
    net = Network(((Fraction(w),),), scaled([[[Fraction(x, 4)]] for x in xs]))
    outcome = limit(net, 15, 300)
    found = [float(flat[0].mid()) for flat in outcome.found.balls]
    for k, x in enumerate(found):  # the differences of the squares are invariant
        assert x**2 - found[0] ** 2 == pytest.approx((xs[k] ** 2 - xs[0] ** 2) / 16, abs=1e-12)
    end = float(outcome.product[0, 0].mid())
    if outcome.found.loss_zero:
        assert end == w
    else:
        assert end == 0 and w != 0
    assert end == pytest.approx(followed(net, 40), abs=5e-2)


@settings(deadline=None, max_examples=25)
@given(
    st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3)), min_size=2, max_size=3),
    st.integers(-3, 3),
    st.sampled_from([0, 1, -1]),
)
def test_single_entries_against_integration(pairs, w, tie):
    """tie: a = b or a = -b, where the limit may be zero."""
    column = [[Fraction(a * tie if tie else b, 3)] for a, b in pairs]
    net = Network(((Fraction(w),),), scaled([column, [[Fraction(a, 3) for a, _ in pairs]]]))
    outcome = limit(net, 15, 300)
    assert outcome.found.loss_zero == (outcome.product[0, 0] == w)
    assert float(outcome.product[0, 0].mid()) == pytest.approx(integrated(net, 40.0)[0, 0], abs=5e-2)
    a = np.array([float(v.mid()) for v in outcome.found.balls[1]])
    b = np.array([float(v.mid()) for v in outcome.found.balls[0]])
    start_a, start_b = np.array([a for a, _ in pairs]) / 3, np.array([float(v[0]) for v in column])
    conserved = np.outer(a, a) - np.outer(b, b)
    assert np.allclose(conserved, np.outer(start_a, start_a) - np.outer(start_b, start_b), atol=1e-9)


def test_the_partition_is_the_finest():
    net = network([[1, None, None], [None, 2, 5], [None, None, 3]], 2, "identity:1")
    assert sorted(map(len, (p[0] for p in blocks(net)))) == [1, 2]
    assert blocks(network([[1, None], [None, 2]], 2, "ones:1,2")) == [[[0, 1], [0, 1], [0, 1]]]
    dense = network([[1, None, None], [None, 2, 5], [None, None, None]], 2, "gaussian:1,1")
    assert components(dense) == [[[0], [0, 1, 2], [0]], [[1, 2], [0, 1, 2], [1]]]
    assert components(network([[1, None], [None, 2]], 3, "gaussian:1,1")) == []


def test_an_observed_zero_between_blocks_does_not_link_them():
    outcome = limit(network([[1, 0], [0, 2]], 3, "identity:1e-9"), 20, 300)
    assert outcome.found.kind == "limit" and outcome.product[0, 1].is_zero()
    assert not applies(network([[1, "1/9"], [None, 2]], 3, "identity:1e-9"))


def test_repeated_eigenvalues_and_a_large_dimension():
    rows = [[2 + (i == j) for j in range(5)] for i in range(5)]  # eigenvalues 11 and 1, 1, 1, 1
    outcome = limit(network(rows, 3, "identity:1e-8"), 25, 300)
    assert outcome.found.kind == "limit" and all(outcome.product[i, j] == rows[i][j] for i, j in product(range(5), repeat=2))


def edits(certificate):
    """Certificates that claim something else."""
    for path in ("bits", "kind", "split"):
        if path in certificate:
            other = copy.deepcopy(certificate)
            other[path] = {"bits": 0, "kind": "limit", "split": "entries" if certificate.get("split") == "blocks" else "blocks"}[
                path
            ]
            yield path, other
    if "parts" in certificate:
        for change in ("drop", "still", "merge", "swap"):
            other = copy.deepcopy(certificate)
            if change == "drop":
                del other["parts"][0]
            elif change == "still":
                other["parts"][0]["certificate"] = None
            elif change == "merge":
                other["parts"][0]["nodes"] = other["parts"][1]["nodes"]
            else:
                first, second = other["parts"][:2]
                first["certificate"], second["certificate"] = second["certificate"], first["certificate"]
            yield change, other
        for name, inner in edits(certificate["parts"][0]["certificate"]):
            other = copy.deepcopy(certificate)
            other["parts"][0]["certificate"] = inner
            yield f"part: {name}", other
    if certificate.get("bracket"):
        for number, exponent in ((0, 3), (1, -3)):
            other = copy.deepcopy(certificate)
            other["bracket"][number][1] += exponent
            yield f"bracket {number}", other
        other = copy.deepcopy(certificate)
        other["bracket"] = None
        yield "no bracket", other


@pytest.mark.parametrize(
    "net",
    [
        network([[1, None], [None, 2]], 3, "identity:1e-3"),
        network([[1, None], [None, 2]], 2, "gaussian:0.1,2"),
        network([[2]], 4, "identity:1e-3"),
    ],
)
def test_wrong_certificates_are_refused(net):
    certificate = certify(net, 15, 300)
    recheck.check(certificate)
    for name, wrong in edits(certificate):
        with pytest.raises(recheck.Refused):
            recheck.check(wrong)
            pytest.fail(name)


def test_starts_and_observations_that_link_parts_are_refused():
    certificate = certify(network([[1, None], [None, 2]], 3, "identity:1e-3"), 15, 300)
    linked = copy.deepcopy(certificate)
    linked["start"][1][0][1] = "1/7"
    with pytest.raises(recheck.Refused, match="start links"):
        recheck.check(linked)
    observed = copy.deepcopy(certificate)
    observed["model"]["target"][0][1] = "1/7"
    with pytest.raises(recheck.Refused, match="observed entry links"):
        recheck.check(observed)
    observed["model"]["target"][0][1] = "0"
    assert recheck.check(observed).kind == "limit"
    entries = certify(network([[1, None], [None, 2]], 2, "gaussian:1,1"), 15, 300)
    entries["model"]["target"][0][1] = "0"
    with pytest.raises(recheck.Refused, match="observed entry links"):
        recheck.check(entries)


TRUNCATED = [  # target, depth, start, inner width, k
    ([[1, 3], [2, 4]], 2, "identity:1e-3", None, 1),  # the determinant keeps its sign
    ([[1, 3], [2, 4]], 3, "identity:1e-9", None, 1),
    ([[1, 3], [2, 4]], 2, "ones:1e-2,3", None, 1),
    ([[2, 4, 1], [0, 1, 3], [0, 1, "1/2"]], 2, "identity:1e-1", None, 2),
    ([[1, 2], [3, 6]], 2, "identity:1e-1", None, 1),  # a target of low rank
    ([[1, 2], [3, 6], [2, 4]], 3, "gaussian:0.4,3", None, 1),
    ([[1, 2, 3], [2, 1, "1/2"], [0, 1, 2]], 2, "gaussian:0.1,2", 1, 1),  # narrow
    ([[1, 2, 3], [2, 1, "1/2"], [0, 1, 2]], 3, "gaussian:0.3,2", 2, 2),
]


@pytest.mark.parametrize(("rows", "depth", "start", "hidden", "k"), TRUNCATED)
def test_all_observed_and_a_limit_of_lower_rank(rows, depth, start, hidden, k):
    net = network(rows, depth, start, hidden)
    assert truncates(net) and applies(net)
    outcome = limit(net, 25, 300)
    target = np.array([[float(Fraction(v)) for v in row] for row in rows])
    left, values, right = np.linalg.svd(target)
    assert np.allclose(middles(outcome), (left[:, :k] * values[:k]) @ right[:k], atol=1e-12)
    assert outcome.digits >= 25 and outcome.found.loss_zero == (np.linalg.matrix_rank(target) == k)
    found = recheck.check(json.loads(json.dumps(outcome.certificate)))
    assert found.kind == ("product" if outcome.found.balls is None else "limit")
    model = deep_factorization(net.target, depth, net.sizes[1:-1])
    state = State.begin(model, [np.array([[[float(v) for v in row] for row in f]]) for f in net.factors])
    loss = float(((target - middles(outcome)) ** 2).sum() / 2)
    gradient_flow(model, state, Stop(loss=loss + 1e-3, steps=20000), rtol=1e-10)  # a saddle is left by rounding later
    product = state.blocks[0][0]
    for block in state.blocks[1:]:
        product = block[0] @ product
    assert np.allclose(product, middles(outcome), atol=0.2)


def test_truncated_limits_that_are_not_proved_are_refused():
    certificate = certify(network([[1, 3], [2, 4]], 2, "identity:1e-3"), 15, 300)
    assert certificate["kind"] == "truncated" and recheck.check(certificate).kind == "product"
    high = copy.deepcopy(certificate)  # the loss is not yet low
    high["way"] |= {"steps": [], "claim": {"blocks": high["way"]["begin"]["mid"], "error": high["way"]["begin"]["error"]}}
    recheck.check(high["way"])
    with pytest.raises(recheck.Refused, match="loss is not below"):
        recheck.check(high)
    other = copy.deepcopy(certificate)  # the way is about another problem
    other["model"]["target"][0][0] = "2"
    with pytest.raises(recheck.Refused, match="other observations"):
        recheck.check(other)
    hidden = copy.deepcopy(certificate)
    for part in (hidden, hidden["way"]):
        part["model"]["target"][0][0] = None
    with pytest.raises(recheck.Refused, match="not all observed"):
        recheck.check(hidden)
    missing = {**certificate, "way": None}
    with pytest.raises(recheck.Refused):
        recheck.check(missing)
    open_end = {**certificate, "way": {**certificate["way"], "kind": "limit"}}
    with pytest.raises(recheck.Refused):
        recheck.check(open_end)


def test_the_determinant_obstructs_only_balanced_starts_of_the_other_sign():
    assert not truncates(network([[1, 3], [2, 4]], 2, "gaussian:1e-3,1"))  # such a flow may change the sign
    assert not truncates(network([[3, 1], [2, 4]], 2, "identity:1e-3"))
    assert not truncates(network([[1, 3], [2, None]], 2, "identity:1e-3"))
    turned = Network(network([[3, 1], [2, 4]], 2, "identity:1").target, scaled([[[0, 1], [1, 0]], [[1, 0], [0, 1]]]))
    assert truncates(turned)  # balanced, of determinant -1
    found = limit(turned, 20, 300)
    assert found.found.kind == "product" and not found.found.loss_zero


def test_equal_singular_values_have_no_largest_part():
    equal = Network(network([[1, 0], [0, -1]], 2, "identity:1").target, scaled([[[3, 1], [1, 2]], [[3, 1], [1, 2]]]))
    with pytest.raises(Undetermined, match="equal"):
        truncate(equal, 15, 300, lambda text: None)


def test_a_truncated_block_beside_others():
    outcome = limit(network([[1, 3, None], [2, 4, None], [None, None, 5]], 2, "identity:1e-2"), 20, 300)
    assert outcome.found.kind == "product" and outcome.product[0, 2].is_zero() and outcome.product[2, 2] == 5
    assert middles(outcome)[0, 0] == pytest.approx(1.27357371309576)
    with pytest.raises(Undetermined):  # other parts need the factors
        limit(network([[1, 3, None], [2, 4, None], [None, None, 5]], 2, "ones:1e-2,3", 2), 20, 300)


def ask(rows, depth, start, **more):
    data = Observations.from_rows([[None if v is None else Fraction(v) for v in row] for row in rows])
    return answer(Question(data, depth, parse_start(start).factors(shapes(len(rows), len(rows[0]), depth)), 20, **more))


def test_answers_of_the_command():
    saddle = ask([[-1, None], [None, -2]], 2, "identity:1e-3")
    assert saddle.certified and not saddle.exact_loss and "stays positive" in saddle.reason and saddle.loss == arb(5) / 2
    found = ask([[1, None], [None, 2]], 4, "identity:1e-35")
    assert found.certified and found.exact_loss and found.digits == 20 and "scalar chains" in found.method
    wide = ask([[i + 1 if i == j else None for j in range(12)] for i in range(12)], 3, "identity:1e-20")
    assert wide.certified and wide.product[11, 11] == 12  # 432 unknowns: more than the validated engine takes


def test_a_part_that_is_not_certified_leaves_the_whole_undetermined():
    rows = [[1, None, None], [None, 1, 1], [None, 1, -1]]
    found = ask(rows, 2, "gaussian:1e-1,3", max_steps=2)
    assert found.status == "undetermined" and found.reason
