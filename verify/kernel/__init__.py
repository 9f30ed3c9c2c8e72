"""The only place that mints theorems: the logic of LOGIC.md, its rules, its leaves, and the tactics that build proofs."""

from verify.kernel.latex import latex
from verify.kernel.rules import Account, Sequent, check
from verify.kernel.syntax import parse, parse_term, pretty
from verify.kernel.tactics import Goal, ProofError, Theorem, disprove, freeze_node, prove, thaw_node
from verify.kernel.terms import LogicError, freeze, negate, thaw

__all__ = [
    "Account", "Goal", "LogicError", "ProofError", "Sequent", "Theorem", "check", "disprove", "freeze", "freeze_node",
    "latex", "negate", "parse", "parse_term", "pretty", "prove", "thaw", "thaw_node",
]  # fmt: skip
