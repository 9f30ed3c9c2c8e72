"""Checks research papers claim by claim; the engine knows no paper."""

__version__ = "0.1.0"
