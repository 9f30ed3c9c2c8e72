"""Write facts.json from the topic modules; with --check, fail if the committed file differs."""

from __future__ import annotations

import importlib
import json
import pkgutil
import sys
from pathlib import Path
from typing import Any

import verify.kernel.library as library_package
from verify.kernel.syntax import Parser
from verify.kernel.terms import LogicError, thaw

TARGET = Path(__file__).parents[1] / "facts.json"


def modules() -> list[Any]:
    names = sorted(m.name for m in pkgutil.iter_modules(library_package.__path__) if not m.name.startswith("_"))
    return [importlib.import_module(f"verify.kernel.library.{n}") for n in names]


def declarations(text: str) -> tuple[tuple[tuple[str, Any], ...], dict[str, Any]]:
    if not text:
        return (), {}
    p = Parser(text + ".", {})
    decls = p.declarations()
    p.end()
    return decls, p.ctx


def apply_parameters(e: Any, functions: frozenset[str]) -> Any:
    if not isinstance(e, tuple):
        return e
    if e and e[0] == "call" and e[1] in functions:
        return ("app", e[1], *(apply_parameters(a, functions) for a in e[2:]))
    return tuple(apply_parameters(a, functions) for a in e)


def entry(name: str, kind: str, params: str, formula: str, says: str, source: str) -> dict[str, Any]:
    """The JSON entry of a fact."""
    try:
        decls, ctx = declarations(params)
        p = Parser(formula, ctx)
        f = p.formula()
        p.end()
    except LogicError as error:
        raise LogicError(f"fact {name}: {error}") from None
    functions = frozenset(n for n, s in decls if isinstance(s, tuple) and s[0] == "F")
    sorts = [[n, ["L", thaw(s[1]), thaw(s[2])] if n in functions else thaw(s)] for n, s in decls]
    return {
        "name": name,
        "kind": kind,
        "params": sorts,
        "formula": thaw(apply_parameters(f, functions)),
        "says": says,
        "source": source,
    }


def signature(name: str, variables: str, args: str, value: str, says: str) -> dict[str, Any]:
    """The JSON entry of a constant symbol; args is a list of declarations whose names are ignored."""
    head = f"{variables}:Z, " if variables else ""
    decls, _ = declarations(head + args + (", " if args else "") + f"value_:{value}")
    count = len(variables.split())
    return {
        "name": name,
        "kind": "signature",
        "vars": [[v, "Z"] for v in variables.split()],
        "args": [thaw(s) for _, s in decls[count:-1]],
        "value": thaw(decls[-1][1]),
        "says": says,
    }


def build() -> str:
    """The text of facts.json."""
    mods = modules()
    signatures = [signature(*s) for m in mods for s in getattr(m, "SIGNATURES", [])]
    # constants must be readable before formulas that mention them are parsed
    from verify.kernel import facts

    facts.library.cache_clear()
    known = {s["name"]: s for s in signatures}
    facts.library = lambda: (
        {},
        {
            n: facts.Signature(n, facts.freeze(s["args"]), facts.freeze(s["value"]), tuple(v for v, _ in s["vars"]), s["says"])
            for n, s in known.items()
        },
    )  # type: ignore[assignment]
    import verify.kernel.syntax as syntax

    syntax.library = facts.library
    entries = [entry(*f) for m in mods for f in getattr(m, "FACTS", [])]
    names = [e["name"] for e in entries + signatures]
    if twice := sorted({n for n in names if names.count(n) > 1}):
        raise LogicError(f"declared twice: {', '.join(twice)}")
    rows = [json.dumps(e, ensure_ascii=False) for e in sorted(signatures + entries, key=lambda e: str(e["name"]))]
    return "[\n" + ",\n".join(rows) + "\n]\n"


if __name__ == "__main__":
    text = build()
    if "--check" in sys.argv:
        if TARGET.read_text(encoding="utf-8") != text:
            sys.exit("facts.json is stale: run python -m verify.kernel.library")
    else:
        TARGET.write_text(text, encoding="utf-8")
