"""Checks research papers claim by claim; the engine knows no paper."""
