"""Theorems with one thing changed, each of which has to be refuted: ``python -m tests.mutation``."""
