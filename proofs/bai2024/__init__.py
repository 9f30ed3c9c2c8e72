"""Proofs for the claims of bai2024."""
