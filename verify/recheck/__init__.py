"""The independent checker of certificates.

It shares nothing with the kernel but the page ``LOGIC.md`` and the data of ``facts.json``, and it does
not search.
"""

from .facts import Library
from .rules import Checker, Outcome
from .store import Result, Store
from .terms import Refused, read_formula

__all__ = ["Checker", "Library", "Outcome", "Refused", "Result", "Store", "read_formula"]
