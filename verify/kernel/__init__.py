"""The only place that mints theorems: the logic of LOGIC.md, its rules, its leaves, and the tactics that build proofs."""

from verify.kernel.rules import Account, Sequent, check
from verify.kernel.syntax import parse, parse_term
from verify.kernel.tactics import Goal, ProofError, Theorem, disprove, freeze_node, prove, thaw_node
from verify.kernel.terms import LogicError, freeze, negate, thaw
from verify.kernel.text.latex import latex
from verify.kernel.text.names import Alphabet
from verify.kernel.text.surface import lines, pretty

__all__ = [
    "Account", "Alphabet", "Goal", "LogicError", "ProofError", "Sequent", "Theorem", "check", "disprove", "freeze", "freeze_node",
    "latex", "lines", "negate", "parse", "parse_term", "pretty", "prove", "thaw", "thaw_node",
]  # fmt: skip
