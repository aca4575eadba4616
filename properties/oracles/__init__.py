"""Definitions to hold an implementation against: slow, obvious, and made in another way than the reference."""
