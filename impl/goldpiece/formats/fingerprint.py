"""Vocabulary fingerprint: a short text by which vocabularies are told apart. Spec: spec/persistence.yaml."""

import hashlib
import json
from collections.abc import Iterable

from goldpiece.formats.vocab_txt import utf8


def fingerprint(tokens: Iterable[str]) -> str:
    """SHA-256 of the tokens, given in the order of their ids, as a compact JSON array in UTF-8: 64 hexadecimal digits.

    JSON keeps the tokens apart whatever they hold. Raises TokenNotWritable for a lone surrogate.
    """
    listed = list(tokens)
    for number, token in enumerate(listed):
        utf8(number, token)  # refuses what has no bytes, by its id
    array = json.dumps(listed, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(array.encode()).hexdigest()
