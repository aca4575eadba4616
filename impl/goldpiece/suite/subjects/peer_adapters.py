"""The adapters of the libraries in peer_libraries.py for WordPiece.

Each is given a tokenizer.json, and asked what its interface tells; what that does not offer is unsupported.
"""

from collections.abc import Callable, Sequence
from typing import ClassVar

from goldpiece.suite.subjects.bert_json import CLS, SEP, SPECIAL_TOKENS, UNKNOWN, tokenizer_json
from goldpiece.suite.subjects.named_errors import SpecialTokenMissing, UnknownId, UnknownTokenMissing
from goldpiece.suite.subjects.objects import describe
from goldpiece.suite.subjects.peer_libraries import Library


class Adapter:
    """What all components share: a library, given a tokenizer.json."""

    library: ClassVar[type[Library]]

    def load(self, content: str) -> Library:
        """Raises NotImplementedError where the library refuses the file, as some do for what they cannot do right."""
        try:
            return self.library(content)
        except NotImplementedError:
            raise
        except Exception as error:
            raise NotImplementedError(f"such a tokenizer.json: {describe(error)}") from error


class Tokenizer(Adapter):
    """A tokenizer.json with the components of BERT"""

    def __init__(
        self,
        vocab: list[str],
        special_tokens: list[str] = SPECIAL_TOKENS,
        lowercase: bool = True,
        added_tokens: Sequence[str] = (),
        verbatim_tokens: Sequence[str] = (),
    ) -> None:
        added = [*((token, True) for token in added_tokens), *((token, False) for token in verbatim_tokens)]
        self.whole = self.load(tokenizer_json(vocab, special_tokens, added, lowercase))
        self.has_frame, self.has_unknown = {CLS, SEP} <= {*vocab}, UNKNOWN in vocab

    def encode(self, text: str, pair: str | None, add_special_tokens: bool, parse_special: bool) -> object:
        if add_special_tokens and not self.has_frame:
            raise SpecialTokenMissing(f"{CLS} or {SEP}")
        return self._asked(lambda: self.whole.encode(text, pair, add_special_tokens, parse_special))

    def encode_batch(self, texts: list[str]) -> object:
        return self._asked(lambda: self.whole.encode_batch(texts))

    def decode(self, ids: list[int], skip_special_tokens: bool) -> object:
        return known(self.whole, lambda: self.whole.decode(ids, skip_special_tokens))

    def id_to_token(self, number: int) -> object:
        return known(self.whole, lambda: self.whole.whole.id_to_token(number))

    def token_to_id(self, token: str) -> object:
        return self.whole.whole.token_to_id(token)

    def _asked(self, ask: Callable[[], object]) -> object:
        try:
            return ask()
        except NotImplementedError:
            raise
        except Exception as error:
            if not self.has_unknown:
                raise UnknownTokenMissing(str(error)) from error
            raise


def known(library: Library, ask: Callable[[], object]) -> object:
    """What `ask` gives of ids. Raises UnknownId where the library does not know one."""
    try:
        answer = ask()
    except library.no_token as error:
        raise UnknownId(str(error)) from error
    if answer is None:
        raise UnknownId("None")
    return answer


class WordPiece(Adapter):
    """A tokenizer.json with the model alone"""

    def __init__(
        self, vocab: list[str], unk_token: str = "[UNK]", prefix: str = "##", max_input_chars: int = 100
    ) -> None:
        self.vocab, self.has_unknown = vocab, unk_token in vocab
        model = {
            "unk_token": unk_token,
            "continuing_subword_prefix": prefix,
            "max_input_chars_per_word": max_input_chars,
        }
        special_tokens = [unk_token] if self.library.special_unknown else []
        self.whole = self.load(tokenizer_json(vocab, special_tokens, model=model))

    def tokenize(self, word: str) -> object:
        try:
            return [self.vocab[number] for number in self.whole.ids(word)]
        except Exception as error:
            if not self.has_unknown:
                raise UnknownTokenMissing(str(error)) from error
            raise


class Decoder(Adapter):
    """A tokenizer.json with a model of all tokens there are, for its decoder"""

    def __init__(self, special_tokens: list[str] = SPECIAL_TOKENS) -> None:
        self.special_tokens = special_tokens

    def decode(self, tokens: list[str], skip_special_tokens: bool) -> object:
        vocab = list(dict.fromkeys([*SPECIAL_TOKENS, *self.special_tokens, *tokens, "word"]))
        whole = self.load(tokenizer_json(vocab, self.special_tokens))
        return whole.decode([vocab.index(token) for token in tokens], skip_special_tokens)
