"""Where a claim, a part of it or an axiom stands in the reports, and links from one page to another."""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass

from verify.registry import AMENDMENT, NEGATION, STATEMENT
from verify.report.markup import cell, paragraphs, prose, typed
from verify.report.record import Material

_PART = re.compile(r"\bpart:([A-Za-z0-9][A-Za-z0-9-]*)")
_PARTS = re.compile(r"\b(parts? )((?:[A-Za-z0-9][A-Za-z0-9-]*(?:, and |, | and )?)+)")
_WORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]*")
_LINK = re.compile(r"(\[[^\]]*\]\([^)]*\))")
_CLAIM = re.compile(r"(?<![\w/.`:-])(?:[a-z][a-z0-9]*\.[A-Za-z0-9][A-Za-z0-9-]*|[a-z]+(?:-[a-z0-9]+)+)(?![\w-])")


def paper_page(paper: str) -> str:
    """The page of a paper, in `reports/`."""
    return f"{paper}.md"


def claim_page(claim: str) -> str:
    """The page of a claim, in `reports/`."""
    paper, _, name = claim.partition(".")
    return f"{paper}/{name}.md"


def anchor(claim: str) -> str:
    """The anchor of a claim on the page of its paper."""
    return claim.partition(".")[2]


def role_anchor(role: str) -> str:
    """The anchor of a role on the page of its claim."""
    return "statement" if role in (STATEMENT, NEGATION) else role.replace(":", "-")


def test_anchor(name: str) -> str:
    """The anchor of an experiment on the page of its claim."""
    return "test-" + re.sub(r"[^A-Za-z0-9]+", "-", name)


@dataclass(frozen=True)
class Here:
    """The page that is being written: its path in `reports/`, and the claim that it speaks of, if there is one."""

    material: Material
    path: str
    claim: str = ""

    def speaking_of(self, claim: str) -> Here:
        """The same page where it speaks of a claim."""
        return Here(self.material, self.path, claim)

    def to(self, path: str, at: str = "") -> str:
        """The target of a link to a file of `reports/`, or to the repository above it."""
        mark = f"#{at}" if at else ""
        return mark if path == self.path and at else posixpath.relpath(path, posixpath.dirname(self.path) or ".") + mark

    def claim_target(self, claim: str) -> str:
        """Where a claim is: its entry if it is on this page, else its own page."""
        page = paper_page(claim.partition(".")[0])
        if page == self.path:
            return self.to(page, anchor(claim))
        return self.to(claim_page(claim))

    def link(self, claim: str) -> str:
        """A link to a claim."""
        return f"[`{claim}`]({self.claim_target(claim)})"

    def own(self, claim: str) -> str:
        """A link to the page of a claim."""
        return f"[`{claim}`]({self.to(claim_page(claim))})"

    def detail(self, claim: str, role: str = "", text: str = "") -> str:
        """A link to the page of a claim, to one of its roles if one is given."""
        shown = text or f"`{claim}`" + (f" ({role_words(role)})" if role else "")
        return f"[{shown}]({self.to(claim_page(claim), role_anchor(role) if role else '')})"

    def at(self, claim: str, anchor: str, text: str) -> str:
        """A link to a place on the page of a claim."""
        return f"[{text}]({self.to(claim_page(claim), anchor)})"

    def axiom(self, name: str) -> str:
        """A link to an axiom."""
        return f"[{name}]({self.to('trusted.md', name)})"

    def prose(self, text: str) -> str:
        """Prose of a proof module as a paragraph: parts and claims that it names are links."""
        return self._linked(prose(typed(text)))

    def cell(self, text: str) -> str:
        """The same for a cell of a table."""
        return self._linked(cell(typed(text)))

    def paragraphs(self, text: str) -> str:
        """The same for several paragraphs."""
        return self._linked(paragraphs(typed(text)))

    def _linked(self, markdown: str) -> str:
        """Links where Markdown that was escaped names a part of this claim, or a claim by its id or its name in this paper."""
        pieces = re.split(r"(\$\$.+?\$\$|\$[^$]+\$|`[^`]+`)", markdown, flags=re.DOTALL)
        return "".join(p if n % 2 else self._link_names(p) for n, p in enumerate(pieces))

    def _link_names(self, text: str) -> str:
        def part(name: str, shown: str) -> str:
            role = f"part:{name}"
            known = (self.claim, role) in self.material.project.registry.bindings
            return f"[{shown}]({self.to(claim_page(self.claim), role_anchor(role))})" if known else shown

        def claim(match: re.Match[str]) -> str:
            found = match[0] if match[0] in self.material.verdicts else f"{self.claim.partition('.')[0]}.{match[0]}"
            if found not in self.material.verdicts or found == self.claim:
                return match[0]
            return f"[{match[0]}]({self.claim_target(found)})"

        if self.claim:
            text = _PART.sub(lambda m: part(m[1], m[0]), text)
            text = _PARTS.sub(lambda m: m[1] + _WORD.sub(lambda w: part(w[0], w[0]), m[2]), text)
        pieces = _LINK.split(text)
        return "".join(p if n % 2 else _CLAIM.sub(claim, p) for n, p in enumerate(pieces))


def believed(material: Material) -> str:
    """A link to what must be believed of the engine, where the project has that page; else its name."""
    return "[TRUSTED.md](../TRUSTED.md)" if (material.project.root / "TRUSTED.md").is_file() else "`TRUSTED.md` of the engine"


def role_words(role: str) -> str:
    """A role in words."""
    words = {STATEMENT: "statement", NEGATION: "counterexample", AMENDMENT: "amendment"}
    return words.get(role, f"part {role.removeprefix('part:')}")
