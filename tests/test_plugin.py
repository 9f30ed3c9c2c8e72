"""Claims as test items."""

from __future__ import annotations

from tests.support.world import World


def test_claims_are_test_items(world: World) -> None:
    world.proofs('@experiment("tiny.e")\ndef e(p): return {"holds": True, "statistics": {}}\n')
    world.proofs('undecided("tiny.a")\n', module="other")
    (world.root / "test_other.py").write_text("def test_x(): pass\n")
    base = ("-m", "pytest", "-p", "verify.pytest_plugin", "-p", "no:cacheprovider")
    done = world.python(*base, "--claims", "tiny", "-v")
    assert "claims::tiny.e PASSED" in done.stdout
    assert "claims::tiny.a" in done.stdout
    assert "2 passed" in done.stdout
    assert "1 passed, 1 deselected" in world.python(*base, "--claims", "tiny", "-k", "tiny.e").stdout
    assert "1 passed" in world.python(*base).stdout
    assert "no paper or claim 'tinny'" in world.python(*base, "--claims", "tinny").stderr


def test_an_item_fails_when_a_bound_formula_has_no_proof(world: World) -> None:
    world.proofs('@experiment("tiny.e")\ndef e(p): raise ValueError("no data")\n')
    done = world.python("-m", "pytest", "-p", "verify.pytest_plugin", "--claims", "tiny")
    assert done.returncode == 1
    assert "e is not proved: ValueError: no data" in done.stdout
