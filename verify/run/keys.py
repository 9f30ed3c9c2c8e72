"""Content keys: what a result depends on, as one digest.

`inputs` is independent of the machine and is what `reports/record.json` stores; `cache_key` adds the versions of
Python and of the libraries.
"""

from __future__ import annotations

import functools
import platform
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from verify.claim import Paper
from verify.project import Project
from verify.registry import Binding, Experiment, Figure
from verify.run.files import digest, sha256
from verify.run.sources import Sources

LIBRARY = ("facts.json", "library")
"""The facts in the kernel's folder, and the texts that they are made from: a proof rests on those that it names."""
UNREAD = ("catalogue.toml", "constants.toml")
"""Data files on which no result depends: the entries of a catalogue are digested one by one, constants are only reported."""
LIBRARIES = ("python-flint", "sympy", "mpmath", "numpy", "hypothesis", "scipy", "clarabel", "z3-solver")


@functools.cache
def environment() -> tuple[tuple[str, str], ...]:
    """The versions that a result may depend on."""
    found = [("python", platform.python_version())]
    found += [(name, _version(name)) for name in LIBRARIES]
    return tuple(found)


@dataclass
class Keys:
    """The keys of all roles and experiments of a project."""

    project: Project
    kernel: str = "verify.kernel"
    sources: Sources = field(init=False)
    _roles: dict[tuple[str, str], str] = field(default_factory=dict)
    _entries: dict[str, str] = field(default_factory=dict)
    _claims: dict[str, str] = field(default_factory=dict)
    _data: dict[str, str] = field(default_factory=dict)
    _own: dict[tuple[str, str], str] = field(default_factory=dict)
    _formulas: dict[str, list[Any]] = field(default_factory=dict)
    _engine: str | None = None

    def __post_init__(self) -> None:
        local = self.project.root / "proofs"
        self.sources = Sources({"proofs": [local]} if local.is_dir() else {})

    @property
    def engine(self) -> str:
        """The digest of the kernel's sources, without the library of facts."""
        if self._engine is None:
            self._engine = self.sources.tree_digest(self.kernel, LIBRARY)
        return self._engine

    def everything(self) -> str:
        """What the bindings of all proof modules depend on, apart from the environment."""
        papers, modules = [], []
        for paper in self.project.papers.values():
            folder = paper.path.parent
            papers.append([paper.package, paper.sha256, self._files(paper)])
            for path in sorted(folder.rglob("*.py")):
                parts = path.relative_to(folder).with_suffix("").parts
                modules.append(".".join([paper.package, *(parts[:-1] if parts[-1] == "__init__" else parts)]))
        return digest([self.sources.tree_digest("verify"), papers, self.sources.closure(modules)])

    def role(self, binding: Binding) -> str:
        """What the proof of one role depends on, apart from the environment and the library of facts."""
        key = (binding.claim, binding.role)
        if key not in self._roles:
            self._roles[key] = self._role(binding)
        return self._roles[key]

    def own(self, binding: Binding) -> str:
        """What the proof of one role is made from, apart from the engine: while this stays, its certificate is not out of date.

        Of the claims that it uses a script sees the formulas and the outcomes only.
        """
        key = (binding.claim, binding.role)
        if key not in self._own:
            registry = self.project.registry
            self._own[key] = digest(
                {
                    "entry": self._entry(binding.claim),
                    "role": binding.role,
                    "text": binding.text,
                    "source": self._sources(binding, self.sources.own_digest),
                    "data": self.data(binding.claim),
                    "own": self._texts(binding.claim),
                    "uses": [[u, self._texts(u)] for u in registry.uses(binding.claim)],
                }
            )
        return self._own[key]

    def recall_own(self, known: Iterable[tuple[tuple[str, str], str]]) -> None:
        """Take the digests of what roles are made from as known."""
        self._own.update(known)

    def _texts(self, claim: str) -> list[Any]:
        """The formulas of a claim, and the outcome that is said of it."""
        if claim not in self._formulas:
            registry = self.project.registry
            decision = registry.decisions.get(claim)
            texts = sorted([b.role, b.text] for b in registry.roles(claim))
            self._formulas[claim] = [None if decision is None else [str(decision.outcome), decision.text], texts]
        return self._formulas[claim]

    def _role(self, binding: Binding) -> str:
        registry = self.project.registry
        own = sorted([other.role, other.text] for other in registry.roles(binding.claim))
        used = [[u, self.claim(u)] for u in registry.uses(binding.claim)]
        return digest(
            {
                "kernel": self.engine,
                "entry": self._entry(binding.claim),
                "role": binding.role,
                "text": binding.text,
                "source": self._source(binding),
                "data": self.data(binding.claim),
                "own": own,
                "uses": used,
            }
        )

    def experiment(self, test: Experiment, profile: str) -> str:
        """What a replayed result depends on, apart from the environment and from prose in the sources."""
        return digest(
            {
                "entry": self._entry(test.claim),
                "name": test.name,
                "seed": test.seed,
                "grade": str(test.grade),
                "profile": profile,
                "source": self._sources(test, partial(self.sources.own_digest, engine=True)),
                "data": self.data(test.claim),
                **self._needs(test, profile),
            }
        )

    def figure(self, figure: Figure, profile: str) -> str:
        """What a picture depends on, apart from the environment."""
        return digest(
            {
                "name": figure.name,
                "caption": figure.caption,
                "source": self._sources(figure, partial(self.sources.own_digest, engine=True)),
                "data": self.data(figure.claim),
                **self._needs(figure, profile),
            }
        )

    def _needs(self, item: Experiment | Figure, profile: str) -> dict[str, list[list[str]]]:
        """The digests of the experiments that an item needs; nothing for one that needs none."""
        tests = [t for claim in item.needs for t in self.project.registry.tests(claim)]
        return {"needs": [[t.claim, t.name, self.experiment(t, profile)] for t in tests]} if item.needs else {}

    def _entry(self, claim: str) -> str:
        if claim not in self._entries:
            self._entries[claim] = self.project.claims[claim].digest()
        return self._entries[claim]

    def claim(self, claim: str) -> str:
        """What the results of all roles of a claim depend on."""
        if claim not in self._claims:
            registry = self.project.registry
            roles = [[b.role, self.role(b)] for b in registry.roles(claim)]
            self._claims[claim] = digest([self._entry(claim), roles, registry.text(claim, "statement")])
        return self._claims[claim]

    def data(self, claim: str) -> str:
        """The digest of the data files in the package of the claim's paper."""
        return self._files(self.project.papers[claim.partition(".")[0]])

    def _files(self, paper: Paper) -> str:
        if paper.slug not in self._data:
            folder = paper.path.parent
            files = [p for p in sorted(folder.rglob("*")) if p.is_file() and not _ignored(p.relative_to(folder).parts)]
            self._data[paper.slug] = digest([[p.relative_to(folder).as_posix(), sha256(p.read_bytes())] for p in files])
        return self._data[paper.slug]

    def _source(self, item: Binding | Experiment | Figure) -> list[str]:
        return self._sources(item, self.sources.slice_digest)

    @staticmethod
    def _sources(item: Binding | Experiment | Figure, of: Callable[[str, list[int]], str]) -> list[str]:
        """The digests of where an item is bound and, if that is another module, of where its script stands."""
        found = [of(item.place.module, [item.place.line])]
        if item.home != item.place.module:
            found.append(of(item.home, []))
        return found


def cache_key(inputs: str, *libraries: str) -> str:
    """The key of a result in the cache of this machine; `libraries` matter to this result beside the usual ones."""
    return digest([inputs, environment(), *([name, _version(name)] for name in libraries)])


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "absent"


def _ignored(parts: Sequence[str]) -> bool:
    name = parts[-1]
    hidden = any(p.startswith((".", "__pycache__")) for p in parts)
    return hidden or name.endswith((".py", ".pyc", ".md")) or name in UNREAD
