"""Proofs for the claims of eftekhari2022."""
