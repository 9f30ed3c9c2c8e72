"""Proofs for the claims of shin2025."""
