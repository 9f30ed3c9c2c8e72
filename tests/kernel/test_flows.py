"""The leaf `flow`: true limits pass the kernel and the checker, false inputs and edited steps pass neither."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import pytest

from tests.kernel.common import LIBRARY, no_lemma, proved
from verify.flow.certificate import complete
from verify.flow.models import deep_factorization
from verify.flow.validated import Problem, certified_limit, enclose
from verify.kernel import Goal, LogicError, ProofError, freeze, freeze_node, parse, thaw
from verify.kernel import check as kernel_check
from verify.recheck.rules import Checker
from verify.recheck.terms import Refused, read_formula

START = "0.5 <= x(0) => x(0) <= 0.5"
LOGISTIC = f"all x:R~>R. {START} => (all t:R. 0 <= t => x'(t) = x(t)*(1 - x(t))) => "
AT_ONE = LOGISTIC + "0.7310585786 <= x(1) and x(1) <= 0.7310585787"  # 1/(1 + exp(-1))
ROOT = f"all x:R~>R. {START} => (all t:R. 0 <= t => x'(t) = -((x(t)^2 - 2)*2*x(t))) => "
TO_ROOT = ROOT + "ex l:R. tends(t, x(t), l) and 1.41421356237309 <= l and l <= 1.41421356237310"
PLANE = """all x y:R~>R. 1 <= x(0) => x(0) <= 1 => 0 <= y(0) => y(0) <= 0 =>
  (all t:R. 0 <= t => x'(t) = -y(t)) => (all t:R. 0 <= t => y'(t) = x(t)) => """
TURN = PLANE + "0.5403023058681 <= x(1) and x(1) <= 0.5403023058682 and y(1) <= 0.8414709848079"
PAIR = """all x y:R~>R. 1/5 <= x(0) => x(0) <= 1/5 => 2 <= y(0) => y(0) <= 2 =>
  (all t:R. 0 <= t => x'(t) = -3*(x(t)*y(t) - 1)*y(t)) => (all t:R. 0 <= t => y'(t) = -3*(x(t)*y(t) - 1)*x(t)) => """
# x y = 1 and y^2 - x^2 = 4 - 1/25
PAIR_LIMIT = (
    PAIR
    + "(ex l:R. tends(t, x(t), l) and 0.4880 <= l and l <= 0.4881) and (ex l:R. tends(t, y(t), l) and 2.048 <= l and l <= 2.049)"
)


def one(time: int | None, digits: int = 15, **more: Any) -> Callable[[Goal], None]:
    def script(g: Goal) -> None:
        h = g.intro()
        g.flow([h[2]], [(h[0], h[1])], digits, None if time is None else Fraction(time), **more)

    return script


def two(time: int | None, **more: Any) -> Callable[[Goal], None]:
    def script(g: Goal) -> None:
        h = g.intro()
        g.flow([h[4], h[5]], [(h[0], h[1]), (h[2], h[3])], 14, None if time is None else Fraction(time), **more)

    return script


TRUE = {
    "a time": (AT_ONE, one(1)),
    "a limit": (TO_ROOT, one(None, residuals=["x^2 - 2"])),
    "a rotation": (TURN, two(1)),
    "a curve of limits": (PAIR_LIMIT, two(None, residuals=["x*y - 1"], factor=Fraction(3))),
    "a ball of starts": (
        LOGISTIC.replace("0.5 <= x(0)", "0.4999 <= x(0)") + "0.7308 <= x(1) and x(1) <= 0.7313",
        one(1, 3),
    ),
    "time 0": (LOGISTIC + "x(0) <= 0.51", one(0)),
}


@pytest.fixture(scope="module")
def proofs() -> dict[str, Any]:
    """The proofs of the true statements, accepted by both."""
    return {name: thaw_all(text, proved(text, script)) for name, (text, script) in TRUE.items()}


def thaw_all(text: str, theorem: Any) -> tuple[Any, Any]:
    return thaw(parse(text)), json.loads(json.dumps(theorem.proof))


def test_true_statements_pass(proofs: dict[str, Any]) -> None:
    for statement, proof in proofs.values():
        assert accepted(statement, proof) == (True, True)


def accepted(statement: Any, proof: Any) -> tuple[bool, bool]:
    """Whether the kernel and the checker accept."""
    try:
        kernel_check(freeze(statement), freeze_node(proof), no_lemma)
        kernel = True
    except (LogicError, LookupError, TypeError, ValueError):  # malformed nodes come only from edited files
        kernel = False
    try:
        Checker(LIBRARY, no_lemma).check(read_formula(statement), proof)
        checker = True
    except Refused:
        checker = False
    return kernel, checker


def leaf(proof: Any) -> Any:
    """The node with the rule `flow`, in place."""
    while proof["r"] != "flow":
        proof = proof["c"][0]
    return proof


# (proof, what replaces its statement): the proof of a true statement is tried on a false or unproved one
FALSE = [
    ("a time", AT_ONE.replace("0.7310585786 ", "0.7310585787 ")),
    ("a time", AT_ONE.replace("x(1) <=", "x(2) <=")),
    ("a time", AT_ONE.replace("1 - x(t)", "1 + x(t)")),
    ("a time", AT_ONE.replace("1 - x(t)", "1 - t")),
    ("a time", AT_ONE.replace("0 <= t =>", "1 <= t =>")),
    ("a time", AT_ONE.replace("0.5 <= x(0)", "0.4 <= x(0)")),
    ("a time", AT_ONE.replace("0.5 <= x(0)", "0.5 <= x(1)")),
    ("a time", AT_ONE.replace("x(0) <= 0.5", "0.5 <= x(0)")),
    ("a time", AT_ONE.replace("x(1) <= 0.7310585787", "x(1) < 0.7310585787")),
    ("a time", LOGISTIC + "ex l:R. tends(t, x(t), l) and 0.73 <= l and l <= 0.74"),
    ("a time", LOGISTIC + "0.7310585786 <= x(1) or x(1) <= 0"),
    ("a limit", TO_ROOT.replace("1.41421356237309 ", "1.41421356237310 ")),
    ("a limit", TO_ROOT.replace("tends(t, x(t), l)", "tends(t, -x(t), l)")),
    ("a limit", TO_ROOT.replace("tends(t, x(t), l)", "tends(t, x(t + 1), l)")),
    ("a limit", TO_ROOT.replace("x(t)^2 - 2", "x(t)^2 - 3")),
    ("a limit", TO_ROOT.replace("0.5", "-0.5")),
    ("a limit", ROOT + "1.4 <= x(9) and x(9) <= 1.5"),
    ("a rotation", TURN.replace("-y(t)", "y(t)")),
    ("a rotation", TURN.replace("y(1) <= 0.8414709848079", "y(1) <= 0.8414709848078")),
    ("a curve of limits", PAIR_LIMIT.replace("-3*(x(t)*y(t) - 1)*x(t)", "-2*(x(t)*y(t) - 1)*x(t)")),
    ("a curve of limits", PAIR_LIMIT.replace("tends(t, y(t), l)", "tends(t, x(t), l)")),
    ("a ball of starts", TRUE["a ball of starts"][0].replace("0.4999", "0.499")),
]


@pytest.mark.parametrize("name, text", FALSE, ids=range(len(FALSE)))
def test_false_statements_do_not_pass(proofs: dict[str, Any], name: str, text: str) -> None:
    assert text != TRUE[name][0]
    assert accepted(thaw(parse(text)), proofs[name][1]) == (False, False)


def test_any_function_is_no_solution(proofs: dict[str, Any]) -> None:
    statement, proof = copy.deepcopy(proofs["a time"])
    statement[1][0][1][3] = "any"  # the derivative of such a function has no meaning
    assert accepted(statement, proof) == (False, False)


NETWORK = """all a b:R~>R. 1/1000000000 <= a(0) => a(0) <= 1/1000000000 => 2/1000000000 <= b(0) => b(0) <= 2/1000000000 =>
  (all t:R. 0 <= t => a'(t) = -((a(t)*b(t) - 2)*b(t))) => (all t:R. 0 <= t => b'(t) = -(a(t)*(a(t)*b(t) - 2))) => """
NETWORK_LIMIT = NETWORK + "ex l:R. tends(t, a(t), l) and 1.41421356237309 <= l and l <= 1.41421356237310"  # b^2 - a^2 stays


def certificate(digits: int, time: int | None = None, start: str = "1e-9") -> dict[str, Any]:
    problem = Problem.make(deep_factorization([[2]], 2), [[["2e-9"]], [[start]]])  # the first factor is b
    result = certified_limit(problem, digits, exponentials=False) if time is None else enclose(problem, time, digits)
    return complete(result.certificate)


def along(given: dict[str, Any], digits: int = 16, places: Sequence[str] = ("b", "a")) -> Callable[[Goal], None]:
    def script(g: Goal) -> None:
        h = g.intro()
        pairs = [(h[0], h[1]), (h[2], h[3])]
        g.flow([h[4], h[5]], pairs, digits, residuals=["a*b - 2"], certificate=given, places=places)

    return script


def test_the_steps_of_a_certificate_are_taken() -> None:
    """A certificate of the integrator, with changes of time, proves the limit; nothing is searched for."""
    given = certificate(20)
    assert any(step["beta"] for step in given["steps"])
    statement, proof = thaw_all(NETWORK_LIMIT, proved(NETWORK_LIMIT, along(given)))
    node = leaf(proof)
    assert len(node["steps"]) == len(given["steps"])
    timed = [k for k, step in enumerate(given["steps"]) if step["beta"]]
    for k, step in enumerate(node["steps"]):
        man, exp = given["steps"][k]["h"]
        assert value(step[0]) == int(man, 16) * Fraction(2) ** exp
        assert (value(step[1]) != 0) == (k in timed)
        man, exp = given["steps"][k]["error"]
        assert value(step[6]) <= 2 * int(man, 16) * Fraction(2) ** exp
    for change in (times(2), times(-1), lambda r: 0):
        edited = copy.deepcopy(proof)
        step_of = leaf(edited)["steps"][timed[-1]]
        step_of[1] = change(step_of[1])
        assert accepted(statement, edited) == (False, False)
    edited = copy.deepcopy(proof)
    step_of = leaf(edited)["steps"][timed[0]]
    step_of[3][-1][0] += 1 << (step_of[2] - 10)  # the speed is another function
    assert accepted(statement, edited) == (False, False)
    edited = copy.deepcopy(proof)
    leaf(edited).pop("capture")
    at_time = thaw(parse(NETWORK + "a(10) <= 2"))  # after a change of time no time is told
    assert accepted(at_time, edited) == (False, False)


def test_certificates_of_other_flows_prove_nothing() -> None:
    for given in (
        certificate(20, start="1.1e-9"),
        {**certificate(20), "kind": "undetermined"},
        {"kind": "limit"},
        certificate(5),
    ):
        with pytest.raises(ProofError):
            proved(NETWORK_LIMIT, along(given))
    with pytest.raises(ProofError):
        proved(NETWORK_LIMIT, along(certificate(20), places=("b", "c")))
    with pytest.raises(ProofError):
        proved(NETWORK_LIMIT, along(certificate(20), places=("a", "b")))


def value(x: Any) -> Fraction:
    return Fraction(x[1], x[2]) if isinstance(x, list) else Fraction(x)


def write(x: Fraction) -> Any:
    return x.numerator if x.denominator == 1 else ["q", x.numerator, x.denominator]


Edit = Callable[[dict[str, Any]], None]


def step(place: int, change: Callable[[Any], Any], number: int = 0) -> Edit:
    def edit(node: dict[str, Any]) -> None:
        node["steps"][number][place] = change(node["steps"][number][place])

    return edit


def last(place: int, change: Callable[[Any], Any]) -> Edit:
    def edit(node: dict[str, Any]) -> None:
        node["capture"][place] = change(node["capture"][place])

    return edit


def put(key: str, change: Callable[[Any], Any]) -> Edit:
    def edit(node: dict[str, Any]) -> None:
        node[key] = change(node[key])

    return edit


def times(factor: Fraction | int) -> Callable[[Any], Any]:
    return lambda x: write(value(x) * factor)


EDITS: list[tuple[str, Edit]] = [
    ("a limit", step(0, times(2))),
    ("a limit", step(0, times(-1))),
    ("a limit", step(1, lambda r: 1)),
    ("a limit", step(2, lambda n: n + 1)),
    ("a limit", step(2, lambda n: -1)),
    ("a limit", step(3, lambda rows: [row[: len(row) // 2] for row in rows])),
    ("a limit", step(3, lambda rows: [[row[0] + (1 << 40), *row[1:]] for row in rows])),
    ("a limit", step(3, lambda rows: [[*row[:3], row[3] + (1 << 40), *row[4:]] for row in rows])),
    ("a limit", step(3, lambda rows: [*rows, rows[0]])),
    ("a limit", step(3, lambda rows: [[]])),
    ("a limit", step(3, lambda rows: [])),
    ("a limit", step(4, times(Fraction(1, 100)))),
    ("a limit", step(5, lambda mu: [0] * len(mu))),
    ("a limit", step(5, lambda mu: [])),
    ("a limit", step(5, lambda mu: [write(value(x) - 1) for x in mu])),
    ("a limit", step(6, times(Fraction(1, 10)))),
    ("a limit", step(6, times(-1))),
    ("a limit", put("steps", lambda s: s[1:])),
    ("a limit", put("steps", lambda s: s[:-3])),
    ("a limit", put("steps", lambda s: [s[1], s[0], *s[2:]])),
    ("a limit", put("bits", lambda b: b + 1)),
    ("a limit", put("bits", lambda b: 10)),
    ("a limit", put("mid", lambda m: [m[0] + (1 << 40)])),
    ("a limit", put("error", lambda e: -1)),
    ("a limit", put("vars", lambda v: ["y"])),
    ("a limit", last(0, lambda r: [["+", ["^", "x", 2], -3]])),
    ("a limit", last(0, lambda r: [])),
    ("a limit", last(0, lambda r: [["*", -1, r[0]], r[0]])),
    ("a limit", last(1, times(2))),
    ("a limit", last(1, times(-1))),
    ("a limit", last(2, times(Fraction(1, 10**6)))),
    ("a limit", last(2, lambda r: 10)),
    ("a limit", last(3, times(2))),
    ("a limit", last(3, times(-1))),
    ("a limit", last(4, lambda mid: [m + (1 << 60) for m in mid])),
    ("a limit", last(5, times(Fraction(1, 10**6)))),
    ("a curve of limits", last(1, times(Fraction(1, 3)))),
    ("a curve of limits", last(0, lambda r: [["*", 2, r[0]]])),
    ("a curve of limits", last(4, lambda mid: mid[::-1])),
    ("a curve of limits", put("start", lambda s: s[::-1])),
    ("a curve of limits", put("ode", lambda s: s[::-1])),
    ("a curve of limits", put("vars", lambda s: ["x", "x"])),
    ("a curve of limits", put("vars", lambda s: s[:1])),
    ("a rotation", step(3, lambda rows: rows[::-1])),
    ("a rotation", step(3, lambda rows: [rows[0], rows[1][:-1]])),
    ("a rotation", step(5, lambda mu: [*mu[:-1], write(Fraction(-1))])),
    ("a rotation", put("steps", lambda s: s + s[-1:])),
]


@pytest.mark.parametrize("name, edit", EDITS, ids=range(len(EDITS)))
def test_edited_steps_do_not_pass(proofs: dict[str, Any], name: str, edit: Edit) -> None:
    statement, proof = copy.deepcopy(proofs[name])
    edit(leaf(proof))
    assert accepted(statement, proof) == (False, False)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """All positions in the arguments of a leaf."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [p for key, child in items for p in ((*path, key), *places(child, (*path, key)))]


def random_edit(node: dict[str, Any], rng: random.Random) -> None:
    """Change a number, or drop, double or exchange members of a list."""
    path = rng.choice(places({k: v for k, v in node.items() if k != "r"}))
    parent: Any = node
    for key in path[:-1]:
        parent = parent[key]
    old = parent[path[-1]]
    if isinstance(old, int):
        parent[path[-1]] = rng.choice((old + 1, old - 1, -old, 0, 1, 2 * old, old // 2, old << 8, old >> 8))
    elif isinstance(old, list) and old:
        i, j = rng.randrange(len(old)), rng.randrange(len(old))
        rng.choice((lambda: old.pop(i), lambda: old.insert(j, copy.deepcopy(old[i])), lambda: old.__setitem__(i, old[j])))()


@pytest.mark.parametrize("name", ["a limit", "a curve of limits", "a rotation"])
def test_no_random_edit_proves_a_false_statement(proofs: dict[str, Any], name: str) -> None:
    """The statement is false by less than the error that the proof shows; edits of its numbers must not make up for it."""
    false = {
        "a limit": TO_ROOT.replace("1.41421356237309 ", "1.414213562373096 "),
        "a curve of limits": PAIR_LIMIT.replace("0.4880 <=", "0.48806 <="),
        "a rotation": TURN.replace("<= 0.8414709848079", "<= 0.8414709848078"),
    }[name]
    rng = random.Random(name)
    statement = thaw(parse(false))
    for _ in range(60):
        proof = copy.deepcopy(proofs[name][1])
        for _ in range(rng.randint(1, 4)):
            random_edit(leaf(proof), rng)
        assert accepted(statement, proof) == (False, False)


def test_a_saddle_is_not_captured() -> None:
    """x' = -x^3 from 1 tends to 0, where the Jacobian of x^2/2^(1/2) vanishes: nothing is found."""
    text = f"all x:R~>R. {START} => (all t:R. 0 <= t => x'(t) = -2*x(t)^3) => ex l:R. tends(t, x(t), l) and -1 <= l and l <= 1"
    with pytest.raises(LogicError):
        proved(text, one(None, 3, residuals=["x^2"], steps=20))


def test_a_blow_up_is_no_solution_for_all_times() -> None:
    """x' = x^2 from 1/2 has no solution on t >= 0, so anything is true of all; the leaf cannot pass the pole at 2."""
    text = f"all x:R~>R. {START} => (all t:R. 0 <= t => x'(t) = x(t)^2) => x(3) <= 1"
    with pytest.raises(LogicError):
        proved(text, one(3, 3, steps=20))
