"""All files of `reports/`, rendered in memory; writing them, and comparing them with what is there."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from verify.errors import plain
from verify.report import claim as claims
from verify.report import errata, graph, index, pages, paper, record, trusted
from verify.report.links import claim_page, paper_page
from verify.report.record import Material
from verify.run import bound, certificates, checking, drawing, mutants, recorded
from verify.run.files import allow_depth, claims_json, rows_json, write
from verify.run.keys import Keys
from verify.run.language import Language
from verify.run.progress import Progress
from verify.run.results import DONE

if TYPE_CHECKING:
    from verify.project import Project
    from verify.run.engine import Run

SCHEMA = 1


def from_run(project: Project, run: Run, profile: str, kernel: str = "verify.kernel") -> Material:
    """The material of a run over all claims."""
    content = record.make(project, run.results, run.keys, profile)
    return record.material(project, run.results, run.certificates, content, Language(kernel))


def render(material: Material, progress: Progress | None = None) -> dict[str, str]:
    """The text of every file of `reports/` but the certificates, by path."""
    progress = progress or Progress()
    progress.begin("writing pages", len(material.project.claims))
    project = material.project
    files = {
        "README.md": index.page(material),
        **errata.pages(material),
        graph.PATH: graph.page(material),
        trusted.PATH: trusted.page(material),
        "verdicts.json": claims_json(verdicts(material)),
        "statements.json": rows_json(certificates.statements(material.results.roles)),
        record.FILE: claims_json(material.record),
    }
    files |= {paper_page(slug): paper.page(material, entry) for slug, entry in project.papers.items()}
    for number, claim in enumerate(sorted(project.claims)):
        progress.at(number, len(project.claims), claim)
        files[claim_page(claim)] = claims.page(material, project.claims[claim])
    files |= {path: svg for path, svg in _figures(material).items() if svg}
    progress.close()
    return pages.split(files)


def _figures(material: Material) -> dict[str, str]:
    """The pictures by path; empty text for one whose file is not as recorded."""
    found = material.results.figures.items()
    return {drawing.path_of(material.project.registry.figures[key]): f.svg for key, f in found if f.status == DONE}


def verdicts(material: Material) -> dict[str, object]:
    """The content of `verdicts.json`."""
    return {
        "schema": SCHEMA,
        "profile": material.profile,
        "catalogues": {slug: paper.sha256 for slug, paper in material.project.papers.items()},
        "claims": {claim: verdict.to_json() for claim, verdict in material.verdicts.items()},
    }


def save(material: Material) -> list[str]:
    """Write all files; return the paths that changed."""
    folder = material.project.reports
    files = render(material)
    changed = [path for path, text in files.items() if write(folder / path, text)]
    for path in _surplus(material, files):
        if path.endswith((".md", ".svg")):
            (folder / path).unlink()
            changed.append(path)
    certificates.write_all(folder, material.certificates.values())
    return sorted(changed)


def stale(
    project: Project,
    kernel: str = "verify.kernel",
    check: bound.Check = checking.check,
    processes: int = 1,
    fresh: bool = False,
) -> list[str]:
    """What is not as it would be written now: pins and certificates that are not of what is bound, inputs, renderings.

    That the checker accepted all certificates is taken from the cache, under the seal, unless `fresh`.
    """
    allow_depth()
    material = record.load(project, Language(kernel))
    formulas = bound.Bound(project.registry, Language(kernel))
    needed = {claim: verdict.certified() for claim, verdict in recorded.verdicts(project).items()}
    wrong = bound.unpinned(project, formulas, sorted({*needed, *bound.pins(project)}), needed)
    wrong += bound.refused(project, formulas, check, processes, fresh)
    problems = [f"{plain(claim)}: {plain(role)}: {why}" for claim, role, why in wrong]
    problems += _stale_inputs(project, material, Keys(project, kernel))
    problems += material.results.not_drawn()
    problems += [f"{plain(claim)}: {n} mutants survived" for claim, n in mutants.survivors(project).items()]
    files = render(material)
    drawn = _figures(material)  # a picture that is not there is named below
    problems += pages.problems(files, lambda path: path in drawn or (project.reports / path).exists())
    for path, text in files.items():
        file = project.reports / path
        if not file.is_file():
            problems.append(f"reports/{path} is missing")
        elif file.read_bytes() != text.encode():
            problems.append(f"reports/{path} differs from its rendering")
    problems += [f"reports/{path} is not the recorded picture" for path, svg in _figures(material).items() if not svg]
    problems += [f"{plain('reports/' + path)} belongs to nothing" for path in _surplus(material, files)]
    return problems


def _surplus(material: Material, files: Mapping[str, str]) -> list[str]:
    """The files below `reports/` that are no part of it, by path; a picture that is not as recorded is named elsewhere."""
    project = material.project
    known = {*files, *_figures(material), mutants.FILE}
    known |= {certificates.path_of(Path(), claim).as_posix() for claim in material.certificates if claim in material.spoken}
    found = (p.relative_to(project.reports) for p in sorted(project.reports.rglob("*")) if p.is_file())
    return [p.as_posix() for p in found if p.as_posix() not in known and not p.name.startswith(".")]


def _stale_inputs(project: Project, material: Material, keys: Keys) -> list[str]:
    now = record.inputs(project, material.results, keys, material.profile)
    then = {claim: entry.get("inputs", {}) for claim, entry in material.record["claims"].items()}
    problems = []
    for claim in sorted({*now, *then}):
        mine, old = now.get(claim, {}), then.get(claim, {})
        for role in sorted({*mine, *old}):
            if mine.get(role) != old.get(role):
                what = "is new" if role not in old else "is gone" if role not in mine else "has changed inputs"
                name = "what its proofs name of the library" if role == record.FACTS else plain(role)
                problems.append(f"{plain(claim)}: {name} {what}")
    return problems
