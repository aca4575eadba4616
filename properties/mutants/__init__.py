"""Implementations with one deliberate fault each: the proof that the laws can fail."""
