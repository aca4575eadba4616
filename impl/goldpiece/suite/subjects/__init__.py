"""The subjects that have a name, and how a name becomes a subject."""

from collections.abc import Callable, Mapping

from goldpiece.errors import UsageError
from goldpiece.suite.spec import Specs
from goldpiece.suite.subject import Subject
from goldpiece.suite.subjects.python import python_subject
from goldpiece.suite.subjects.reference import reference
from goldpiece.suite.subjects.tokenizers import tokenizers

NAMED: Mapping[str, Callable[[Specs], Subject]] = {"reference": reference, "tokenizers": tokenizers}


def find_subject(name: str, specs: Specs) -> Subject:
    """The subject called `name`: one of NAMED, or `module:attr[,key=value]`."""
    if name in NAMED:
        return NAMED[name](specs)
    if ":" in name:
        return python_subject(name, specs)
    raise UsageError(
        f"there is no subject {name!r}; there are {', '.join(NAMED)}, and module:attr for a Python object of yours"
    )
