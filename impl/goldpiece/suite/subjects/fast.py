"""The subject `fast`: the efficient twins of the reference, for the components that have one."""

from collections.abc import Mapping
from functools import partial

import goldpiece
from goldpiece.errors import UsageError
from goldpiece.fast.bpe import BPE
from goldpiece.fast.bpe_tokenizer import BPETokenizer
from goldpiece.fast.bpe_trainer import BPETrainer
from goldpiece.fast.masking import Masking
from goldpiece.fast.tokenizer import Tokenizer, has_numba
from goldpiece.fast.wordpiece_trainer import WordPieceTrainer
from goldpiece.suite.spec import Specs
from goldpiece.suite.subject import Declaration, Subject
from goldpiece.suite.subjects.objects import Factory, ObjectSubject, declare

TWINS: Mapping[str, Factory] = {
    "bpe": BPE,
    "bpe_tokenizer": BPETokenizer,
    "bpe_trainer": BPETrainer,
    "masking": Masking,
    "tokenizer": Tokenizer,
    "wordpiece_trainer": WordPieceTrainer,
}


def fast(specs: Specs) -> Subject:
    """The twins, with the tokenizer by its kernels. Raises UsageError where numba is not installed."""
    if not has_numba():
        raise UsageError("the subject fast needs numba, which is not installed: install goldpiece[fast]")
    offered = {spec.name: TWINS[spec.name] for spec in specs if spec.name in TWINS}
    declaration = Declaration(
        name="fast",
        version=goldpiece.__version__,
        profiles=specs.profiles,
        surrogates=True,
        components={name: declare(specs.named(name), twin) for name, twin in offered.items()},
        reasons={spec.name: "it has no efficient twin" for spec in specs if spec.name not in offered},
    )
    made = {name: partial(twin, engine="fast") if twin is Tokenizer else twin for name, twin in offered.items()}
    return ObjectSubject(declaration, specs, made)
