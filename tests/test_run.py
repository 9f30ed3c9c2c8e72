"""Runs around a stub kernel: verdicts, the cache, time limits, interruption, refusals."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from typing import Any

import pytest

from tests.conftest import OneLine
from tests.support.interrupting import listen_to_interrupts
from tests.support.world import RUN, World
from verify.verdict import Verdict

PROOFS = """
@holds("tiny.a", "x", argument="sound")
def a(g):
    "Reduction of a."
    g.close()

@part("tiny.b", "k", "y")
def bk(g):
    g.trusted("by hand")

@holds("tiny.b", "y", uses=["tiny.a"], covers="instances", because="d <= 4",
       readings=[("one", "holds", "k"), ("two", "holds", None)])
def b(g):
    g.lemma("tiny.a")
    g.lemma("tiny.b", "part:k")
    g.close()

@refuted("tiny.c", "z", reason="n = 1 breaks it")
def c(g):
    g.close()

@amendment("tiny.c", "zz", says="for n >= 2")
def c2(g):
    g.close()

undecided("tiny.d", tried="much", missing="a lot", statement="w")

@experiment("tiny.e", grade="simulated")
def e(profile):
    return {"holds": profile == "quick", "statistics": {"n": 3}}
"""


def outcomes(found: dict[str, Any]) -> dict[str, str]:
    """The outcome and grade of every claim."""
    return {c: f"{v['outcome']} {v['grade']}" for c, v in found["verdicts"].items()}


def test_verdicts_and_the_cache(world: World) -> None:
    world.proofs(PROOFS)
    first = world.run()
    assert outcomes(first) == {
        "tiny.a": "holds proved",
        "tiny.b": "holds proved-for-instances",
        "tiny.c": "refuted proved",
        "tiny.d": "open None",
        "tiny.e": "holds simulated",
    }
    b, c = first["verdicts"]["tiny.b"], first["verdicts"]["tiny.c"]
    assert b["trusted_steps"] == ["tiny.b (part:k): by hand"]
    assert b["uses"] == ["tiny.a"]
    assert b["reason"] == "Proved only for stated instances: d <= 4."
    assert [r["outcome"] for r in b["readings"]] == ["holds", "open"]
    assert c["amendment"] == {"statement": "for n >= 2", "outcome": "holds", "grade": "proved", "role": "amendment"}
    assert first["verdicts"]["tiny.d"]["reason"] == "Tried: much. Missing: a lot."
    assert len(first["computed"]) == 7

    again = world.run()
    assert again["computed"] == []
    assert again["verdicts"] == first["verdicts"]
    assert again["certificates"] == first["certificates"]

    full = world.run(profile="full")
    assert full["computed"] == ["tiny.e e"]
    assert outcomes(full)["tiny.e"] == "refuted simulated"
    world.proofs(PROOFS.replace('"x", argument', '"xx", argument'))
    assert world.run()["computed"] == ["tiny.a statement", "tiny.b part:k", "tiny.b statement"]
    world.proofs(PROOFS.replace("def c2(g):\n    g.close()", "def c2(g):\n    1 / 0"))
    broken = world.run()
    assert broken["computed"] == ["tiny.c amendment"]
    assert broken["verdicts"]["tiny.c"]["amendment"]["outcome"] == "open"


def test_a_catalogue_entry_that_changes_runs_again(world: World) -> None:
    world.proofs(PROOFS)
    world.run()
    path = world.root / "proofs/tiny/catalogue.toml"
    path.write_text(path.read_text().replace("Title of tiny.c", "Another title"))
    assert world.run()["computed"] == ["tiny.c amendment", "tiny.c negation"]
    (world.root / "proofs/tiny/data.csv").write_text("1,2\n")
    assert len(world.run()["computed"]) == 6


def test_helpers_of_helpers_count(world: World) -> None:
    world.proofs("VALUE = 1\n", module="low")
    world.proofs("from proofs.tiny.low import VALUE as DEEP\n", module="high")
    world.proofs(
        """
        from proofs.tiny.high import DEEP

        @holds("tiny.a", "x")
        def a(g):
            g.close(str(DEEP))
        """
    )
    first = world.run()
    world.proofs("VALUE = 2\n", module="low")
    second = world.run()
    assert second["computed"] == ["tiny.a statement"]
    assert first["certificates"] != second["certificates"]


FAILING = {
    "g.lemma('tiny.b'); g.close()": "uses tiny.b without declaring it",
    "pass": "the goal is still open",
    "1 / 0": "ZeroDivisionError: division by zero",
    "raise KeyboardInterrupt": "its process ended",
    "import os; os._exit(3)": "its process ended with code 3",
    "g.trusted('forged')": "the checker refused the certificate: forged",
    "g.lemma('tiny.f6'); g.close()": "statement of tiny.f6 cannot use itself",
    "g.children.append({'r': {1, 2}}); g.closed = True": "not plain JSON",
}


def test_a_script_that_fails_leaves_the_claim_open(world: World) -> None:
    world.paper([*(f"f{n}" for n in range(len(FAILING))), "b"])
    world.proofs("\n".join(f'@holds("tiny.f{n}", "x")\ndef f{n}(g):\n    {p}\n' for n, p in enumerate(FAILING)))
    found = world.run()["verdicts"]
    for number, reason in enumerate(FAILING.values()):
        verdict = found[f"tiny.f{number}"]
        assert (verdict["outcome"], verdict["grade"]) == ("open", None)
        assert reason in verdict["reason"]


def test_a_claim_that_rests_on_a_failed_one_is_open(world: World) -> None:
    world.proofs(PROOFS.replace('"Reduction of a."\n    g.close()', "pass"))
    found = world.run()
    assert found["verdicts"]["tiny.b"]["reason"] == ("No proof: rests on statement of tiny.a, which is not proved.")


def test_a_claim_counts_again_when_what_it_rests_on_is_mended(world: World) -> None:
    text = """
    @holds("tiny.a", "x")
    def a(g):
        g.trusted("{why}")

    @holds("tiny.b", "y", uses=["tiny.a"])
    def b(g):
        g.lemma("tiny.a")
        g.close()
    """
    world.proofs(text.format(why="forged"))
    assert outcomes(world.run("tiny.b")) == {"tiny.b": "open None"}
    world.proofs(text.format(why="by hand"))
    found = world.run("tiny.b")
    assert outcomes(found) == {"tiny.b": "holds proved"}
    assert found["verdicts"]["tiny.b"]["trusted_steps"] == ["tiny.a (statement): by hand"]


def test_a_trusted_step_cannot_pass_for_one_of_the_amendment(world: World) -> None:
    world.proofs(
        """
        @holds("tiny.a", "x")
        def a(g):
            g.trusted("in the amendment: in the amendment: by hand")
        """
    )
    assert world.run("tiny.a")["verdicts"]["tiny.a"]["trusted_steps"] == ["by hand"]


def test_parts_in_any_order_but_not_in_a_circle(world: World) -> None:
    world.proofs(
        """
        @holds("tiny.a", "x")
        def a(g): g.close()

        @part("tiny.a", "after", "y")
        def after(g):
            g.lemma("tiny.a")
            g.close()

        @part("tiny.a", "one", "y")
        def one(g):
            g.lemma("tiny.a", "part:two")
            g.close()

        @part("tiny.a", "two", "y")
        def two(g):
            g.lemma("tiny.a", "part:one")
            g.close()

        @holds("tiny.b", "y", uses=["tiny.a"])
        def b(g):
            g.lemma("tiny.a", "part:one")
            g.close()

        @holds("tiny.c", "y", uses=["tiny.a"])
        def c(g):
            g.lemma("tiny.a", "part:after")
            g.close()
        """
    )
    found = world.run()
    assert outcomes(found)["tiny.a"] == "holds proved"
    assert outcomes(found)["tiny.b"] == "open None"
    assert outcomes(found)["tiny.c"] == "holds proved"


def test_a_refuted_claim_is_no_lemma(world: World) -> None:
    text = """
    @refuted("tiny.a", "x")
    def a(g): g.close()

    @holds("tiny.b", "y", uses=["tiny.a"])
    def b(g):
        g.lemma("tiny.a")
        g.close()
    """
    world.proofs(text)
    assert "tiny.a is refuted, so its statement is no lemma" in world.run()["verdicts"]["tiny.b"]["reason"]


def test_what_a_proof_module_does_to_the_engine_stays_in_its_process(world: World) -> None:
    world.proofs(
        """
        import tests.support.stub_kernel as kernel
        import verify.run.results as results

        engine, judge = kernel, results.Results
        engine.parse = lambda text: ["true", "true", "true"]
        judge.why_not = lambda *args: ""

        @holds("tiny.a", "x")
        def a(g):
            g.close()
        """
    )
    verdict = world.run("tiny.a")["verdicts"]["tiny.a"]
    assert verdict["outcome"] == "open"
    assert "another statement than the one bound" in verdict["reason"]


def test_a_statement_that_cannot_be_parsed(world: World) -> None:
    world.proofs('@holds("tiny.a", "x ?")\ndef a(g): g.close()\n')
    reason = world.run("tiny.a")["verdicts"]["tiny.a"]["reason"]
    assert "the statement cannot be parsed: ProofError: unexpected ?" in reason


def test_a_claim_that_exceeds_its_limit_is_killed_and_not_recorded(world: World) -> None:
    world.proofs(
        """
        @holds("tiny.a", "x")
        def a(g):
            while True:
                pass

        @holds("tiny.b", "y")
        def b(g): g.close()
        """
    )
    for _ in range(2):
        began = time.monotonic()
        found = world.run(limit=0.7)
        assert time.monotonic() - began < 60
        assert found["timed_out"] == ["tiny.a"]
        assert "tiny.a statement" in found["computed"]
        assert outcomes(found)["tiny.b"] == "holds proved"


def test_experiments_decide_only_claims_of_their_kind(world: World) -> None:
    world.proofs(
        """
        @experiment("tiny.a", seed=3)
        def a(profile): return {"holds": True, "statistics": {}}

        @experiment("tiny.e")
        def e(profile): return {"holds": True}

        @experiment("tiny.b")
        def b(profile): raise ValueError("no data")
        """
    )
    found = world.run()["verdicts"]
    assert found["tiny.a"]["outcome"] == "open"
    assert found["tiny.a"]["reason"] == "Tried: a, sampled, passed."
    assert 'returns {"holds": bool' in found["tiny.e"]["reason"]
    assert "ValueError: no data" in found["tiny.b"]["reason"]


def test_an_experiment_decides_a_sentence_about_experiments(world: World) -> None:
    world.proofs(
        """
        @experiment("tiny.a", decides="it speaks of the runs")
        def a(profile): return {"holds": True, "statistics": {}}

        @experiment("tiny.a")
        def only_a_test(profile): return {"holds": False, "statistics": {}}
        """
    )
    verdict = world.run("tiny.a")["verdicts"]["tiny.a"]
    assert (verdict["outcome"], verdict["grade"], verdict["reason"]) == ("holds", "simulated", "it speaks of the runs.")


@pytest.mark.parametrize(("holds", "outcome"), [(True, "holds"), (False, "refuted")])
def test_an_experiment_decides_another_reading_and_not_the_claim(world: World, holds: bool, outcome: str) -> None:
    world.proofs(
        f"""
        @experiment("tiny.e", reading="caption against text: they agree")
        def compared(profile): return {{"holds": {holds}, "statistics": {{}}}}

        @experiment("tiny.e")
        def found(profile): return {{"holds": True, "statistics": {{}}}}
        """
    )
    verdict = world.run("tiny.e")["verdicts"]["tiny.e"]
    assert (verdict["outcome"], verdict["grade"]) == ("holds", "simulated")
    assert verdict["readings"] == [{"reading": "caption against text: they agree", "outcome": outcome}]


def test_the_sentence_why_a_claim_is_simulated_goes_with_its_verdict(world: World) -> None:
    proofs = """
        @experiment("tiny.e")
        def found(profile): return {"holds": True, "statistics": {}}

        simulated("tiny.e", because="it speaks of random seeds")
    """
    world.proofs(proofs)
    assert world.run("tiny.e")["verdicts"]["tiny.e"]["reason"] == "it speaks of random seeds."
    world.proofs(proofs + '\n        simulated("tiny.e", because="again")\n')
    with pytest.raises(AssertionError, match="simulated twice"):
        world.run("tiny.e")


def test_an_experiment_without_a_result_leaves_its_reading_open(world: World) -> None:
    world.proofs('@experiment("tiny.e", reading="another")\ndef compared(profile): return 1 / 0\n')
    verdict = world.run("tiny.e")["verdicts"]["tiny.e"]
    assert (verdict["outcome"], verdict["readings"]) == ("open", [{"reading": "another", "outcome": "open"}])


NEEDS = """
@experiment("tiny.e")
def e(profile): return {"holds": True, "statistics": {"n": 3}, "data": [profile, 4]}

@experiment("tiny.c", needs=["tiny.e"], decides="it speaks of e")
def c(profile, found):
    return {"holds": found["tiny.e"]["e"] == {"holds": True, "statistics": {"n": 3}, "data": [profile, 4]}, "statistics": {}}

@figure("tiny.e", "f", needs=["tiny.e"])
def f(canvas, found):
    assert found["tiny.e"]["e"]["data"][1] == 4
    return {"data": found["tiny.e"]["e"]["data"], "svg": "<svg></svg>"}
"""


def test_an_experiment_is_given_the_results_that_it_needs(world: World) -> None:
    world.proofs(NEEDS)
    first = world.run("tiny.c", figures=True)
    assert first["verdicts"]["tiny.c"]["uses"] == ["tiny.e"]
    assert outcomes(first)["tiny.c"] == "holds simulated"
    assert first["computed"] == ["tiny.c c", "tiny.e e", "tiny.e f"]
    assert world.run("tiny.c", figures=True)["computed"] == []
    assert world.run("tiny.c", figures=True, profile="full")["computed"] == first["computed"]
    world.proofs(NEEDS.replace("[profile, 4]", "[profile, 4.0]"))
    assert world.run("tiny.c", figures=True)["computed"] == first["computed"]


@pytest.mark.parametrize(
    ("body", "computed", "reason"),
    [
        ("1 / 0", ["tiny.c c", "tiny.e e", "tiny.e f"], "rests on e of tiny.e, which gave no result"),
        ("while True: pass", ["tiny.c c", "tiny.e e", "tiny.e f"], ""),
    ],
)
def test_what_needs_a_result_that_is_not_there_has_none(world: World, body: str, computed: list[str], reason: str) -> None:
    world.proofs(NEEDS.replace("def e(profile): return", f"def e(profile):\n    {body}\n    return"))
    found = world.run("tiny.c", figures=True, limit=0.7)
    assert found["computed"] == computed
    assert outcomes(found)["tiny.c"] == "open None"
    assert reason in found["verdicts"]["tiny.c"]["reason"]
    assert found["timed_out"] == ([] if reason else ["tiny.c"])
    assert world.run("tiny.c", limit=0.7)["verdicts"]["tiny.c"] == found["verdicts"]["tiny.c"]


def test_the_limit_of_an_experiment_counts_in_the_full_profile(world: World) -> None:
    world.proofs(
        """
        import time

        @experiment("tiny.e", limit=0.7)
        def e(profile):
            time.sleep(1.5)
            return {"holds": True, "statistics": {}}
        """
    )
    assert world.run("tiny.e")["timed_out"] == []
    assert world.run("tiny.e", profile="full")["timed_out"] == ["tiny.e"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('@holds("tiny.zz", "x")\ndef a(g): ...\n', "no claim 'tiny.zz'"),
        ('@holds("tiny.a", "x", uses=["tiny.zz"])\ndef a(g): ...\n', "uses the unknown 'tiny.zz'"),
        ('@holds("tiny.a", "x", uses="tiny.b")\ndef a(g): ...\n', "uses must be a list of ids"),
        ('@holds("tiny.a", "x", covers="some")\ndef a(g): ...\n', "covers is 'some'"),
        ('@holds("tiny.a", "x", covers="boxes")\ndef a(g): ...\n', "needs because=..."),
        ('@holds("tiny.a", "x", argument="fine")\ndef a(g): ...\n', "argument is 'fine'; it must be one of sound"),
        ('@holds("tiny.a", " ")\ndef a(g): ...\n', "must be a non-empty string"),
        ('@part("tiny.a", "a b", "x")\ndef a(g): ...\n', "part name 'a b'"),
        ('@experiment("tiny.a", grade="proved")\ndef a(p): ...\n', "an experiment is sampled, simulated or numeric"),
        ('@experiment("tiny.a", needs=["tiny.a"])\ndef a(p): ...\n', "an experiment cannot need those of its own claim"),
        ('@experiment("tiny.a", needs=["tiny.zz"])\ndef a(p): ...\n', "uses the unknown 'tiny.zz'"),
        ('@experiment("tiny.a", decides="x", reading="y")\ndef a(p): ...\n', "the claim or another reading, not both"),
        ('simulated("tiny.a", because=" ")\n', "simulated needs because=..., a sentence"),
        ('@experiment("tiny.a", limit=0)\ndef a(p): ...\n', "limit is 0; it must be a positive number of seconds"),
        ('undecided("tiny.a", outcome="holds")\n', "undecided takes open, unsupported or ill-formed"),
        (
            '@holds("tiny.a", "x")\ndef a(g): ...\n@holds("tiny.a", "y")\ndef b(g): ...\n',
            "tiny.a: decided twice, at proofs.tiny.section:2 and at proofs.tiny.section:4",
        ),
        (
            '@part("tiny.a", "k", "x")\ndef a(g): ...\n@part("tiny.a", "k", "y")\ndef b(g): ...\n',
            "tiny.a: part:k is bound twice, at proofs.tiny.section:2 and at proofs.tiny.section:4",
        ),
        (
            '@holds("tiny.a", "x", uses=["tiny.b"])\ndef a(g): ...\n@holds("tiny.b", "x", uses=["tiny.a"])\ndef b(g): ...\n',
            "its uses go in a circle: tiny.",
        ),
        ("import no_such_module\n", "proofs/tiny/section.py cannot be imported: ModuleNotFoundError"),
        ("import sys\nsys.exit(3)\n", "proofs/tiny/section.py cannot be imported: SystemExit: 3 (line 3)"),
        ("from importlib import import_module\n", "proofs/tiny/section.py: line 2: uses importlib, so that what it runs"),
        ("def a(g):\n    import importlib.util\n", "proofs/tiny/section.py: line 3: uses importlib.util, so that"),
        ("x = __import__('json')\n", "proofs/tiny/section.py: line 2: uses __import__, so that"),
        ("x = eval('1')\n", "proofs/tiny/section.py: line 2: uses eval, so that"),
        ("from verify import kernel\nkernel.prove = print\n", "proofs/tiny/section.py: line 3: changes kernel, which it imports"),
        ("import verify.kernel\nsetattr(verify.kernel, 'prove', 1)\n", "line 3: changes verify, which it imports"),
        ("import json\njson.__dict__['loads'] = print\n", "line 3: changes json, which it imports"),
        ("def a(g):\n    from verify import kernel\n    kernel.prove, x = print, 1\n", "line 4: changes kernel, which it"),
        ('@holds("tiny.a", " (true)")\ndef a(g): ...\n', "statement of tiny.a is `true`, a formula with no content"),
        ('@part("tiny.a", "k", "true")\ndef a(g): ...\n', "part:k of tiny.a is `true`, a formula with no content"),
        ("def broken(:\n", "proofs/tiny/section.py cannot be imported: SyntaxError"),
    ],
)
def test_a_wrong_binding_is_one_line_and_code_2(world: World, one_line: OneLine, text: str, expected: str) -> None:
    world.proofs(text)
    assert expected in one_line("run", "tiny")


def test_a_proof_module_may_change_what_is_its_own_and_set_a_precision(world: World) -> None:
    world.proofs(
        """
        from flint import ctx

        TABLE = {}
        TABLE["x"] = 1

        @holds("tiny.a", "x")
        def a(g):
            before = ctx.prec
            ctx.prec = 60
            ctx.prec = before
            g.close()
        """
    )
    assert outcomes(world.run())["tiny.a"] == "holds proved"


def test_interruption_leaves_the_cache_usable_and_no_process(world: World) -> None:
    world.proofs(
        """
        import os, time
        from pathlib import Path

        @holds("tiny.a", "x")
        def a(g): g.close()

        @holds("tiny.b", "y", uses=["tiny.a"])
        def b(g):
            Path(__file__).with_name("pid").write_text(str(os.getpid()))
            time.sleep(60)
        """
    )
    process = subprocess.Popen(
        [sys.executable, "-c", RUN, str(world.root), json.dumps({"jobs": 1, "words": ["tiny"]})],
        cwd=world.root,
        env=world.environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        preexec_fn=listen_to_interrupts,
    )
    pid = world.root / "proofs/tiny/pid"
    deadline = time.monotonic() + 30
    while not (pid.is_file() and pid.read_text()):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=45) != 0
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid.read_text()), 0)
    pid.unlink()
    found = world.run(limit=0.5)
    assert found["computed"] == ["tiny.b statement"]
    assert found["cached"] == 1


def test_a_damaged_cache_is_begun_anew(world: World) -> None:
    world.proofs(PROOFS)
    first = world.run()
    for path in (world.root / ".verify-cache").glob("results.sqlite*"):
        path.write_bytes(b"not a database " * 1000)
    assert world.run()["verdicts"] == first["verdicts"]


EDIT = """
import sys
from pathlib import Path
from verify.project import Project
from verify.run.keys import Keys, cache_key
from verify.run.store import Store

project = Project(Path(sys.argv[1]))
key = cache_key(Keys(project, "tests.support.stub_kernel").role(project.registry.bindings[("tiny.a", "statement")]))
with Store(project.cache) as store:
    found = store.get(key)
    store.put(key, eval(sys.argv[2]))
"""


@pytest.mark.parametrize("edit", ["{**found, 'formula': ['=', 'other', '0']}", "{**found, 'formula': None}", "[]", "{}"])
def test_an_edited_cache_proves_nothing_else(world: World, edit: str) -> None:
    world.proofs(PROOFS)
    first = world.run()
    done = world.python("-c", EDIT, str(world.root), edit)
    assert done.returncode == 0, done.stderr
    again = world.run()
    assert again["computed"] == ["tiny.a statement"]
    assert (again["verdicts"], again["certificates"]) == (first["verdicts"], first["certificates"])


def test_a_stored_acceptance_counts_only_in_the_quick_profile(world: World) -> None:
    world.proofs(PROOFS)
    certified = ["tiny.a", "tiny.b", "tiny.c"]
    assert world.run()["checked"] == certified
    assert world.run()["checked"] == []
    for options in ({"recheck": True}, {"profile": "full"}, {"fresh": True}):
        assert world.run(**options)["checked"] == certified


def test_two_runs_at_once_do_not_disturb_each_other(world: World) -> None:
    world.proofs(PROOFS)
    slow = RUN.replace("    found = {}\n", "    import time; time.sleep(1)\n    found = {}\n", 1)
    runs = [
        subprocess.Popen(
            [sys.executable, "-c", slow, str(world.root), json.dumps({"jobs": 1, "words": [claim]})],
            cwd=world.root,
            env=world.environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        for claim in ("tiny.a", "tiny.c")
    ]
    verdicts = {c: v["outcome"] for p in runs for c, v in json.loads(p.communicate(timeout=60)[0])["verdicts"].items()}
    assert verdicts == {"tiny.a": "holds", "tiny.c": "refuted"}
    assert sorted(p.name.partition("-")[0] for p in (world.root / ".verify-cache").iterdir() if p.is_dir()) == []


def test_a_proof_that_adds_a_hypothesis_is_an_amendment_only(world: World) -> None:
    world.proofs(
        """
        @part("tiny.b", "k", "y")
        def bk(g): g.trusted("by hand")

        @holds("tiny.b", "x", context=["0 < r [Assumption 1]", "r < 1 [def-r]"], added="r is even", argument="fails")
        def b(g):
            g.lemma("tiny.b", "part:k")
            g.close()

        @holds("tiny.a", "z", uses=["tiny.b"], context="0 < r [def-r]")
        def a(g):
            g.lemma("tiny.b")
            g.close()

        @refuted("tiny.c", "zz", added=["r is odd"])
        def c(g): g.close()

        @holds("tiny.d", "y", added="r is even")
        def d(g): pass
        """
    )
    verdicts = world.run()["verdicts"]
    b = verdicts["tiny.b"]
    assert (b["outcome"], b["grade"]) == ("unsupported", None)
    said = "the statement as printed, with a further hypothesis: r is even"
    assert b["amendment"] == {"statement": said, "outcome": "holds", "grade": "proved", "role": "statement"}
    assert b["context"] == ["0 < r [Assumption 1]", "r < 1 [def-r]"]
    assert b["added"] == ["r is even"]
    assert b["trusted_steps"] == ["in the amendment: tiny.b (part:k): by hand"]
    assert Verdict.from_json(b).certified() == {"statement"}
    assert (verdicts["tiny.a"]["outcome"], verdicts["tiny.a"]["context"]) == ("holds", ["0 < r [def-r]"])
    assert (verdicts["tiny.c"]["outcome"], verdicts["tiny.c"]["added"]) == ("refuted", ["r is odd"])
    assert (verdicts["tiny.d"]["outcome"], verdicts["tiny.d"]["amendment"]) == ("open", None)


def test_hypotheses_are_sentences(world: World) -> None:
    world.proofs('@holds("tiny.a", "x", added=[""])\ndef a(g): g.close()\n')
    assert "tiny.a: added must be a sentence or a list of sentences" in world.run(code=1)["error"]


def test_a_hypothesis_of_the_setting_names_its_place(world: World) -> None:
    world.proofs('@holds("tiny.a", "x", context="0 < r [Assumption 1]; r < 1")\ndef a(g): g.close()\n')
    assert "tiny.a: the context 'r < 1' names no place; write `hypothesis [place]`" in world.run(code=1)["error"]
