"""Equality of layouts by exhaustion on the GPU, and how fast."""
