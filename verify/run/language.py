"""The kernel's language for formulas that come from JSON: printing, typesetting, negation."""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable, Mapping
from functools import cached_property
from types import ModuleType
from typing import Any

from verify.run.files import canonical

SAYS_NOTHING = "the formula is true by its form alone, so it says nothing of the claim"


class Language:
    """Wraps a kernel module, whose formulas are immutable, so that lists go in and come out."""

    def __init__(self, kernel: str = "verify.kernel") -> None:
        self._name = kernel

    @cached_property
    def _kernel(self) -> ModuleType:
        """The kernel, imported when it is first needed."""
        return importlib.import_module(self._name)

    def _part(self, name: str) -> ModuleType:
        return importlib.import_module(f"{self._name}.{name}")

    def parse(self, text: str) -> Any:
        """The formula of a text, as JSON."""
        return json.loads(canonical(self._kernel.parse(text)))

    def term(self, text: str, context: Mapping[str, Any] | None = None) -> Any:
        """The term of a text as the kernel holds it; None when the text is none, or when the kernel reads no terms."""
        read = getattr(self._kernel, "parse_term", None)
        try:
            return None if read is None else read(text, dict(context or {}))
        except Exception:  # a term that only the logic understands is shown as it is
            return None

    def pretty(self, formula: Any) -> str:
        """A formula or a term in the surface syntax."""
        return str(self._kernel.pretty(self._freeze(formula)))

    def lines(self, formula: Any) -> str:
        """A formula in the surface syntax, a long one on several lines; nothing is left out."""
        return str(self._kernel.lines(self._freeze(formula)))

    def alphabet(self, *formulas: Any) -> Any:
        """The letters for the names of formulas that a reader sees together."""
        return self._kernel.Alphabet(*(self._freeze(f) for f in formulas))

    def latex(self, formula: Any, alphabet: Any = None) -> str:
        """A formula or term in LaTeX, with the letters of the formula to which it belongs (default: its own)."""
        return str(self._kernel.latex(self._freeze(formula), alphabet))

    def declared(self, declarations: Any, alphabet: Any) -> str:
        """Variables and their sorts in LaTeX."""
        return str(self._part("text.latex").declared(self._freeze(declarations), alphabet))

    def negate(self, formula: Any) -> Any:
        """The negation of a formula."""
        return self._kernel.negate(self._freeze(formula))

    @property
    def follows(self) -> bool:
        """Whether the kernel has goals and rules by which a proof can be followed."""
        return hasattr(self._kernel, "Sequent")

    def start(self, formula: Any) -> Any:
        """The goal of a closed formula."""
        return self._kernel.Sequent({}, {}, self._freeze(formula))

    def goals(self, goal: Any, node: Mapping[str, Any], lemmas: Callable[[str, str], Any]) -> list[Any]:
        """The goals that a node of an accepted proof leaves."""
        content = {key: self._freeze(value) for key, value in node.items() if key != "c"}
        return list(self._part("rules").expand(goal, content, lemmas))

    def says_nothing(self, formula: Any) -> bool:
        """Whether a formula is true by its form alone; False where the kernel is not the one whose formulas are understood."""
        if not self.follows:
            return False
        from verify.run.derived import says_nothing

        return says_nothing(self._freeze(formula))

    def frozen(self, formula: Any) -> Any:
        """A formula or a term, or a list of them, as the kernel holds it."""
        return self._freeze(formula)

    def free(self, formula: Any) -> frozenset[str]:
        """The free names of a formula or a term."""
        return frozenset(self._part("terms").free(formula))

    def renamed(self, formula: Any, names: Mapping[str, str]) -> str:
        """A formula or a term in the surface syntax, with other names for free ones."""
        return self.pretty(self._part("terms").subst(formula, dict(names)))

    def _freeze(self, formula: Any) -> Any:
        freeze = getattr(self._kernel, "freeze", None)
        return formula if freeze is None else freeze(formula)
