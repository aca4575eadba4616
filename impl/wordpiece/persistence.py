"""Vocabularies and tokenizers as files, and what tells vocabularies apart."""

from goldpiece.formats.fingerprint import fingerprint
from goldpiece.formats.tokenizer_json import read as read_tokenizer
from goldpiece.formats.tokenizer_json import write as write_tokenizer
from goldpiece.formats.vocab_txt import read, write

__all__ = ["fingerprint", "read", "read_tokenizer", "write", "write_tokenizer"]
