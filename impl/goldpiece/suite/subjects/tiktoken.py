"""The subject `tiktoken`: OpenAI's tokenizer, built from whatever table and pattern a law asks for."""

from base64 import b64encode
from collections.abc import Sequence
from importlib.metadata import version
from importlib.util import find_spec

from goldpiece.errors import UsageError
from goldpiece.reference.byte_level import PATTERNS, bytes_of
from goldpiece.suite.spec import Specs
from goldpiece.suite.subject import Declaration, Subject
from goldpiece.suite.subjects.named_errors import UnknownId
from goldpiece.suite.subjects.objects import ObjectSubject, declare

HAVE_TIKTOKEN = find_spec("tiktoken") is not None  # it is in the extra `peers`
if HAVE_TIKTOKEN:
    import tiktoken as openai


class BPETokenizer:
    """Encoding, of the ranks that a table of merges comes to"""

    def __init__(
        self,
        vocab: list[str],
        merges: list[list[str]],
        *,
        pattern: str = "gpt2",
        special_tokens: Sequence[str] = (),
    ) -> None:
        if pattern not in PATTERNS:
            raise NotImplementedError("patterns that have another name")
        if not set(vocab).isdisjoint(special_tokens):
            raise NotImplementedError("special tokens that have ranks")
        self.vocab = [*vocab, *special_tokens]
        self.special = {token: self.vocab.index(token) for token in special_tokens}
        ranks = {bytes_of(token): number for number, token in enumerate(vocab)}
        self.bytes = {token[0] for token in ranks if len(token) == 1}
        refuse_what_ranks_cannot_say(vocab, merges)
        self.encoding = openai.Encoding(
            "of a law", pat_str=PATTERNS[pattern], mergeable_ranks=ranks, special_tokens=self.special
        )

    def encode(self, text: str, pair: str | None, add_special_tokens: bool, parse_special: bool) -> object:  # noqa: ARG002
        if pair is not None:
            raise NotImplementedError("pairs")
        allowed = set(self.special) if parse_special else set()
        try:
            ids = self.encoding.encode(text, allowed_special=allowed, disallowed_special=())
        except BaseException as error:
            if type(error).__name__ == "PanicException" and not set(text.encode()) <= self.bytes:
                raise NotImplementedError("saying which byte the table lacks: it panics") from error
            raise
        return ids, [self.vocab[number] for number in ids]

    def decode(self, ids: list[int], skip_special_tokens: bool) -> object:
        if skip_special_tokens:
            raise NotImplementedError("leaving special tokens out")
        return self._decoded(ids).decode("utf-8", errors="replace")

    def decode_bytes(self, ids: list[int]) -> object:
        return b64encode(self._decoded(ids)).decode("ascii")

    def _decoded(self, ids: list[int]) -> bytes:
        try:
            return self.encoding.decode_bytes(ids)
        except (KeyError, OverflowError) as error:
            raise UnknownId(str(error)) from error


def refuse_what_ranks_cannot_say(vocab: Sequence[str], merges: Sequence[Sequence[str]]) -> None:
    """Raises NotImplementedError where ranks of tokens and ranks of pairs are not the same.

    It joins whatever two neighbours make an entry, in the order of entries, and takes a word that is an entry whole.
    """
    places = {token: number for number, token in enumerate(vocab)}
    pairs = [
        (token[:cut], token[cut:])
        for token in vocab
        for cut in range(1, len(token))
        if token[:cut] in places and token[cut:] in places
    ]
    if pairs != [(first, second) for first, second in merges]:
        raise NotImplementedError("a table in which the entries do not stand for the merges")


def tiktoken(specs: Specs) -> Subject:
    if not HAVE_TIKTOKEN:
        raise UsageError(
            "the subject 'tiktoken' needs the package tiktoken, which is not installed: "
            "run `pip install tiktoken`, or install goldpiece with its extra `peers`"
        )
    components = {"bpe_tokenizer": BPETokenizer}
    declaration = Declaration(
        name="tiktoken",
        version=version("tiktoken"),
        profiles=("hf",),
        surrogates=False,
        components={name: declare(specs.named(name), factory) for name, factory in components.items()},
        reasons={},
    )
    return ObjectSubject(declaration, specs, components)
