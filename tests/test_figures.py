"""Figures of claims: drawn by a report, recorded by digests, shown on the page, noticed when stale."""

from __future__ import annotations

import json
import re

from tests.support.world import HERE, RUN, World
from tests.test_report import STALE, digests

FIGURE = """
@figure("tiny.e", "line", caption="A line of slope $a_1$.", readings=[("caption against text", "They agree.")])
def line(canvas):
    values = [0, 1, 2]
    canvas.subplots().plot(values)
    return {"data": values, "caption": "Three points."}

@figure("tiny.a", "text")
def text(canvas):
    "Only text."
    return {"data": "t", "svg": "<svg xmlns='http://www.w3.org/2000/svg'/>"}
"""
SAVE = (
    RUN.split("print(json")[0]
    + """
from verify.report import build
material = build.from_run(project, done, settings.profile, "tests.support.stub_kernel")
print(json.dumps([build.save(material), sorted(done.computed)]))
"""
)
LINE = "figures/tiny/line.svg"


def save(world: World, figures: bool = True) -> tuple[list[str], list[str]]:
    """Write the reports; which files changed, and what was computed."""
    done = world.python("-c", SAVE, str(world.root), json.dumps({"jobs": 1, "figures": figures}))
    assert done.returncode == 0, done.stderr
    changed, computed = json.loads(done.stdout)
    return changed, computed


def stale(world: World) -> list[str]:
    """What is stale."""
    done = world.python("-c", STALE, str(world.root))
    assert done.returncode == 0, done.stderr
    return list(json.loads(done.stdout))


def forget(world: World) -> None:
    """Remove the cache."""
    for path in (world.root / ".verify-cache").glob("results.sqlite*"):
        path.unlink()


def test_a_figure_is_written_shown_and_reproducible(world: World) -> None:
    world.proofs(FIGURE)
    changed, computed = save(world)
    assert {LINE, "figures/tiny/text.svg"} <= set(changed)
    assert computed == ["tiny.a text", "tiny.e line"]
    page = (world.root / "reports/tiny.md").read_text()
    assert f"![line]({LINE})\n\nA line of slope $a_1$. Three points.\n\n**Caption against text:** They agree." in page
    assert f"![line](../{LINE})" in (world.root / "reports/tiny/e.md").read_text()
    assert "Only text." in page
    svg = (world.root / "reports" / LINE).read_text()
    assert "<svg" in svg and "dc:date" not in svg and str(world.root) not in svg
    assert stale(world) == []
    first = digests(world.root / "reports")
    assert save(world) == ([], [])
    forget(world)
    assert save(world) == ([], []), "a recorded figure stands until an input changes"
    for path in (world.root / "reports").rglob("*"):
        if path.is_file():
            path.unlink()
    forget(world)
    save(world)
    assert digests(world.root / "reports") == first


def test_a_run_draws_nothing(world: World) -> None:
    world.proofs(FIGURE)
    assert world.run()["computed"] == []


def test_a_figure_is_drawn_from_recorded_data(world: World) -> None:
    text = """
    import random

    @experiment("tiny.e", grade="simulated")
    def e(profile):
        return {"holds": True, "statistics": {}, "data": random.SystemRandom().random()}

    @figure("tiny.e", "f", needs=["tiny.e"])
    def f(canvas, found):
        return {"data": found["tiny.e"]["e"]["data"], "svg": f"<svg>{found['tiny.e']['e']['data']}</svg>"}
    """
    world.proofs(text)
    save(world)
    drawn = json.loads((world.root / "reports/record.json").read_text())["claims"]["tiny.e"]["tests"]["e"]["data"]
    assert str(drawn) not in (world.root / "reports/tiny.md").read_text()
    for path in (world.root / ".verify-cache").glob("results.sqlite*"):
        path.unlink()
    world.proofs(text.replace("<svg>", "<svg >"))
    assert stale(world) == ["tiny.e: figure:f has changed inputs"]
    assert save(world)[0] == ["figures/tiny/f.svg", "record.json"]
    assert (world.root / "reports/figures/tiny/f.svg").read_text() == f"<svg >{drawn}</svg>\n"


def test_stale_figures(world: World) -> None:
    world.proofs(FIGURE)
    save(world)
    file = world.root / "reports" / LINE
    good = file.read_text()
    file.write_text(good.replace("<svg", "<svg class='x'"))
    assert stale(world) == [f"reports/{LINE} is not the recorded picture"]
    file.unlink()
    assert stale(world) == [f"reports/{LINE} is not the recorded picture"]
    forget(world)
    assert save(world) == ([LINE], ["tiny.e line"])
    (file.parent / "other.svg").write_text(good)
    assert stale(world) == ["reports/figures/tiny/other.svg belongs to nothing"]
    assert save(world)[0] == ["figures/tiny/other.svg"]
    world.proofs(FIGURE.replace("[0, 1, 2]", "[0, 1, 3]"))
    assert stale(world) == ["tiny.e: figure:line has changed inputs"]
    world.proofs(FIGURE.partition('@figure("tiny.a"')[0])
    assert "tiny.a: figure:text is gone" in stale(world)


def test_what_was_drawn_is_recorded_apart_from_the_picture(world: World) -> None:
    world.proofs(FIGURE)
    save(world)
    first = json.loads((world.root / "reports/record.json").read_text())["claims"]["tiny.e"]["figures"]["line"]
    world.proofs(FIGURE.replace(".plot(values)", ".plot(values, color='red')"))
    save(world)
    second = json.loads((world.root / "reports/record.json").read_text())["claims"]["tiny.e"]["figures"]["line"]
    assert first["data"] == second["data"]
    assert first["svg"] != second["svg"]


def test_a_figure_that_fails_is_said_on_the_page_and_fails_the_report(world: World) -> None:
    world.proofs('@figure("tiny.a", "f")\ndef f(canvas): return {"svg": "x"}\n')
    save(world)
    assert "was not drawn" in (world.root / "reports/tiny.md").read_text()
    (problem,) = stale(world)
    assert problem.startswith("tiny.a: figure f was not drawn: InputError: ")
    for how in ((), ("--from-record",), ("--check",)):
        done = world.verify("report", *how)
        assert done.returncode == 1
        assert "tiny.a: figure f was not drawn: InputError: " in done.stdout
    world.proofs('@figure("tiny.a", "f")\ndef f(canvas): return {"data": 1, "svg": "<svg><SCRIPT/></svg>"}\n')
    save(world)
    assert "must not contain a script" in (world.root / "reports/tiny.md").read_text()


def test_names_are_checked(world: World) -> None:
    for text, error in (
        ('@figure("tiny.a", "../x")\ndef f(canvas): ...\n', "figure name '../x' must be letters"),
        ('@figure("tiny.a", "x")\ndef f(c): ...\n@figure("tiny.b", "x")\ndef g(c): ...\n', "two figures are named x"),
        ('@figure("tiny.a", "x", readings=[("caption", "y")])\ndef f(c): ...\n', 'must be ("caption against text"'),
        ('@figure("tiny.zz", "x")\ndef f(canvas): ...\n', "tiny.zz"),
    ):
        world.proofs(text)
        assert error in world.run(code=1)["error"]


def test_no_proof_module_takes_the_first_result_of_several() -> None:
    first = re.compile(r"next\(iter\(found\[")
    taken = [p.relative_to(HERE).as_posix() for p in HERE.glob("proofs/**/*.py") if first.search(p.read_text())]
    assert taken == [], "the results of another claim's experiments are asked for by name"
