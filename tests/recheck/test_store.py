"""Certificates on disk: digests, pins, lemmas, limits, the command."""

from __future__ import annotations

import copy
import hashlib
import json
import random
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from tests.logic.leaves import GOOD as LEAVES
from tests.logic.rules import GOOD as RULES
from verify.recheck import Refused, Store, read_formula
from verify.recheck.finite import Evaluator
from verify.recheck.store import digests, nesting, parse
from verify.recheck.terms import put

from .support import FACTS, FIELD, J, accepted, add, eq, given, le, lt, mul, ne, neg, node, sq, sub

TRUTH = (["true"], node("truth"))
SQUARES = given([["x", "R"]], [], le(0, sq("x")), node("pos", terms=[[sq("x")]]))
FALSE_CLAIM = ["all", [["x", "R"]], lt(0, "x")]


def lemma(claim: str, role: str, statement: J) -> tuple[J, J]:
    """A statement proved by a lemma with the same statement."""
    return statement, node("lemma", node("hyp", h="a"), claim=claim, role=role, name="a")


class Disk:
    """A root directory with certificates."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.pins: dict[str, dict[str, str]] = {}
        (root / "reports").mkdir()

    def put(self, claim: str, parts: dict[str, tuple[J, J]], pin: bool = True, more: J = None) -> Path:
        content: dict[str, Any] = {
            "schema": 1,
            "claim": claim,
            "parts": {role: {"statement": s, "proof": p} for role, (s, p) in parts.items()},
        } | (more or {})
        if pin:
            for role, (s, _) in parts.items():
                self.pins.setdefault(claim, {})[role] = min(digests(s))
        return self.write(claim, content)

    def write(self, claim: str, content: dict[str, Any]) -> Path:
        paper, name = claim.split(".")
        path = self.root / "reports" / "certificates" / paper / f"{name}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        rest = {k: x for k, x in content.items() if k != "sha256"}
        path.write_text(json.dumps({"sha256": min(digests(rest))} | content))
        return path

    def results(self, *ids: str) -> dict[tuple[str, str], str]:
        (self.root / "reports" / "statements.json").write_text(json.dumps(self.pins))
        return {(r.claim, r.role): r.reason for r in Store(self.root, FACTS).check(ids)}


@pytest.fixture
def disk(tmp_path: Path) -> Disk:
    return Disk(tmp_path)


def test_all_parts_are_checked(disk: Disk) -> None:
    disk.put("a.one", {"statement": SQUARES, "part:1": TRUTH})
    disk.put("b.two", {"amendment": (["false"], node("truth"))})
    results = disk.results()
    assert results["a.one", "statement"] == results["a.one", "part:1"] == ""
    assert "not a formula with true" in results["b.two", "amendment"]
    assert set(disk.results("a")) == {("a.one", "statement"), ("a.one", "part:1")}
    assert set(disk.results("b.two")) == {("b.two", "amendment")}
    assert disk.results("a.nothing") == {("a.nothing", "certificate"): "there is no certificate"}


def test_a_negation_proves_the_negated_statement(disk: Disk) -> None:
    disk.pins["a.one"] = {"statement": min(digests(FALSE_CLAIM))}
    proof = node("witness", node("refl"), terms=[0])
    disk.put("a.one", {"negation": (FALSE_CLAIM, proof)})
    assert disk.results() == {("a.one", "negation"): ""}
    claim = ["all", [["x", "R"]], ["ex", [["y", "R"]], le("x", "y")]]
    disk.put("a.one", {"negation": (claim, proof)})
    assert disk.results()["a.one", "negation"]


def test_a_negation_must_negate_the_pinned_statement(disk: Disk) -> None:
    proof = node("witness", node("refl"), terms=[0])
    disk.put("a.one", {"negation": (FALSE_CLAIM, proof)})
    disk.pins["a.one"]["statement"] = min(digests(["true"]))
    assert disk.results()["a.one", "negation"] == "the statement is not the pinned one"


def test_lemmas(disk: Disk) -> None:
    disk.put("a.one", {"statement": SQUARES})
    disk.put("a.two", {"statement": lemma("a.one", "statement", SQUARES[0])})
    disk.put("a.three", {"statement": lemma("a.two", "statement", SQUARES[0])})
    assert not any(disk.results().values())
    assert disk.results("a.three") == {("a.three", "statement"): ""}


def test_a_lemma_of_a_negation_is_the_negation(disk: Disk) -> None:
    disk.put("a.one", {"negation": (FALSE_CLAIM, node("witness", node("refl"), terms=[0]))})
    disk.put("a.two", {"statement": lemma("a.one", "negation", FALSE_CLAIM)})
    disk.put("a.six", {"statement": lemma("a.one", "negation", ["ex", [["x", "R"]], le("x", 0)])})
    results = disk.results()
    assert results["a.six", "statement"] == "" and "hyp" in results["a.two", "statement"]


def test_a_lemma_must_be_accepted(disk: Disk) -> None:
    disk.put("a.one", {"statement": (["false"], node("truth"))})
    disk.put("a.two", {"statement": lemma("a.one", "statement", ["false"])})
    disk.put("a.six", {"statement": lemma("a.ten", "statement", ["false"])})
    disk.put("a.ten", {"amendment": TRUTH})
    results = disk.results()
    assert all(results[f"a.{x}", "statement"] for x in ("one", "two", "six"))


def test_cycles_are_refused(disk: Disk) -> None:
    disk.put("a.one", {"statement": lemma("a.two", "statement", ["false"])})
    disk.put("a.two", {"statement": lemma("a.six", "statement", ["false"])})
    disk.put("a.six", {"statement": lemma("a.one", "statement", ["false"])})
    disk.put("a.ten", {"statement": lemma("a.ten", "statement", ["false"])})
    results = disk.results()
    assert all(results.values()) and len(results) == 4
    assert "cycle" in results["a.ten", "statement"]


def test_a_part_may_use_another_part_of_its_claim(disk: Disk) -> None:
    disk.put("a.one", {"part:1": SQUARES, "statement": lemma("a.one", "part:1", SQUARES[0])})
    assert not any(disk.results().values())


def test_trusted_steps_and_axioms_are_passed_on(disk: Disk) -> None:
    trusted = (["false"], node("trusted", f=["false"], why="no"))
    disk.put("a.one", {"statement": trusted})
    disk.put("a.two", {"statement": lemma("a.one", "statement", ["false"])})
    disk.put("a.six", {"statement": lemma("a.two", "statement", ["false"])})
    disk.results()
    by_claim = {r.claim: r for r in Store(disk.root, FACTS).check()}
    assert by_claim["a.one"].outcome.trusted and not by_claim["a.one"].trusted_lemmas
    assert by_claim["a.six"].trusted_lemmas == {("a.one", "statement")}
    assert by_claim["a.six"].data()["lemmas_with_trusted_steps"] == [["a.one", "statement"]]


def test_pins(disk: Disk) -> None:
    disk.put("a.one", {"statement": SQUARES}, pin=False)
    assert disk.results()["a.one", "statement"] == "the statement is not pinned"
    disk.put("a.one", {"statement": SQUARES})
    disk.put("a.one", {"statement": TRUTH}, pin=False)
    assert disk.results()["a.one", "statement"] == "the statement is not the pinned one"
    alpha = json.loads(json.dumps(SQUARES).replace('"x"', '"y"'))
    disk.put("a.one", {"statement": (alpha[0], alpha[1])}, pin=False)
    assert disk.results()["a.one", "statement"] == "the statement is not the pinned one"


@pytest.mark.parametrize(
    "more",
    [
        {"schema": 2},
        {"schema": True},
        {"claim": 3},
        {"claim": "a.other"},
        {"claim": ""},
        {"note": "x"},
        {"parts": []},
        {"parts": {}},
        {"parts": {"theorem": {"statement": ["true"], "proof": node("truth")}}},
        {"parts": {"part:": {"statement": ["true"], "proof": node("truth")}}},
        {"parts": {"statement": ["true"]}},
        {"parts": {"statement": {"statement": ["true"]}}},
        {"parts": {"statement": {"statement": ["true"], "proof": node("truth"), "x": 1}}},
        {"sha256": "0" * 64},
        {"sha256": None},
    ],
    ids=range(15),
)
def test_malformed_certificates_are_refused(disk: Disk, more: dict[str, Any]) -> None:
    disk.put("a.one", {"statement": SQUARES}, more=more)
    results = disk.results()
    assert len(results) == 1 and all(results.values())


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[1.5]",
        "[1e3]",
        "[NaN]",
        "[Infinity]",
        '{"a":1,"a":2}',
        "[" * 3000 + "]" * 3000,
        "[" * 1_000_000,
        "[" + "9" * 40_000 + "]",
        "nul",
        "\ufeff[]",
    ],
    ids=range(12),
)
def test_json_outside_of_the_limits_is_refused(text: str, disk: Disk) -> None:
    with pytest.raises(Refused):
        parse(text.encode())
    path = disk.put("a.one", {"statement": SQUARES})
    path.write_text(text)
    assert list(disk.results().values()) != [""]


def test_json_details() -> None:
    with pytest.raises(Refused):
        parse(b'"\xff"')
    with pytest.raises(Refused):
        parse(b" " * 20_000_001)
    assert parse(b"[" + b"9" * 30_000 + b"]")[0] == 10**30_000 - 1
    assert nesting('["[[[[\\"[[", {"a": []}]') == 3


def test_two_files_for_one_claim_are_refused(disk: Disk) -> None:
    path = disk.put("a.one", {"statement": SQUARES})
    (path.parent / "a.one.json").write_text(path.read_text())
    assert all(disk.results().values())


def test_the_command(disk: Disk) -> None:
    disk.put("a.one", {"statement": SQUARES})
    disk.results()
    command = [sys.executable, "-m", "verify.recheck", "--root", str(disk.root), "--facts", str(FACTS)]
    repository = Path(__file__).parents[2]

    def run(*args: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([*command, *args], capture_output=True, text=True, cwd=repository, check=False)

    good = run()
    assert good.returncode == 0
    assert good.stdout.startswith("accepted  a.one statement: 2 steps\n1 accepted, 0 refused\nevidence: ")
    assert json.loads(run("--json").stdout)["parts"][0]["rules"] == {"fix": 1, "pos": 1}
    assert run("a.six").returncode == 1
    assert run("--nonsense").returncode == 2
    (disk.root / "reports" / "statements.json").write_text("[]")
    bad = run()
    assert bad.returncode == 2 and bad.stderr.startswith("recheck: ") and bad.stderr.count("\n") == 1


def recheck(root: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """The command on the certificates below a root, as a stranger may start it."""
    command = [sys.executable, "-m", "verify.recheck", "--root", str(root), *options]
    return subprocess.run(command, capture_output=True, text=True, cwd=Path(__file__).parents[2], check=False)


def test_the_facts_below_a_root_are_not_those_of_the_checker(disk: Disk) -> None:
    """A stranger's folder has a fact `false`, and proves everything from it."""
    anything = {"name": "anything", "kind": "calculus", "params": [], "formula": ["false"], "says": "", "source": ""}
    strange = disk.root / "verify" / "kernel" / "facts.json"
    strange.parent.mkdir(parents=True)
    strange.write_text(json.dumps([anything]))
    proof = node("fact", node("absurd", h="a"), fact="anything", params=[], name="a")
    disk.put("a.one", {"statement": (["false"], proof)})
    disk.results()
    done = recheck(disk.root)
    assert done.returncode == 1
    assert done.stdout.startswith("refused   a.one statement: fact: no fact 'anything'\n0 accepted, 1 refused\n")
    assert json.loads(recheck(disk.root, "--json").stdout)["facts"] == {"file": str(FACTS), "own": True, "sha256": sha256(FACTS)}

    named = recheck(disk.root, "--facts", str(strange))
    assert named.stdout.startswith(f"facts     {str(strange)!r}: not those of this checker; SHA-256 {sha256(strange)}\naccepted")
    found = json.loads(recheck(disk.root, "--facts", str(strange), "--json").stdout)["facts"]
    assert found == {"file": str(strange), "own": False, "sha256": sha256(strange)}
    copied = disk.root / "copy.json"
    copied.write_bytes(FACTS.read_bytes())
    assert recheck(disk.root, "--facts", str(copied)).stdout.startswith("refused   a.one statement: ")


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


FORGED = "part:x: 1 steps\naccepted  a.one statement"


LONG = "part:" + "x" * 500


@pytest.mark.parametrize("role", [FORGED, "part:\x1b[2Kaccepted", "part:x\u2028accepted", "part:a b", "part:\u0430", LONG])
def test_a_name_forges_no_line(disk: Disk, role: str) -> None:
    disk.put("a.one", {role: SQUARES, "statement": (["false"], node("truth"))})
    disk.results()
    lines = recheck(disk.root).stdout.splitlines()
    assert [line.split(" ")[0] for line in lines] == ["accepted", "refused", "1", "evidence:"]
    assert lines[0] == f"accepted  a.one {role[:160]!a}: 2 steps"
    assert lines[1].startswith("refused   a.one statement: ")


def test_no_file_claim_lemma_or_verdict_forges_a_line(disk: Disk) -> None:
    forged = "one\naccepted  a.two statement: 2 steps"
    path = disk.put("a.one", {"statement": (["false"], node("truth"))})
    content = json.loads(path.read_text()) | {"claim": f"a.{forged}"}
    del content["sha256"]
    path.with_name(f"{forged}.json").write_text(json.dumps({**content, "sha256": min(digests(content))}))
    path.unlink()
    disk.pins[f"a.{forged}"] = {"statement": min(digests(["false"]))}
    disk.put("a.two", {"statement": lemma(f"a.{forged}", FORGED, ["false"])})
    disk.put("a.six", {FORGED: SQUARES, "part:y": lemma("a.six", FORGED, SQUARES[0])})
    disk.results()
    told = {name: {"outcome": "open", "axioms": [FORGED]} for name in ("a.two", "a.six", f"a.{forged}", FORGED)}
    (disk.root / "reports" / "verdicts.json").write_text(json.dumps({"claims": told}))
    tests = {FORGED: {"status": "done", "grade": FORGED}}
    record = {"claims": {FORGED: {"tests": tests, "figures": {FORGED: {"status": "done"}}}}}
    (disk.root / "reports" / "record.json").write_text(json.dumps(record))
    lines = recheck(disk.root).stdout.splitlines()
    assert [line for line in lines if line.startswith("accepted  ")] == [
        f"accepted  a.six {FORGED!a}: 2 steps",
        f"accepted  a.six part:y: 2 steps; lemmas a.six {FORGED!a}",
    ]
    assert all(line.startswith(("accepted  ", "refused   ", "2 accepted, ", "evidence: ")) for line in lines)
    assert any(line.startswith(f"refused   {FORGED!a} {FORGED!a}: ") for line in lines)
    (disk.root / "reports" / "record.json").write_text(json.dumps({"claims": {FORGED: {"tests": 3}}}))
    done = recheck(disk.root)
    assert done.returncode == 2 and done.stderr.count("\n") == 1


def test_the_command_on_deep_nesting(disk: Disk) -> None:
    deep: J = "x"
    for _ in range(900):
        deep = ["+", ["sin", deep], 1]
    proof: J = node("truth")
    for k in range(450):
        proof = node("have", node("refl"), proof, name=f"a{k}", f=eq("x", "x"))
    statement, leaf = given([["x", "R"]], [eq(deep, 0)], ["true"], proof)
    disk.put("a.one", {"statement": (statement, leaf)})
    shallower = deep
    for _ in range(700):
        shallower = shallower[1][1]
    disk.put("a.two", {"statement": given([["x", "R"]], [], eq(mul(0, shallower), 0), FIELD)})
    disk.results()
    command = [sys.executable, "-m", "verify.recheck", "--root", str(disk.root), "--facts", str(FACTS)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=Path(__file__).parents[2], check=False)
    assert "\n2 accepted, 0 refused\n" in done.stdout, done.stdout + done.stderr


def test_the_checker_imports_nothing_of_the_kernel() -> None:
    code = "import sys, verify.recheck.__main__; print(*sorted(sys.modules))"
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, cwd=Path(__file__).parents[2], check=True)
    modules = done.stdout.split()
    assert not {"sympy", "mpmath", "numpy", "proofs"} & set(modules)
    assert all(m.startswith("verify.recheck") for m in modules if m.startswith("verify."))


# --- random edits ---

WORDS = ["x", "y", "n", "h0", "h1", "R", "Z", "=", "<=", "<", "+", "*", "^", "/", "sin", "and", "or", "not", "=>", "all", "ex"]


def places(x: J) -> list[tuple[Any, Any]]:
    """All (container, key) in a JSON value."""
    found: list[tuple[Any, Any]] = []
    stack = [x]
    while stack:
        value = stack.pop()
        items = list(value.items()) if isinstance(value, dict) else list(enumerate(value)) if isinstance(value, list) else []
        for key, child in items:
            found.append((value, key))
            stack.append(child)
    return found


def edited(content: J, rng: random.Random) -> J:
    """A certificate with a few random edits."""
    new = copy.deepcopy(content)
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        spots = places(new)
        (container, key), (other, place) = rng.choice(spots), rng.choice(spots)
        value = container[key]
        kind = rng.randrange(5)
        if kind == 0 and type(value) is int:
            container[key] = value + rng.choice([-2, -1, 1, 7])
        elif kind == 1 and isinstance(value, str):
            container[key] = rng.choice(WORDS)
        elif kind == 2 and isinstance(container, list) and len(container) > 1:
            rng.shuffle(container)
        elif kind == 3:
            del container[key]
        else:
            container[key] = copy.deepcopy(other[place])
    return new


def test_random_edits_are_refused_or_prove_the_pinned_statement(disk: Disk) -> None:
    rng = random.Random(11)
    cases = [c for source in (RULES, LEAVES) for c in source.values()]
    survivors = 0
    (disk.root / "reports" / "statements.json").write_text("{}")
    store = Store(disk.root, FACTS)
    for turn in range(1500):
        statement, proof = cases[turn % len(cases)]
        part = edited({"statement": statement, "proof": proof}, rng)
        if set(part) != {"statement", "proof"}:
            continue
        store.parts = {("a.one", "statement"): part}
        store.results = {}
        store.pins = {"a.one": {"statement": min(digests(statement))}}
        result = store.part(("a.one", "statement"))
        if result.accepted:
            survivors += 1
            assert json.dumps(part["statement"]) == json.dumps(statement)
        else:
            assert result.reason and "\n" not in result.reason
    assert 0 < survivors < 1200


def test_random_edits_of_statements_do_not_prove_what_is_false() -> None:
    """Edits of true, decidable statements, checked with the same proof and decided by evaluation."""
    rng = random.Random(3)
    x, y = "x", "y"
    true = [
        (eq(sq(add(x, y)), add(sq(x), mul(2, x, y), sq(y))), FIELD),
        (eq(sub(sq(x), sq(y)), mul(add(x, y), sub(x, y))), FIELD),
        (le(mul(2, x, y), add(sq(x), sq(y))), node("pos", terms=[[sq(sub(x, y))]])),
        (lt(neg(sq(x)), add(sq(y), 1)), node("pos", terms=[[sq(x)], [sq(y)], [1]])),
        (ne(add(x, 1), x), FIELD),
    ]
    survivors = 0
    for turn in range(4000):
        concl, leaf = true[turn % len(true)]
        both = edited({"a": concl, "leaf": leaf}, rng)
        if set(both) != {"a", "leaf"} or both["a"] == concl:
            continue
        case = given([["x", "R"], ["y", "R"]], [], both["a"], both["leaf"])
        if not accepted(case):
            continue
        survivors += 1
        scope = read_formula(case[0])[-1]
        for _ in range(40):
            values = [Fraction(rng.randrange(-9, 10), rng.randrange(1, 5)) for _ in range(2)]
            point = [("q", v.numerator, v.denominator) if v.denominator > 1 else v.numerator for v in values]
            assert Evaluator().holds(put(scope, point), []), (both, values)
    assert survivors > 20
