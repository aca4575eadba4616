"""The operations of each subject as its users call them, by `component.operation`.

The adapters of goldpiece.suite are of no use here: what they do to exchange JSON values would be timed as well.
"""

from collections.abc import Mapping

from goldpiece.suite.subjects.ready import HAVE_IT

from ..workloads import Builder
from .reference import OPERATIONS as OF_THE_REFERENCE
from .tokenizers import OPERATIONS as OF_TOKENIZERS

REFERENCE = "reference"  # the one that the others are compared with
SUBJECTS: Mapping[str, Mapping[str, Builder]] = {REFERENCE: OF_THE_REFERENCE, "tokenizers": OF_TOKENIZERS}
MISSING = {} if HAVE_IT else {"tokenizers": "not run: tokenizers is not installed; it is in the extra `peers`"}
