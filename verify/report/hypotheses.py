"""Whether hypotheses can be met: void statements, witnesses, and the claims that have none."""

from __future__ import annotations

from collections.abc import Iterator

from verify.claim import Claim, Paper
from verify.registry import SATISFIABLE
from verify.report import values
from verify.report.families import formulas
from verify.report.links import Here, role_anchor
from verify.report.markup import cell, folded
from verify.report.record import Material
from verify.report.words import rules, table, why
from verify.run.instances import instance
from verify.verdict import Outcome, Witness


def counted(material: Material) -> str:
    """How many of the claims that hold by proof under hypotheses have a witness."""
    found = [v.witness for v in material.verdicts.values() if v.witness is not None]
    have = sum(w is Witness.FOUND for w in found)
    void = sum(v.outcome is Outcome.VOID for v in material.verdicts.values())
    return (
        f"{have} of {len(found)} claims that hold by proof under hypotheses have a witness: an instance that is proved to meet "
        f"the hypotheses ([those without](trusted.md#without-a-witness)). {void} are void: `false` follows from their hypotheses."
    )


def void(here: Here, paper: Paper, heading: str) -> Iterator[str]:
    """The void statements of a paper, with the reason."""
    verdicts = here.material.verdicts
    found = [c for c in paper.claims if verdicts[c.id].outcome is Outcome.VOID]
    if found:
        yield heading.format(len(found))
        rows = [[here.link(c.id), cell(c.label), here.speaking_of(c.id).cell(why(verdicts[c.id]))] for c in found]
        yield table(["claim", "label", "why"], rows)


def without_witness(here: Here) -> Iterator[str]:
    """The claims that hold under hypotheses of which nobody has shown that they can be met."""
    verdicts = here.material.verdicts
    missing = [c for c, v in verdicts.items() if v.witness is Witness.MISSING]
    yield '<a id="without-a-witness"></a>\n\n## Hypotheses without a witness'
    if missing:
        yield (
            f"{len(missing)} claims hold by proof, and no contradiction was found among their hypotheses, but that these can be "
            "met is not proved: " + ", ".join(here.link(c) for c in missing)
        )
    else:
        yield "None: the hypotheses of every claim that holds by proof are proved to be met by some values."


def derived(here: Here, claim: Claim) -> Iterator[str]:
    """The parts of a claim that have no script: its witness, and what shows that a role is void."""
    material = here.material
    results, language = material.results, material.language
    for role in results.derived(claim.id):
        if results.why_not(claim.id, role):
            continue
        yield f'<a id="{role_anchor(role)}"></a>'
        result = results.roles[(claim.id, role)]
        if role == SATISFIABLE:
            yield "## Witness: the hypotheses can be met"
            shown = instance(language, results.roles, result.formula, result.proof)
            if shown and (told := values.markdown(shown, language)):
                yield "With these values, in the letters of the encoded statement, every hypothesis is proved:"
                yield told
        else:
            yield f"## Void: `false` follows from the hypotheses ({role.removeprefix('part:')})"
            yield "The checker accepts this proof of the encoded formula with its conclusion replaced by `false`:"
        whole = "\n\n".join(formulas(result.formula, language, role_anchor(role)))
        yield folded("The formula, derived from the encoded statement", whole)
        yield f"Found by the engine, without a script. Proof by rule: {rules(result.summary().counts)}."
