"""The operations of each subject as its users call them, by `component.operation` or by the workload that they are for.

The adapters of goldpiece.suite are of no use here: what they do to exchange JSON values would be timed as well.
"""

from collections.abc import Mapping

from goldpiece.suite.subjects.ready import HAVE_IT
from goldpiece.suite.subjects.rival_trainers import HAVE, REAL_WORDPIECE, RUSTBPE
from goldpiece.suite.subjects.tiktoken import HAVE_TIKTOKEN

from ..workloads import Builder, Workload
from .objects import builder_of_object, is_address
from .reference import OPERATIONS as OF_THE_REFERENCE
from .tiktoken import OPERATIONS as OF_TIKTOKEN
from .tokenizers import OPERATIONS as OF_TOKENIZERS
from .trainers import OF_REAL_WORDPIECE, OF_RUSTBPE
from .transformers import HAVE_IT as HAVE_TRANSFORMERS
from .transformers import OPERATIONS as OF_TRANSFORMERS
from .twins import OPERATIONS as OF_TWINS

REFERENCE = "reference"  # the one that the others are compared with
SUBJECTS: Mapping[str, Mapping[str, Builder]] = {
    REFERENCE: OF_THE_REFERENCE,
    "tokenizers": OF_TOKENIZERS,
    "tiktoken": OF_TIKTOKEN,
    "fast": OF_TWINS,
    "transformers": OF_TRANSFORMERS,
    REAL_WORDPIECE: OF_REAL_WORDPIECE,
    RUSTBPE: OF_RUSTBPE,
}
IMPORT = "package/import"  # a workload without an operation: a process imports the package of a subject
PACKAGES = {REFERENCE: "goldpiece", "tokenizers": "tokenizers"}
_EXTRAS = {
    "tokenizers": (HAVE_IT, "peers"),
    "tiktoken": (HAVE_TIKTOKEN, "peers"),
    "transformers": (HAVE_IT and HAVE_TRANSFORMERS, "transformers"),
    **{name: (there, "rivals") for name, there in HAVE.items()},
}
MISSING = {
    name: f"not run: {name} is not installed; it is in the extra `{extra}`"
    for name, (there, extra) in _EXTRAS.items()
    if not there
}


def builder(subject: str, workload: Workload) -> Builder | None:
    """What builds the operation of a workload for a subject; None where it does not do that."""
    if is_address(subject):
        return builder_of_object(subject, workload.call, workload.parameters())
    return builder_of(subject, workload.id, workload.call)


def builder_of(subject: str, workload: str, call: str) -> Builder | None:
    """The same by the names of the workload and of its operation."""
    if is_address(subject):
        return builder_of_object(subject, call)
    operations = SUBJECTS[subject]
    return operations.get(workload) or operations.get(call)
