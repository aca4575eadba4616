"""The subjects that have a name, and how a name becomes a subject."""

from collections.abc import Callable, Mapping

from goldpiece.errors import UsageError
from goldpiece.suite.spec import Specs
from goldpiece.suite.subject import Subject
from goldpiece.suite.subjects.python import python_subject
from goldpiece.suite.subjects.ready import ready_tokenizer
from goldpiece.suite.subjects.reference import ready_reference, reference
from goldpiece.suite.subjects.tokenizers import tokenizers

NAMED: Mapping[str, Callable[[Specs], Subject]] = {"reference": reference, "tokenizers": tokenizers}

# What stands before a path: `hf:tokenizer.json`, `reference:vocab.txt`.
KINDS: Mapping[str, Callable[[str, Specs], Subject]] = {"hf": ready_tokenizer, "reference": ready_reference}


def find_subject(name: str, specs: Specs) -> Subject:
    """The subject called `name`: one of NAMED, one of KINDS with a path, or `module:attr[,key=value]`."""
    if name in NAMED:
        return NAMED[name](specs)
    kind, colon, path = name.partition(":")
    if colon and kind in KINDS:
        return KINDS[kind](path, specs)
    if colon:
        return python_subject(name, specs)
    raise UsageError(
        f"there is no subject {name!r}; there are {', '.join(NAMED)}, hf:PATH of a tokenizer.json, reference:PATH of a "
        "vocab.txt, and module:attr for a Python object of yours"
    )
