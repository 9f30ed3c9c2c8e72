"""All files of `reports/`, rendered in memory; writing them, and comparing them with what is there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verify.report import pages, record
from verify.report.record import Material
from verify.run import certificates, drawing, mutants
from verify.run.files import allow_depth, claims_json, rows_json, write
from verify.run.keys import Keys
from verify.run.language import Language
from verify.run.results import DONE

if TYPE_CHECKING:
    from verify.project import Project
    from verify.run.engine import Run

SCHEMA = 1


def from_run(project: Project, run: Run, profile: str, kernel: str = "verify.kernel") -> Material:
    """The material of a run over all claims."""
    content = record.make(project, run.results, run.keys, profile)
    return record.material(project, run.results, run.certificates, content, Language(kernel))


def render(material: Material) -> dict[str, str]:
    """The text of every file of `reports/` but the certificates, by path."""
    project = material.project
    files = {
        "README.md": pages.index(material),
        "errata.md": pages.errata(material),
        "trusted.md": pages.trusted(material),
        "verdicts.json": claims_json(verdicts(material)),
        "statements.json": rows_json(certificates.statements(material.results.roles)),
        record.FILE: claims_json(material.record),
    }
    files |= {f"{slug}.md": pages.paper(material, paper) for slug, paper in project.papers.items()}
    files |= {path: svg for path, svg in _figures(material).items() if svg}
    return files


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
    changed = [path for path, text in render(material).items() if write(folder / path, text)]
    for path in _unknown_figures(material):
        (folder / path).unlink()
        changed.append(path)
    certificates.write_all(folder, material.certificates.values())
    return sorted(changed)


def stale(project: Project, kernel: str = "verify.kernel") -> list[str]:
    """What is not as it would be written now: changed inputs, then files that differ from their rendering."""
    allow_depth()
    material = record.load(project, Language(kernel))
    problems = _stale_inputs(project, material, Keys(project, kernel))
    problems += [f"{claim}: {n} mutants survived" for claim, n in mutants.survivors(project).items()]
    for path, text in render(material).items():
        file = project.reports / path
        if not file.is_file():
            problems.append(f"reports/{path} is missing")
        elif file.read_bytes() != text.encode():
            problems.append(f"reports/{path} differs from its rendering")
    problems += [f"reports/{path} is not the recorded picture" for path, svg in _figures(material).items() if not svg]
    problems += [f"reports/{path} is no figure of a claim" for path in _unknown_figures(material)]
    return problems


def _unknown_figures(material: Material) -> list[str]:
    """The pictures in `reports/figures` that no claim has, by path."""
    reports, known = material.project.reports, _figures(material)
    found = (p.relative_to(reports).as_posix() for p in sorted(reports.glob("figures/*/*.svg")))
    return [path for path in found if path not in known]


def _stale_inputs(project: Project, material: Material, keys: Keys) -> list[str]:
    now = record.inputs(project, material.results, keys, material.profile)
    then = {claim: entry.get("inputs", {}) for claim, entry in material.record["claims"].items()}
    problems = []
    for claim in sorted({*now, *then}):
        mine, old = now.get(claim, {}), then.get(claim, {})
        for role in sorted({*mine, *old}):
            if mine.get(role) != old.get(role):
                what = "is new" if role not in old else "is gone" if role not in mine else "has changed inputs"
                problems.append(f"{claim}: {role} {what}")
    return problems
