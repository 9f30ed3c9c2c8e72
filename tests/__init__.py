"""The engine's own tests."""
