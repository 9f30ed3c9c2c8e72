"""Proofs for the claims of razin2020."""
