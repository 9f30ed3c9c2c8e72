"""Pages that a hosting site still renders: a long one is split at its sections, and every link follows.

A section of the page of a paper, or of its errata, becomes a page of its own; parts of the page of a claim are packed into
further pages. What is before the sections stays, with the links to them; where an anchor has moved away, the first of these
links keeps it, so that an old link still leads to where the new one is.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

LIMIT, GOAL = 200_000, 150_000
"""The most bytes of a page, and from how many on it is split."""
_LINK = re.compile(r"(`[^`]*`)|\]\(([^()\s]*)\)")
_ANCHOR = re.compile(r'<a id="([^"]+)"></a>')
_FENCE = re.compile(r"\s*(`{3,})")


@dataclass(frozen=True)
class _Piece:
    """A run of paragraphs with its anchors; `anchor` is that of its heading, empty when it has none."""

    anchor: str
    text: str

    @property
    def size(self) -> int:
        return len(self.text.encode())


def split(files: Mapping[str, str], goal: int = GOAL) -> dict[str, str]:
    """The same pages with the long ones split; all other files as they are."""
    found: dict[str, str] = {}
    origin: dict[str, str] = {}
    for path, text in files.items():
        pages = _pages(path, text, goal) if path.endswith(".md") and len(text.encode()) > goal else {path: text}
        origin |= dict.fromkeys(pages, path)
        found |= pages
    split_up = {path for path, old in origin.items() if path != old}
    moved = {(origin[path], anchor): path for path in split_up for anchor in anchors(found[path])}
    kept = {origin[path] for path in split_up}
    return {
        path: _relinked(path, origin[path], text, moved, path in kept) if path.endswith(".md") and moved else text
        for path, text in found.items()
    }


def anchors(text: str) -> list[str]:
    """The anchors of a page, outside its blocks of code."""
    return [name for line in _lines(text) for name in _ANCHOR.findall(line)]


def problems(files: Mapping[str, str], exists: Callable[[str], bool]) -> Iterator[str]:
    """Pages that are too long, anchors that occur twice, and links that lead nowhere; `exists` knows the other files."""
    known = {path: anchors(text) for path, text in files.items() if path.endswith(".md")}
    for path, found in known.items():
        text = files[path]
        if len(text.encode()) > LIMIT:
            yield f"reports/{path} has {len(text.encode())} bytes, more than {LIMIT}"
        if len(found) != len(set(found)):
            yield f"reports/{path}: an anchor occurs twice: {next(a for a in found if found.count(a) > 1)}"
        targets = dict.fromkeys(m[2] for line in _lines(text) for m in _LINK.finditer(line) if m[2])
        for target in targets:
            if "://" in target:
                continue
            file, _, anchor = target.partition("#")
            to = posixpath.normpath(posixpath.join(posixpath.dirname(path), file)) if file else path
            if to not in files and not exists(to):
                yield f"reports/{path}: the link {target} leads to no file"
            elif anchor and anchor not in known.get(to, ()):
                yield f"reports/{path}: the link {target} leads to no anchor"


def _lines(text: str) -> Iterator[str]:
    """The lines outside blocks of code."""
    lines = text.splitlines()
    yield from (lines[n] for n in _numbers(text))


def _numbers(text: str) -> Iterator[int]:
    """The numbers of these lines."""
    fence = ""
    for n, line in enumerate(text.splitlines()):
        mark = _FENCE.match(line)
        if mark and (not fence or (mark[1].startswith(fence) and not line.strip().strip("`"))):
            fence = "" if fence else mark[1]
        elif not fence:
            yield n


def _pages(path: str, text: str, goal: int) -> dict[str, str]:
    """A long page and its further pages, with links as they are on the long one."""
    stem, title = path.removesuffix(".md"), text.splitlines()[0].removeprefix("# ")
    pieces = _cut(text, "## ")
    sections = [p for p in pieces if p.anchor.startswith("section-")]
    further: dict[str, list[_Piece]] = {}
    if sections:
        kept = [p for p in pieces if p not in sections]
        for section in sections:
            name = f"{stem}/sections/{section.anchor.removeprefix('section-')}"
            further |= _numbered(name, _packed(_cut(section.text, "### "), goal), 1)
    else:
        parts = [p for p in pieces if p.anchor.startswith("part-")]
        kept = [p for p in pieces if p not in parts]
        first, *rest = _packed(parts, goal, sum(p.size for p in kept))
        kept = [p for p in pieces if p in kept or p in first]
        further = _numbered(stem, rest, 2)
    found = {path: _joined(kept)}
    order = list(further)
    for number, (name, part) in enumerate(further.items()):
        near = {"before": order[number - 1] if number else path, "next": order[number + 1] if name != order[-1] else ""}
        links = [f"{word}: [{posixpath.basename(to)}]({_relative(to, path)})" for word, to in near.items() if to]
        way = f"Of [{posixpath.basename(path)}]({posixpath.basename(path)}); {'; '.join(links)}."
        found[name] = f"# {title} (continued)\n\n{way}\n\n{_joined(part)}"
    return found


def _numbered(stem: str, parts: Iterable[list[_Piece]], start: int) -> dict[str, list[_Piece]]:
    """Names for further pages: the first without a number when it starts with 1."""
    return {f"{stem}.{n}.md" if n > 1 else f"{stem}.md": part for n, part in enumerate(parts, start)}


def _packed(pieces: Iterable[_Piece], goal: int, taken: int = 0) -> list[list[_Piece]]:
    """Pieces in order, as many together as fit; in the first group `taken` bytes are spent. One that is longer is alone."""
    groups: list[list[_Piece]] = [[]]
    for piece in pieces:
        if taken + piece.size > goal and (groups[-1] or taken):
            groups.append([])
            taken = 0
        groups[-1].append(piece)
        taken += piece.size
    return groups


def _cut(text: str, heading: str) -> list[_Piece]:
    """A text before its headings of one level, each with the anchors right above it."""
    lines, inside = text.splitlines(), list(_numbers(text))
    starts = [0]
    for n in inside:
        if lines[n].startswith(heading):
            while n > 0 and (not lines[n - 1].strip() or _ANCHOR.fullmatch(lines[n - 1].strip())):
                n -= 1
            starts.append(n)
    blocks = ["\n".join(lines[a:b]).strip() for a, b in zip(starts, [*starts[1:], len(lines)], strict=True)]
    found = [_ANCHOR.match(block) for block in blocks]
    return [_Piece(m[1] if m else "", block) for m, block in zip(found, blocks, strict=True) if block]


def _joined(pieces: Iterable[_Piece]) -> str:
    return "\n\n".join(p.text for p in pieces) + "\n"


def _relative(path: str, page: str) -> str:
    return posixpath.relpath(path, posixpath.dirname(page) or ".")


def _relinked(path: str, old: str, text: str, moved: Mapping[tuple[str, str], str], kept: bool) -> str:
    """A page whose links lead to where anchors are now; a page that was split keeps the anchors that it lost at its links."""
    lost = {anchor for page, anchor in moved if page == path} if kept else set[str]()

    def link(match: re.Match[str]) -> str:
        target = match[2]
        if match[1] or not target or "://" in target:
            return match[0]
        file, _, anchor = target.partition("#")
        to = posixpath.normpath(posixpath.join(posixpath.dirname(old), file)) if file else old
        now = moved.get((to, anchor), to)
        if now == to and posixpath.dirname(old) == posixpath.dirname(path) and (file or old == path):
            return match[0]
        shown = "" if now == path and anchor else _relative(now, path)
        pointer = ""
        if to == path and anchor in lost:
            lost.discard(anchor)
            pointer = f'<a id="{anchor}"></a>'
        return f"]({shown}{'#' + anchor if anchor else ''}){pointer}"

    lines = text.splitlines()
    for n in _numbers(text):
        if "](" in lines[n]:
            lines[n] = _LINK.sub(link, lines[n])
    return "\n".join(lines) + "\n"
