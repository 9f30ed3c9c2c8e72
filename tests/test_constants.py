"""The tables of constants that papers keep beside their catalogues name claims and proofs that exist."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from tests.support.world import HERE
from verify.project import Project

TABLES = sorted((HERE / "proofs").glob("*/constants.toml"))
KEYS = {"claim": str, "printed": str, "yields": str, "follows": bool, "better": str, "shown_by": str}


@pytest.mark.parametrize("path", TABLES, ids=[p.parent.name for p in TABLES])
def test_every_constant_is_shown_by_a_proof(path: Path) -> None:
    project = Project(HERE)
    known = {claim.id for claim in project.papers[path.parent.name].claims}
    rows = tomllib.loads(path.read_text(encoding="utf-8"))["constant"]
    assert rows
    for row in rows:
        assert {k: type(v) for k, v in row.items()} == KEYS
        assert row["claim"] in known
        claim, _, part = row["shown_by"].partition(":")
        assert claim in known
        roles = {b.role for b in project.registry.roles(claim)}
        assert f"part:{part}" in roles if part else roles
