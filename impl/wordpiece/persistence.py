"""Vocabularies as files, and what tells them apart."""

from goldpiece.formats.fingerprint import fingerprint
from goldpiece.formats.vocab_txt import read, write

__all__ = ["fingerprint", "read", "write"]
