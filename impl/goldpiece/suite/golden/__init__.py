"""Goldens: recorded outputs on fixed inputs, who agreed with them, and lock files for tokenizers in use."""
