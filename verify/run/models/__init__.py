"""Counterexamples: exact models of the hypotheses of a statement in which its conclusion is certainly false."""

from verify.run.models.search import counterexample

__all__ = ["counterexample"]
