"""A project: where its papers are, their catalogues, and their proof modules.

Papers are found through the entry point group `verify.papers` (name = slug, value = package) and in the `proofs`
package beside `pyproject.toml`. A package of a paper holds `catalogue.toml` and its proof modules.
"""

from __future__ import annotations

import graphlib
import importlib
import importlib.util
import pkgutil
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from importlib.machinery import ModuleSpec
from pathlib import Path

from verify import traceable
from verify.catalogue import check_dependencies, read_paper
from verify.claim import Claim, Paper
from verify.constants import FILE as CONSTANTS
from verify.constants import Constant, read_constants
from verify.errors import InputError, suggestion
from verify.registry import REGISTRY, Registry

GROUP = "verify.papers"
CATALOGUE = "catalogue.toml"


def find_root(start: Path | None = None) -> Path:
    """The nearest directory at or above `start` with a `proofs` package; else the one that holds the installed one."""
    here = (start or Path.cwd()).resolve()
    for folder in (here, *here.parents):
        if (folder / "proofs" / "__init__.py").is_file():
            return folder
    spec = importlib.util.find_spec("proofs")
    if spec is not None and spec.origin is not None:
        return Path(spec.origin).resolve().parent.parent
    return here


@dataclass(slots=True)
class _Found:
    slug: str
    package: str
    folder: Path


@dataclass
class Project:
    """The papers of a project; catalogues and proofs are read when they are first asked for."""

    root: Path

    @property
    def reports(self) -> Path:
        """Where the recorded results are."""
        return self.root / "reports"

    @property
    def cache(self) -> Path:
        """Where the results of runs on this machine are."""
        return self.root / ".verify-cache"

    def relative(self, path: Path) -> str:
        """A path as error messages show it."""
        try:
            return path.resolve().relative_to(self.root).as_posix()
        except ValueError:
            return path.name

    @cached_property
    def papers(self) -> dict[str, Paper]:
        """All catalogues by slug, checked."""
        found: dict[str, Paper] = {}
        where: dict[str, str] = {}
        for item in self._find():
            path = item.folder / CATALOGUE
            where[item.slug] = self.relative(path)
            paper = read_paper(path, item.package, where[item.slug])
            if paper.slug != item.slug:
                raise InputError(f"{where[item.slug]}: [paper]: slug is {paper.slug!r}, but its package is named {item.slug!r}")
            found[paper.slug] = paper
        check_dependencies(found.values(), where)
        return found

    @cached_property
    def constants(self) -> dict[str, tuple[Constant, ...]]:
        """The table of constants of every paper by slug, checked."""
        where = {slug: self.relative(paper.path.parent / CONSTANTS) for slug, paper in self.papers.items()}
        return {slug: read_constants(paper, where[slug], self.claims) for slug, paper in self.papers.items()}

    @cached_property
    def claims(self) -> dict[str, Claim]:
        """All claims by id, in the order of the catalogues."""
        return {c.id: c for p in self.papers.values() for c in p.claims}

    @cached_property
    def registry(self) -> Registry:
        """What the proof modules bind, as data; they are imported in another process."""
        from verify.bindings import collect

        return collect(self.root)

    @property
    def collected(self) -> bool:
        """Whether it is known what the proof modules bind."""
        return "registry" in self.__dict__

    def recall(self, registry: Registry) -> None:
        """Take as known what the proof modules bind."""
        self.__dict__["registry"] = registry

    def import_proofs(self, before: Callable[[str], object] = str) -> Registry:
        """Import every proof module here, and check that what it binds exists; `before` is told each name before its import."""
        if (self.root / "proofs" / "__init__.py").is_file():
            _make_importable(self.root)
        for paper in self.papers.values():
            for path in sorted(paper.path.parent.rglob("*.py")):
                traceable.check(path, self.relative(path))
            for module in self.modules(paper):
                before(module)
                self._import(module)
        before("")
        for claim, place in REGISTRY.places():
            if claim not in self.claims:
                raise InputError(f"{place}: no claim {claim!r}; {suggestion(claim, self.claims)}")
        for claim in REGISTRY.claims():
            for used in REGISTRY.uses(claim):
                if used not in self.claims:
                    raise InputError(f"{claim}: uses the unknown {used!r}; {suggestion(used, self.claims)}")
        self._check_constants()
        try:
            graphlib.TopologicalSorter({c: REGISTRY.uses(c) for c in REGISTRY.claims()}).prepare()
        except graphlib.CycleError as error:
            circle = list(error.args[1])[::-1]
            raise InputError(f"{circle[0]}: its uses go in a circle: {' -> '.join(circle)}") from None
        return REGISTRY

    def _check_constants(self) -> None:
        """That what shows a constant is bound."""
        for slug, constants in self.constants.items():
            where = self.relative(self.papers[slug].path.parent / CONSTANTS)
            for constant in constants:
                parts = [b.role.removeprefix("part:") for b in REGISTRY.roles(constant.shown_by)]
                if constant.part and constant.part not in parts:
                    missing = f"{constant.shown_by}:{constant.part}"
                    raise InputError(f"{where}: shown_by names {missing}, which is not bound; {suggestion(constant.part, parts)}")

    def modules(self, paper: Paper) -> list[str]:
        """The names of the proof modules of a paper."""
        folder = str(paper.path.parent)
        found = [m.name for m in pkgutil.walk_packages([folder], paper.package + ".")]
        return [paper.package, *sorted(found)]

    def select(self, words: Iterable[str]) -> list[str]:
        """Turn slugs, ids and patterns with * into ids, in the order of the catalogues; no words: all."""
        words = list(words)
        if not words:
            return list(self.claims)
        wanted: set[str] = set()
        for word in words:
            wanted.update(self._select_one(word))
        return [c for c in self.claims if c in wanted]

    def _select_one(self, word: str) -> list[str]:
        import fnmatch

        if word in self.claims:
            return [word]
        if word in self.papers:
            return [c.id for c in self.papers[word].claims]
        if any(mark in word for mark in "*?["):
            found = fnmatch.filter(self.claims, word)
            if found:
                return found
            raise InputError(f"no claim matches {word!r}; patterns look like shin2025.lemma-*")
        pool = list(self.papers) if "." not in word else list(self.claims)
        what = "paper or claim" if "." not in word else "claim"
        raise InputError(f"no {what} {word!r}; {suggestion(word, pool)}")

    def _find(self) -> list[_Found]:
        found: dict[str, _Found] = {}
        local = self.root / "proofs"
        if (local / "__init__.py").is_file():
            for path in sorted(local.glob(f"*/{CATALOGUE}")):
                slug = path.parent.name
                found[slug] = _Found(slug, f"proofs.{slug}", path.parent)
        from importlib.metadata import entry_points

        for point in sorted(entry_points(group=GROUP), key=lambda p: p.name):
            if point.name in found:
                continue
            spec = _spec(point.value)
            folders = [] if spec is None else list(spec.submodule_search_locations or [])
            if not folders:
                raise InputError(f"entry point {point.name!r} of {GROUP} names {point.value!r}, which is no package")
            found[point.name] = _Found(point.name, point.value, Path(folders[0]))
        return [found[slug] for slug in sorted(found)]

    def _import(self, module: str) -> None:
        try:
            importlib.import_module(module)
        except InputError:
            raise
        except (Exception, SystemExit) as error:  # a proof module is a user's file: whatever is wrong in it is said in one line
            raise InputError(f"{source_file(module)} cannot be imported: {describe(error, module)}") from error


def source_file(module: str) -> str:
    """How messages name the file of a proof module."""
    return f"{module.replace('.', '/')}.py" if module else "a proof module"


def _spec(package: str) -> ModuleSpec | None:
    try:
        return importlib.util.find_spec(package)
    except ImportError:
        return None


def describe(error: BaseException, module: str = "") -> str:
    """An exception in one line: its kind, its text, and the line of the module where it arose."""
    line = None
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_globals.get("__name__") == module:
            line = trace.tb_lineno
        trace = trace.tb_next
    text = " ".join(str(error).split())
    where = f" (line {line})" if line is not None else ""
    return f"{type(error).__name__}: {text}{where}"[:600]


def _make_importable(root: Path) -> None:
    """Let `import proofs` find the project's own package, beside an installed one."""
    if str(root) not in sys.path:
        sys.path.insert(0, str(root))
    package = importlib.import_module("proofs")
    local = str(root / "proofs")
    if local not in [str(Path(p).resolve()) for p in package.__path__]:
        package.__path__.append(local)
