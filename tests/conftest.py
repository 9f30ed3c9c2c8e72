"""Fixtures that all tests share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.world import World


@pytest.fixture
def world(tmp_path: Path) -> World:
    """A project in a temporary folder with one paper `tiny` of five claims."""
    found = World(tmp_path)
    found.paper(["a", "b", "c", "d", ("e", "experiment")])
    return found
