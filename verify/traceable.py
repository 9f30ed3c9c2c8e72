"""What a proof module may not do, because no digest of its sources would tell that its results changed."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from verify.errors import InputError

_SUSPICIOUS = re.compile(
    r"\b(?:importlib|__import__|runpy|exec|eval|setattr|delattr|__dict__)\b"
    r"|^[ \t]*(?:del[ \t]+\w|\w+(?:\.\w+|\[[^]\n]*\])+[ \t,:\w.\[\]+*/%|&^@-]*=(?!=))",
    re.M,
)
"""What a module that has a fault has, though not only such a one: only these modules are parsed."""
_CALLS = frozenset({"__import__", "exec", "eval"})
_MODULES = frozenset({"importlib", "runpy"})
_OURS = frozenset({"verify", "proofs"})
_SETTERS = frozenset({"setattr", "delattr"})


def check(path: Path, where: str) -> None:
    """Raise InputError for a module that imports by name at run time or that changes a module which it imports."""
    try:
        text = path.read_text(encoding="utf-8")
        tree = ast.parse(text) if _SUSPICIOUS.search(text) else None
    except (OSError, ValueError, SyntaxError):  # its import says what is wrong with it
        return
    if tree is not None and (found := next(_faults(tree), None)) is not None:
        line, fault = found
        raise InputError(f"{where}: line {line}: {fault}")


def _faults(tree: ast.Module) -> Iterator[tuple[int, str]]:
    nodes = list(ast.walk(tree))
    imported = dict(pair for node in nodes for pair in _imported(node))
    inside = {id(n) for f in nodes if isinstance(f, (ast.FunctionDef, ast.AsyncFunctionDef)) for n in ast.walk(f)}
    for node in nodes:
        for name in _loaded(node):
            yield node.lineno, f"uses {name}, so that what it runs cannot be traced; write an import statement"  # type: ignore[attr-defined]
        for base in map(base_name, _changed(node)):
            # a function may set the precision of a library; the engine and other proofs are nobody's to change
            if base in imported and (imported[base] in _OURS or id(node) not in inside):
                fault = f"changes {base}, which it imports, so that other proofs would depend on it; bind a name of its own"
                yield node.lineno, fault  # type: ignore[attr-defined]


def _imported(node: ast.AST) -> Iterator[tuple[str, str]]:
    """The names that a node imports, each with the top-level package that it comes from."""
    if isinstance(node, ast.Import):
        yield from ((a.asname or a.name.partition(".")[0], a.name.partition(".")[0]) for a in node.names)
    elif isinstance(node, ast.ImportFrom):
        top = "proofs" if node.level else (node.module or "").partition(".")[0]
        yield from ((a.asname or a.name, top) for a in node.names)


def base_name(target: ast.expr) -> str:
    """The name whose attribute or item a target is; empty where it is that of no name."""
    while isinstance(target, (ast.Attribute, ast.Subscript)):
        target = target.value
    return target.id if isinstance(target, ast.Name) else ""


def _loaded(node: ast.AST) -> Iterator[str]:
    """The ways in which a node runs code that no import statement names."""
    if isinstance(node, ast.Import):
        yield from (a.name for a in node.names if a.name.partition(".")[0] in _MODULES)
    elif isinstance(node, ast.ImportFrom) and node.level == 0 and (node.module or "").partition(".")[0] in _MODULES:
        yield str(node.module)
    elif isinstance(node, ast.Name) and node.id in _CALLS:
        yield node.id


def _changed(node: ast.AST) -> Iterator[ast.expr]:
    """What a node sets attributes or items of."""
    targets: list[ast.expr] = []
    if isinstance(node, (ast.Assign, ast.Delete)):
        targets = list(node.targets)
    elif isinstance(node, (ast.AugAssign, ast.AnnAssign)):
        targets = [node.target]
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _SETTERS:
        yield from node.args[:1]
    for target in targets:
        parts = (t for t in ast.walk(target) if isinstance(t, (ast.Attribute, ast.Subscript)))
        yield from (t for t in parts if isinstance(t.ctx, (ast.Store, ast.Del)))
