"""Vocabularies as files."""

from goldpiece.formats.vocab_txt import read as read_vocab
from goldpiece.formats.vocab_txt import write as write_vocab

__all__ = ["read_vocab", "write_vocab"]
