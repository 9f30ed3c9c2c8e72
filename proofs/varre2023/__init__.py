"""Proofs for the claims of varre2023."""
