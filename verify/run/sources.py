"""Which source text a binding depends on.

The slice of a proof module that belongs to a binding is the top-level statement that binds, every statement of the
module that defines a name which the slice mentions, and every statement that may have an effect (one that changes
what was imported has). Other bindings of the module are left out, so that an edit of one proof does not touch the
others. Imported modules of the project count as a whole, with what they import. A module that looks up names at run
time counts as a whole, too.

Two digests are made of a slice. One is of everything, with the modules of the engine that are imported. The other one, of
what a proof is *made from*, leaves out the engine, comments between statements, and prose: docstrings and what a binding says
in words, none of which can change a proof.
"""

from __future__ import annotations

import ast
import bisect
import functools
import importlib.util
import itertools
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from verify.run.files import digest, sha256
from verify.traceable import base_name

BINDERS = frozenset({"holds", "refuted", "amendment", "part", "undecided", "experiment", "figure", "simulated"})
RECORDERS = frozenset({"verify", "verify.registry", "verify.errors", "verify.verdict", "verify.claim"})
"""Modules that only record what a proof module says; they cannot change what the kernel sees."""

PROSE = frozenset(
    {"says", "because", "context", "added", "reason", "argument", "covers", "reading", "readings", "tried", "missing"}
)
"""Arguments of a binding that are words for a reader, or a judgement of its author."""

_SPOKEN = (ast.stmt, ast.expr, ast.keyword, ast.arguments, ast.arg, ast.alias, ast.comprehension, ast.withitem,
           ast.excepthandler, ast.match_case, ast.pattern)  # fmt: skip
_KINDS = frozenset(kind for kind in vars(ast).values() if isinstance(kind, type) and issubclass(kind, _SPOKEN))
_ACTS = (ast.Call, ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom)
_LOOKUPS = frozenset({"globals", "locals", "vars", "eval", "exec", "__import__", "import_module", "getattr"})


@dataclass(slots=True)
class _Statement:
    first: int
    last: int
    text: str
    defines: frozenset[str]
    mentions: frozenset[str]
    binds: bool
    effect: bool
    essence: str
    """The digest of the text without prose."""


@dataclass(slots=True)
class _Module:
    text: str
    statements: list[_Statement]
    imports: frozenset[str]
    opaque: bool


class Memory(Protocol):
    """Where the outlines of modules are kept from run to run."""

    def get(self, key: str) -> Any | None:
        """The value of a key, or None."""

    def put(self, key: str, value: Any) -> object:
        """Keep a value."""


@dataclass
class Sources:
    """The sources of a project; each file is read once."""

    tops: dict[str, list[Path]] = field(default_factory=dict)
    memory: Memory | None = None
    _found: dict[str, Path | None] = field(default_factory=dict)
    _modules: dict[Path, _Module] = field(default_factory=dict)
    _closures: dict[str, str] = field(default_factory=dict)
    _made: dict[tuple[str, bool], str] = field(default_factory=dict)

    def slice_digest(self, module: str, lines: Iterable[int]) -> str:
        """The digest of what the bindings at some lines of a module depend on, within and beyond the module."""
        path = self.find(module)
        if path is None:
            return digest(["unknown module", module])
        parsed = self._read(path, module)
        return digest([self._slice(parsed, sorted(set(lines))), self._imported(module, parsed.imports)])

    def own_digest(self, module: str, lines: Iterable[int], engine: bool = False) -> str:
        """The digest of what the proofs bound at some lines of a module are made from: no prose.

        With `engine` the imported modules of the engine count as well, but for the kernel and for what only records.
        """
        path = self.find(module)
        if path is None:
            return digest(["unknown module", module])
        parsed = self._read(path, module)
        chosen = self._chosen(parsed, sorted(set(lines)))
        own = [s.essence for s in chosen] or _essence(parsed)
        return digest([own, self._imported_essence(module, parsed.imports, engine)])

    def tree_digest(self, package: str, without: Iterable[str] = ()) -> str:
        """The digest of all Python and JSON files of a package, but those files and folders of it that are left out."""
        path = self.find(package)
        if path is None:
            return digest(["unknown package", package])
        folder = path.parent
        files = sorted(p for p in folder.rglob("*") if p.suffix in (".py", ".json") and p.is_file())
        kept = [p for p in files if p.relative_to(folder).parts[0] not in set(without)]
        return digest([[p.relative_to(folder).as_posix(), sha256(p.read_bytes())] for p in kept])

    def closure(self, modules: Iterable[str]) -> list[list[str]]:
        """The digests of some modules of the project and of all that they import, but what only records bindings."""
        return self._closure("", (name for module in modules for name in _parents(module)))

    def find(self, module: str) -> Path | None:
        """The file of a module of the project, or None for a module that is not the project's."""
        if module not in self._found:
            self._found[module] = self._look_for(module)
        return self._found[module]

    def _look_for(self, module: str) -> Path | None:
        top, _, rest = module.partition(".")
        if top not in self.tops:
            self.tops[top] = _locate(top)
        for folder in self.tops[top]:
            base = folder.joinpath(*rest.split(".")) if rest else folder
            for path in (base / "__init__.py", base.with_suffix(".py")):
                if path.is_file():
                    return path
        return None

    def _slice(self, module: _Module, lines: list[int]) -> list[str]:
        return [s.text for s in self._chosen(module, lines)] or [module.text]

    def _chosen(self, module: _Module, lines: list[int]) -> list[_Statement]:
        """The statements of a slice; none when the module counts as a whole."""
        starts = [s for s in module.statements if any(s.first <= line <= s.last for line in lines)]
        if module.opaque or not starts:
            return []
        chosen = {id(s) for s in starts} | {id(s) for s in module.statements if s.effect}
        queue = [s for s in module.statements if id(s) in chosen]
        while queue:
            wanted = queue.pop().mentions
            for other in module.statements:
                if id(other) not in chosen and other.defines & wanted:
                    chosen.add(id(other))
                    queue.append(other)
        return [s for s in module.statements if id(s) in chosen]

    def _imported(self, module: str, names: Iterable[str]) -> str:
        if module not in self._closures:
            self._closures[module] = digest(self._closure(module, names))
        return self._closures[module]

    def _imported_essence(self, module: str, names: Iterable[str], engine: bool) -> str:
        if (module, engine) not in self._made:
            found = self._reached(module, names, _of_no_run if engine else _of_the_engine)
            self._made[(module, engine)] = digest([[name, _essence(found[name])] for name in sorted(found)])
        return self._made[(module, engine)]

    def _closure(self, module: str, names: Iterable[str]) -> list[list[str]]:
        found = self._reached(module, names, _of_no_run)
        return [[name, sha256(found[name].text)] for name in sorted(found)]

    def _reached(self, module: str, names: Iterable[str], left_out: Callable[[str], bool]) -> dict[str, _Module]:
        """The modules of the project among some names and what they import, but the module itself."""
        seen: dict[str, _Module] = {}
        queue = list(names)
        while queue:
            name = queue.pop()
            if name in seen or name == module or left_out(name):
                continue
            path = self.find(name)
            if path is not None:
                seen[name] = self._read(path, name)
                queue.extend(seen[name].imports)
        return seen

    def _read(self, path: Path, module: str) -> _Module:
        if path not in self._modules:
            text = path.read_text(encoding="utf-8")
            key = digest(["module", _own_digest(), sha256(text), module, path.name])
            found = None if self.memory is None else _recall(text, self.memory.get(key))
            if found is None:
                found = _parse(text, module, path.name == "__init__.py")
                if self.memory is not None:
                    self.memory.put(key, _keep(found))
            self._modules[path] = found
        return self._modules[path]


def _of_no_run(name: str) -> bool:
    """Whether a module counts apart (the kernel, by a digest of its own) or only records what a proof module says."""
    return name in RECORDERS or name == "verify.kernel" or name.startswith("verify.kernel.")


def _of_the_engine(name: str) -> bool:
    return name == "verify" or name.startswith("verify.")


def _essence(module: _Module) -> list[str]:
    """A module without prose; one that is no Python counts as it is."""
    return [s.essence for s in module.statements] or [sha256(module.text)]


def _locate(top: str) -> list[Path]:
    """The folders of a top-level package, when it is the project's: not in site-packages, not the library's."""
    if top in sys.stdlib_module_names:
        return []
    try:
        spec = importlib.util.find_spec(top)
    except (ImportError, ValueError):
        return []
    if spec is None or not spec.submodule_search_locations:
        return []
    folders = [Path(p).resolve() for p in spec.submodule_search_locations]
    known = {"verify", "proofs"}
    return [f for f in folders if top in known or not {"site-packages", "dist-packages"} & set(f.parts)]


def _parse(text: str, module: str, is_package: bool) -> _Module:
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return _Module(text, [], frozenset(), True)
    lines = text.splitlines()
    inner = [_inside(node) for node in tree.body]
    cuts = _prose(tree, inner, text)
    statements: list[_Statement] = []
    imports: set[str] = set()
    opaque = False
    imported = [n for inside in inner for n in inside if isinstance(n, (ast.Import, ast.ImportFrom))]
    foreign = {(a.asname or a.name).partition(".")[0] for n in imported for a in n.names}
    for node, inside in zip(tree.body, inner, strict=True):
        statements.append(_statement(node, inside, lines, foreign, cuts))
        imports.update(_imports(inside, module, is_package))
        opaque = opaque or any(_looks_up(n) for n in inside)
    return _Module(text, statements, frozenset(imports), opaque)


@functools.cache
def _own_digest() -> str:
    return sha256(Path(__file__).read_bytes())


def _keep(module: _Module) -> Any:
    outline = [[s.first, s.last, sorted(s.defines), sorted(s.mentions), s.binds, s.effect, s.essence] for s in module.statements]
    return [outline, sorted(module.imports), module.opaque]


def _recall(text: str, kept: Any) -> _Module | None:
    """The module from what was kept of it; None where nothing was, or something of another form."""
    lines = text.splitlines()
    try:
        outline, imports, opaque = kept
        statements = [
            _Statement(first, last, _lines(lines, first, last), frozenset(defines), frozenset(mentions), binds, effect, essence)
            for first, last, defines, mentions, binds, effect, essence in outline
        ]
    except (TypeError, ValueError):
        return None
    return _Module(text, statements, frozenset(imports), opaque)


def _lines(lines: list[str], first: int, last: int) -> str:
    return "\n".join(line.rstrip() for line in lines[first - 1 : last])


def _looks_up(node: ast.AST) -> bool:
    if isinstance(node, ast.Name):
        return node.id in _LOOKUPS
    return isinstance(node, ast.Attribute) and node.attr in _LOOKUPS


@dataclass(frozen=True, slots=True)
class _Text:
    """A source text with the places that are left out of its essence, as pairs of offsets in its bytes, in order."""

    data: bytes
    starts: list[int]
    """The offset of every line."""
    cuts: list[tuple[int, int]]

    def offset(self, line: int, column: int) -> int:
        """The offset of a place as `ast` gives it."""
        return self.starts[line - 1] + column

    def essence(self, first: int, last: int) -> str:
        """The digest of some lines without what is left out, and without blanks at the ends of lines."""
        here = self.starts[first - 1]
        end = self.starts[last] if last < len(self.starts) else len(self.data)
        kept = []
        for begin, stop in self.cuts[bisect.bisect_left(self.cuts, (here, 0)) :]:
            if begin >= end:
                break
            if begin >= here:  # else it lies within the last one
                kept.append(self.data[here:begin])
                here = stop
        kept.append(self.data[here:end])
        return sha256(b"\n".join(line.rstrip() for line in b"".join(kept).rstrip().split(b"\n")))


def _inside(node: ast.AST) -> list[ast.AST]:
    """A node and all nodes inside of it, but operators and contexts, which say nothing here (`ast.walk` is slow)."""
    found: list[ast.AST] = []
    stack = [node]
    while stack:
        here = stack.pop()
        found.append(here)
        for value in here.__dict__.values():
            kind = type(value)
            if kind in _KINDS:
                stack.append(value)
            elif kind is list:
                stack.extend([item for item in value if type(item) in _KINDS])
    return found


def _prose(tree: ast.Module, inner: Iterable[list[ast.AST]], text: str) -> _Text:
    """A text with the places of its docstrings and of what its bindings say in words."""
    data = text.encode()
    found = _Text(data, [0, *(m.end() for m in re.finditer(b"\n", data))], [])
    for node in itertools.chain([tree], *inner):
        for words in _words_in(node):
            assert words.end_lineno is not None and words.end_col_offset is not None
            begin = found.offset(words.lineno, words.col_offset)
            if isinstance(words, ast.keyword):  # with the comma before it, as if it were not there
                before = len(data[max(0, begin - 200) : begin].rstrip()) + max(0, begin - 200)
                begin = before - 1 if data[before - 1 : before] == b"," else begin
            found.cuts.append((begin, found.offset(words.end_lineno, words.end_col_offset)))
    found.cuts.sort()
    return found


def _words_in(node: ast.AST) -> Iterator[ast.expr | ast.keyword]:
    """The docstrings and arguments in a node that are prose, where evaluating them can have no effect."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Module)):
        first = node.body[0] if node.body else None
        if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
            yield first.value
    elif isinstance(node, ast.Call) and _is_binder(node.func):
        for keyword in node.keywords:
            if keyword.arg in PROSE and not any(isinstance(n, _ACTS) for n in ast.walk(keyword.value)):
                yield keyword


def _statement(node: ast.stmt, inside: list[ast.AST], lines: list[str], foreign: set[str], text: _Text) -> _Statement:
    decorators = getattr(node, "decorator_list", [])
    first = min([node.lineno, *(d.lineno for d in decorators)])
    last = node.end_lineno or node.lineno
    names = [n for n in inside if isinstance(n, ast.Name)]
    targets: list[ast.expr] = []
    defined = {n.id for n in names if isinstance(n.ctx, ast.Store)}
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        defined = {node.name}
    elif isinstance(node, (ast.Import, ast.ImportFrom)):
        defined = {(a.asname or a.name).partition(".")[0] for a in node.names}
    elif isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign)):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        defined |= {n.id for t in targets for n in ast.walk(t) if isinstance(n, ast.Name)}
    else:
        defined |= {n.name for n in inside if isinstance(n, (ast.FunctionDef, ast.ClassDef))}
    binds = any(_is_binder(n.func) for n in inside if isinstance(n, ast.Call))
    plain = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.Assign, ast.AnnAssign)
    star = isinstance(node, ast.ImportFrom) and any(a.name == "*" for a in node.names)
    docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    changes = any(base_name(t) in foreign for t in targets if not isinstance(t, ast.Name))
    harmless = isinstance(node, (*plain, ast.ImportFrom, ast.AugAssign)) or binds or docstring
    effect = star or changes or not harmless
    return _Statement(
        first=first,
        last=last,
        text=_lines(lines, first, last),
        defines=frozenset(defined),
        mentions=frozenset(n.id for n in names),
        binds=binds,
        effect=effect,
        essence=text.essence(first, last),
    )


def _is_binder(func: ast.expr) -> bool:
    if isinstance(func, ast.Name):
        return func.id in BINDERS
    return isinstance(func, ast.Attribute) and func.attr in BINDERS


def _imports(inside: Iterable[ast.AST], module: str, is_package: bool) -> Iterator[str]:
    for node in inside:
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield from _parents(alias.name)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parts = module.split(".")
                parts = parts[: len(parts) - node.level + (1 if is_package else 0)]
                base = ".".join([*parts, base] if base else parts)
            yield from _parents(base)
            for alias in node.names:
                yield f"{base}.{alias.name}"


def _parents(name: str) -> Iterator[str]:
    parts = name.split(".")
    for end in range(1, len(parts) + 1):
        yield ".".join(parts[:end])
