"""Reports: reproducible, complete, and stale when an input changed."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

from tests.support.world import HERE, RUN, World
from tests.test_run import PROOFS

SAVE = (
    RUN.split("print(json")[0]
    + """
from verify.report import build
material = build.from_run(project, done, settings.profile, "tests.support.stub_kernel")
print(json.dumps(build.save(material)))
"""
)
STALE = (
    RUN.split("options =")[0]
    + """
from verify.report import build
print(json.dumps(build.stale(Project(Path(sys.argv[1])), "tests.support.stub_kernel", accept)))
"""
)


def save(world: World, profile: str = "quick") -> list[str]:
    """Write the reports; which files changed."""
    done = world.python("-c", SAVE, str(world.root), json.dumps({"jobs": 1, "profile": profile}))
    assert done.returncode == 0, done.stderr
    return list(json.loads(done.stdout))


def stale(world: World) -> list[str]:
    """What is stale."""
    done = world.python("-c", STALE, str(world.root))
    assert done.returncode == 0, done.stderr
    return list(json.loads(done.stdout))


def digests(folder: Path) -> dict[str, str]:
    """Every file of a folder."""
    return {
        p.relative_to(folder).as_posix(): hashlib.sha256(p.read_bytes()).hexdigest()
        for p in sorted(folder.rglob("*"))
        if p.is_file()
    }


def test_reports_are_reproducible_from_a_run_and_from_the_record(world: World) -> None:
    world.proofs(PROOFS)
    save(world)
    first = digests(world.root / "reports")
    assert stale(world) == []
    assert save(world) == []
    for path in (world.root / ".verify-cache").glob("results.sqlite*"):
        path.unlink()
    assert save(world) == []
    assert digests(world.root / "reports") == first
    data = {"verdicts.json", "statements.json", "record.json"}
    assert {"README.md", "tiny.md", "tiny/a.md", "errata.md", "graphs.md", "trusted.md"} | data <= set(first)
    assert "certificates/tiny/a.json" in first
    for path in first:
        text = (world.root / "reports" / path).read_text()
        assert str(world.root) not in text
        assert str(HERE) not in text


def test_the_page_of_a_paper_shows_every_claim(world: World) -> None:
    world.proofs(PROOFS)
    save(world)
    page = (world.root / "reports/tiny.md").read_text()
    for piece in (
        "> It is $tiny.a$.",
        "**Holds (proved); the printed argument is sound** · lemma · [`tiny.a`](tiny/a.md)",
        "**False as printed: refuted (proved); true after a change (proved)**",
        "## Not right as printed (1)",
        "| 1 | [L](#c) | result | n = 1 breaks it. |",
        "**Nearest true statement** (proved; [statement and proof](tiny/c.md#amendment)): for n ≥ 2",
        "## Open (1)",
        "Tried, and not decided (1):",
        "| [L](#d) | a lot |",
        "Tried: much. Missing: a lot.",
        "[a](#a) · [b](#b) · [c](#c) ✗ · [d](#d) ? · [e](#e)",
        "| one | holds | [k](tiny/b.md#part-k) |",
    ):
        assert piece in page, piece
    assert "Formal source" not in page


def test_the_page_of_a_claim_shows_what_the_design_asks_for(world: World) -> None:
    world.proofs(PROOFS)
    save(world)
    pages = {name: (world.root / f"reports/tiny/{name}.md").read_text() for name in "abcde"}
    for name, piece in (
        ("a", "[A paper](../tiny.md#a)"),
        ("a", "> It is $tiny.a$."),
        ("a", r"- $\text{x}$"),
        ("a", "**Reduction.** Reduction of a."),
        ("a", "Proof by rule: 1 field, 1 have."),
        ("a", "Proofs here that use this: [`tiny.b`](b.md)"),
        ("a", "`verify recheck tiny.a`"),
        ("b", "- tiny.b (part:k): by hand"),
        ("b", "| [k](#part-k) |  | [statement](#statement) |"),
        ("b", "Rests on: [`tiny.a` (statement)](a.md#statement), [part k](#part-k)"),
        ("b", "Proved only in part of the printed claim, for stated instances: d ≤ 4"),
        ("c", "## The statement as encoded; its negation is proved"),
        ("c", "## Amendment: the nearest true statement"),
        ("d", "## The statement as encoded (not decided)"),
        ("e", "| n | 3 |"),
    ):
        assert piece in pages[name], (name, piece)


def test_errata_and_graphs(world: World) -> None:
    world.proofs(PROOFS)
    save(world)
    index = (world.root / "reports/errata.md").read_text()
    assert "1 statements (1 result); 0 of them are misprints. In full: [errata/tiny.md](errata/tiny.md)." in index
    assert '| 1 | <a id="tiny-c"></a>[L](errata/tiny.md#tiny-c) | result | n = 1 breaks it. |' in index
    errata = (world.root / "reports/errata/tiny.md").read_text()
    for piece in (
        "## Section 1",
        "**False as printed: refuted (proved); true after a change (proved)** · severity: result · [`tiny.c`](../tiny/c.md)",
        "**What is wrong.** n = 1 breaks it.",
        "**Nearest true statement** (proved): for n ≥ 2",
        "[certificate](../certificates/tiny/c.json)",
    ):
        assert piece in errata, piece
    assert 'n0["tiny.a"]' in (world.root / "reports/graphs.md").read_text()


def test_dropped_hypotheses_and_constants_are_tables(world: World) -> None:
    world.proofs(
        """
        @holds("tiny.a", "x", reason="see part:without-zero, tiny.b, tiny.a and part:none", readings=[
            ("caption against text: they agree on n <= 2. More.", "holds", "without-one"), ("other", "holds", "without-one")])
        def a(g): g.close()

        @part("tiny.a", "without-zero", "y", says="still true")
        def k(g): g.close()

        @part("tiny.a", "without-one", "z")
        def r(g): g.close()
        """
    )
    (world.root / "proofs/tiny/constants.toml").write_text(
        """
        [[constant]]
        claim = "tiny.a"
        printed = "$1/2$"
        yields = "$1/4$"
        follows = false
        shown_by = "tiny.a:without-zero"
        """
    )
    save(world)
    page = (world.root / "reports/tiny.md").read_text()
    assert "| zero | yes: a proof | still true | [without-zero](tiny/a.md#part-without-zero) |" in page
    assert "| [L](#a) | $1/2$ | $1/4$ | **no** |  | [`tiny.a` (part without-zero)](tiny/a.md#part-without-zero) |" in page
    by = "[without-one](tiny/a.md#part-without-one)"
    assert f"**Caption against text** (they agree; {by}): they agree on n ≤ 2. More." in page
    assert f"| other | holds | {by} |" in page
    assert "| one |" not in page
    assert "See [part:without-zero](tiny/a.md#part-without-zero), [tiny.b](#b), tiny.a and part:none." in page


def test_every_link_leads_somewhere(world: World) -> None:
    world.proofs(PROOFS)
    save(world)
    reports = world.root / "reports"
    pages = {p: p.read_text() for p in reports.rglob("*.md")}
    for page, text in pages.items():
        anchors = re.findall(r'<a id="([^"]+)"', text)
        assert len(anchors) == len(set(anchors)), page
        for target, anchor in re.findall(r"\]\(([^)#\s]*)(?:#([^)\s]*))?\)", text):
            file = (page.parent / target).resolve() if target else page
            if file.name != "TRUSTED.md":
                assert file.exists(), (page, target)
            assert not anchor or f'<a id="{anchor}"' in pages[file], (page, target, anchor)


def test_a_reading_that_an_experiment_decides_leads_to_its_statistics(world: World) -> None:
    world.proofs(
        """
        @experiment("tiny.e", reading="caption against text: they agree")
        def compared(profile): return {"holds": False, "statistics": {"n": 1}}

        @experiment("tiny.e", reading="another")
        def asked(profile): return {"holds": True, "statistics": {"n": 2}}
        """
    )
    save(world)
    page = (world.root / "reports/tiny.md").read_text()
    assert "**Caption against text** (they disagree; [experiment](tiny/e.md#test-compared)): they agree" in page
    assert "| another | holds | [experiment](tiny/e.md#test-asked) |" in page
    assert "on another reading, " in (world.root / "reports/tiny/e.md").read_text()


def test_verdicts_json_has_the_documented_form(world: World) -> None:
    world.proofs(PROOFS)
    save(world)
    data = json.loads((world.root / "reports/verdicts.json").read_text())
    assert set(data) == {"schema", "profile", "catalogues", "claims"}
    raw = (world.root / "proofs/tiny/catalogue.toml").read_bytes()
    assert data["catalogues"]["tiny"] == hashlib.sha256(raw).hexdigest()
    assert set(data["claims"]["tiny.a"]) == {
        *("outcome", "grade", "argument", "amendment", "reason", "context", "added", "witness", "counterexample"),
        *("readings", "open"),
        *("trusted_steps", "axioms", "uses", "oracles", "obligations", "mutants"),
    }
    pins = json.loads((world.root / "reports/statements.json").read_text())
    assert set(pins["tiny.c"]) == {"negation", "amendment"}


def test_stale(world: World) -> None:
    world.proofs(PROOFS)
    save(world)
    world.proofs(PROOFS.replace('"n": 3', '"n": 4'))
    assert "tiny.e: experiment:e has changed inputs" in stale(world)
    world.proofs(PROOFS + "\nundecided('tiny.zz')\n")
    world.proofs(PROOFS)
    page = world.root / "reports/tiny.md"
    page.write_text(page.read_text().replace("Holds (proved)", "Holds (provedd)"))
    assert stale(world) == ["reports/tiny.md differs from its rendering"]
    page.unlink()
    assert stale(world) == ["reports/tiny.md is missing"]
    page.write_text("x")
    (world.root / "reports/tiny/other.md").write_text("x")
    (world.root / "reports/tiny/notes.txt").write_text("x")
    surplus = ["reports/tiny/notes.txt belongs to nothing", "reports/tiny/other.md belongs to nothing"]
    assert stale(world) == ["reports/tiny.md differs from its rendering", *surplus]
    assert save(world) == ["tiny.md", "tiny/other.md"]
    assert stale(world) == surplus[:1]


def test_a_certificate_that_was_edited_is_an_error(world: World) -> None:
    world.proofs(PROOFS)
    save(world)
    path = world.root / "reports/certificates/tiny/a.json"
    path.write_text(path.read_text().replace('"field"', '"refl"'))
    done = world.python("-c", STALE, str(world.root))
    assert "reports/certificates/tiny/a.json: the digest does not fit the content" in done.stderr


def test_certificates_that_are_gone_are_removed(world: World) -> None:
    world.proofs(PROOFS)
    save(world)
    world.proofs('@holds("tiny.a", "x")\ndef a(g): g.close()\n')
    save(world)
    assert [p.name for p in (world.root / "reports/certificates/tiny").iterdir()] == ["a.json"]


def test_run_and_diff_compare_with_the_record(world: World) -> None:
    world.proofs('undecided("tiny.a")\n')
    save(world)
    for args in (["init", "-q"], ["add", "-A"], ["-c", "user.name=x", "-c", "user.email=x@x", "commit", "-qm", "x"]):
        world.command("git", *args)
    assert world.verify("diff", "HEAD").stdout == "0 verdicts differ from HEAD\n"
    world.proofs('undecided("tiny.a", outcome="unsupported", reason="no argument")\n')
    ran = world.verify("run", "tiny.a")
    assert ran.returncode == 1
    assert "differs from the recorded verdict: tiny.a: outcome: open -> unsupported" in ran.stdout
    save(world)
    assert world.verify("run", "tiny.a").returncode == 0
    differs = world.verify("diff", "HEAD")
    assert differs.returncode == 1
    assert "tiny.a: outcome: open -> unsupported" in differs.stdout
    assert "tiny.a (L): unsupported" in world.verify("errata").stdout
    assert world.verify("list", "tiny", "--outcome", "unsupported").stdout.startswith("tiny.a ")


def test_a_recorded_experiment_stands_until_an_input_changes(world: World) -> None:
    text = """
    import random

    @experiment("tiny.e", grade="simulated")
    def e(profile):
        return {"holds": True, "statistics": {"draw": random.SystemRandom().random()}}
    """
    world.proofs(text)
    save(world)
    for path in (world.root / ".verify-cache").glob("results.sqlite*"):
        path.unlink()
    assert world.run()["computed"] == []
    assert save(world) == []
    world.proofs(text.replace('"draw"', '"other"'))
    assert world.run()["computed"] == ["tiny.e e"]
    assert world.run(fresh=True)["computed"] == ["tiny.e e"]


def test_a_survivor_is_a_problem(world: World) -> None:
    world.proofs(PROOFS)
    save(world)
    entry = {"statement": "0", "tried": 2, "killed": 1, "excused": 0, "inconclusive": 0, "survived": 1}
    (world.root / "reports/mutants.json").write_text(json.dumps({"schema": 1, "claims": {"tiny.a": entry}}))
    assert stale(world) == ["tiny.a: 1 mutants survived"]


def test_what_rests_on_a_failed_claim_has_no_certificate(world: World) -> None:
    world.proofs(PROOFS)
    save(world)
    world.proofs(PROOFS.replace('"Reduction of a."\n    g.close()', "pass"))
    save(world)
    assert stale(world) == []
    assert save(world) == []
    names = sorted(p.name for p in (world.root / "reports/certificates/tiny").iterdir())
    assert names == ["b.json", "c.json"]
    parts = json.loads((world.root / "reports/certificates/tiny/b.json").read_text())["parts"]
    assert list(parts) == ["part:k"]


def test_an_added_hypothesis_stands_in_the_line_of_the_verdict(world: World) -> None:
    world.proofs(
        """
        @holds("tiny.b", "x", context=["0 < r [Assumption 1]", "r < 1 [tiny.c]"], added="r is even", argument="fails")
        def b(g): g.close()
        """
    )
    save(world)
    reports = world.root / "reports"
    page = (reports / "tiny/b.md").read_text()
    line = next(x for x in page.splitlines() if x.startswith("**Not shown as printed: unsupported; true after a change (proved)"))
    assert line.endswith(" · **Added here, not in the paper**: r is even")
    assert "From the setting of the paper: 0 \\< r (Assumption 1); r \\< 1 ([tiny.c](c.md))." in page
    for name in ("tiny.md", "errata/tiny.md"):
        text = (reports / name).read_text()
        assert "**Added here, not in the paper**: r is even" in text
        assert ": the statement as printed, with a further hypothesis: r is even" in text
    assert "[statement and proof](tiny/b.md#statement)" in (reports / "tiny.md").read_text()
    assert "| unsupported |  | 1 |" in (reports / "tiny.md").read_text()
    told = world.verify("errata").stdout
    assert "added here, not in the paper: r is even" in told
    assert stale(world) == []


def test_every_claim_has_a_page_with_its_printed_text_and_one_reason_why_it_is_open(world: World) -> None:
    world.paper(["a", "b", "c", "d", ("e", "cited"), ("f", "conjecture"), ("g", "cited")])
    world.proofs("""
    @holds("tiny.a", "x")
    def a(g): g.close()
    @holds("tiny.b", "x")
    def b(g): pass
    undecided("tiny.c", tried="much", missing="a lot")
    undecided("tiny.d")
    undecided("tiny.g", tried="all")
    """)
    save(world)
    found = json.loads((world.root / "reports/verdicts.json").read_text())["claims"]
    assert {c.partition(".")[2]: v["open"] for c, v in found.items()} == {
        "a": None,
        "b": "tried", "c": "tried", "d": "not examined yet", "e": "cited", "f": "not examined yet", "g": "tried",
    }
    page = (world.root / "reports/tiny.md").read_text()
    for name in "abcdefg":
        own = (world.root / f"reports/tiny/{name}.md").read_text()
        assert f"> It is $tiny.{name}$." in own
        assert f"[{name}](#{name})" in page
        assert f"> It is $tiny.{name}$." in page
    assert "**Open: cited from other work, and not proved here.**" in (world.root / "reports/tiny/e.md").read_text()
    assert "Not examined yet (2): [L: Title of tiny.d](#d), [L: Title of tiny.f](#f)." in page
    assert "Tried, and not decided (3):" in page
    assert world.verify("list", "tiny.f").stdout.split()[2:6] == ["open,", "not", "examined", "yet"]
