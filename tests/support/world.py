"""A small project in a temporary folder, and runs of it with the stub kernel."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parents[2]

ENTRY = """
[[claim]]
id = "{id}"
label = "L"
section = "1"
kind = "{kind}"
title = "Title of {id}"
statement = '''It is ${id}$.'''
assumptions = "none"
depends_on = [{depends}]
route = "structural"
check = "look"
edge_cases = "none"
"""

HEAD = """schema = 1

[paper]
slug = "{slug}"
title = "A paper"
authors = ["A. Author"]
year = 2024
notation = "As usual."
"""

RUN = """
import json, sys
from pathlib import Path
from verify.project import Project
from verify.run.engine import Settings, run
from verify.run.progress import Progress

checked = []

def accept(folder, claims, processes, progress=None):
    found = {}
    checked.extend(claims)
    for claim in claims:
        paper, _, name = claim.partition(".")
        data = json.loads((folder / "certificates" / paper / (name + ".json")).read_text())
        for role, part in data["parts"].items():
            found[(claim, role)] = "forged" if "forged" in json.dumps(part) else ""
    return found

options = json.loads(sys.argv[2])
words = options.pop("words", [])
project = Project(Path(sys.argv[1]))
settings = Settings(kernel="tests.support.stub_kernel", check=accept, **options)
done = run(project, project.select(words), settings, Progress())
print(json.dumps({
    "verdicts": {c: done.results.verdict(c).to_json() for c in done.selected},
    "computed": sorted(done.computed),
    "cached": done.cached,
    "stored": done.stored,
    "recorded": done.recorded,
    "refused": [[*place, why] for place, why in sorted(done.refused.items())],
    "strayed": [list(problem) for problem in done.strayed],
    "checked": sorted(checked),
    "kernel": "tests.support.stub_kernel" in sys.modules,
    "timed_out": [c for c in done.selected if done.results.timed_out(c)],
    "certificates": {c: x["sha256"] for c, x in done.certificates.items()},
}))
"""


@dataclass
class World:
    """A project root with one paper `tiny` unless more are added."""

    root: Path
    path: list[Path] = field(default_factory=list)
    more: dict[str, str] = field(default_factory=dict)
    """Variables of the environment beside the usual ones."""

    def paper(self, ids: Iterable[str | tuple[str, str]], slug: str = "tiny", extra: str = "") -> Path:
        """Write a catalogue; an item is a name, or a name and a kind."""
        package = self.root / "proofs" / slug
        package.mkdir(parents=True, exist_ok=True)
        (self.root / "proofs" / "__init__.py").write_text('"""Papers."""\n')
        (package / "__init__.py").write_text('"""A paper."""\n')
        text = HEAD.format(slug=slug)
        for item in ids:
            name, kind = (item, "lemma") if isinstance(item, str) else item
            text += ENTRY.format(id=f"{slug}.{name}", kind=kind, depends="")
        path = package / "catalogue.toml"
        path.write_text(text + extra)
        return path

    def proofs(self, text: str, slug: str = "tiny", module: str = "section") -> Path:
        """Write a proof module."""
        path = self.root / "proofs" / slug / f"{module}.py"
        path.write_text("from verify.registry import *\n" + textwrap.dedent(text))
        return path

    def run(self, *words: str, code: int = 0, **options: Any) -> dict[str, Any]:
        """Run with the stub kernel in a new process."""
        done = self.python("-c", RUN, str(self.root), json.dumps({"words": words, "jobs": 1, **options}))
        assert done.returncode == code, done.stderr
        return dict(json.loads(done.stdout)) if code == 0 else {"error": done.stderr.strip().splitlines()[-1]}

    def verify(self, *args: str) -> subprocess.CompletedProcess[str]:
        """Call the command line in the project."""
        return self.python("-m", "verify", *args)

    def python(self, *args: str) -> subprocess.CompletedProcess[str]:
        """Call Python in the project."""
        return self.command(sys.executable, *args)

    def command(self, *args: str) -> subprocess.CompletedProcess[str]:
        """Call any command in the project."""
        return subprocess.run(
            args, cwd=self.root, env=self.environment(), capture_output=True, text=True, timeout=100, check=False
        )

    @property
    def executable(self) -> str:
        """This Python."""
        return sys.executable

    def environment(self) -> dict[str, str]:
        """The environment of such a call."""
        path = os.pathsep.join(map(str, [HERE, *self.path]))
        return {**os.environ, "XDG_STATE_HOME": str(self.root / "state"), "PYTHONPATH": path, **self.more}
