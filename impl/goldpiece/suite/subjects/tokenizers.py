"""The subject `tokenizers`: Hugging Face tokenizers, built in whatever configuration a law asks for."""

import re
from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from goldpiece.errors import GoldpieceError
from goldpiece.reference.wordpiece_trainer import FREQUENCY
from goldpiece.suite.spec import Specs
from goldpiece.suite.subject import ComponentDeclaration, Declaration, Subject
from goldpiece.suite.subjects.named_errors import SpecialTokenMissing
from goldpiece.suite.subjects.objects import ObjectSubject, declare
from goldpiece.suite.subjects.ready import HAVE_IT, ReadyTokenizer, need_it, renaming_errors
from goldpiece.suite.subjects.tokenizers_batches import Padding, Truncation
from goldpiece.suite.subjects.tokenizers_bpe import BPE, BPETokenizer, ByteLevel
from goldpiece.suite.subjects.tokenizers_trainers import BPETrainer, WordPieceTrainer

if HAVE_IT:
    import tokenizers as hf


FLAGS = ["single_word", "lstrip", "rstrip", "normalized", "special"]
SWITCHES = ["clean_text", "handle_chinese_chars", "strip_accents", "lowercase"]
SPECIAL_TOKENS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]


class NotUtf8(GoldpieceError):
    """What `tokenizers` reports with a plain Exception."""


class AddedTokens:
    """Tokenizer.add_tokens and add_special_tokens, before a model to which every other text is unknown"""

    def __init__(
        self,
        tokens: list[str],
        single_word: Sequence[str] = (),
        lstrip: Sequence[str] = (),
        rstrip: Sequence[str] = (),
        special: Sequence[str] = (),
    ) -> None:
        unknown = "".join(tokens) + "?"  # longer than any of them, and so none of them
        self.whole = hf.Tokenizer(hf.models.WordLevel({unknown: 0}, unk_token=unknown))
        for token in tokens:
            add = self.whole.add_special_tokens if token in special else self.whole.add_tokens
            flags = {"single_word": token in single_word, "lstrip": token in lstrip, "rstrip": token in rstrip}
            add([hf.AddedToken(token, **flags, normalized=False)])

    def split(self, text: str, parse_special: bool) -> object:
        self.whole.encode_special_tokens = not parse_special
        encoding = self.whole.encode(text)
        added = [self.whole.id_to_token(number) if number else None for number in encoding.ids]
        return [text[start:end] for start, end in encoding.offsets], encoding.offsets, added


class Normalizer:
    """normalizers.BertNormalizer"""

    def __init__(
        self,
        clean_text: bool = True,
        handle_chinese_chars: bool = True,
        strip_accents: bool | None = None,
        lowercase: bool = True,
    ) -> None:
        self.bert = hf.normalizers.BertNormalizer(
            clean_text=clean_text,
            handle_chinese_chars=handle_chinese_chars,
            strip_accents=strip_accents,
            lowercase=lowercase,
        )

    def normalize(self, text: str) -> object:
        return self.bert.normalize_str(text)

    def align(self, text: str) -> object:
        """Cut into single characters behind the normalizer, the text tells where each of them was."""
        whole = hf.PreTokenizedString(text)
        whole.normalize(self.bert.normalize)
        whole.split(lambda _, part: [part[place : place + 1] for place in range(len(part.normalized))])
        chars = whole.get_splits(offset_referential="original", offset_type="char")
        return "".join(char for char, _, _ in chars), [start for _, (start, _), _ in chars]


class PreTokenizer:
    """pre_tokenizers.BertPreTokenizer"""

    def __init__(self) -> None:
        self.bert = hf.pre_tokenizers.BertPreTokenizer()

    def pre_tokenize(self, text: str) -> object:
        words = self.bert.pre_tokenize_str(text)
        return [word for word, _ in words], [offsets for _, offsets in words]


class WordPiece:
    """models.WordPiece"""

    def __init__(
        self, vocab: list[str], unk_token: str = "[UNK]", prefix: str = "##", max_input_chars: int = 100
    ) -> None:
        self.model = hf.models.WordPiece(
            {token: position for position, token in enumerate(vocab)},
            unk_token=unk_token,
            continuing_subword_prefix=prefix,
            max_input_chars_per_word=max_input_chars,
        )

    def tokenize(self, word: str) -> object:
        return renaming_errors(lambda: [token.value for token in self.model.tokenize(word)])


class PostProcessor:
    """processors.BertProcessing"""

    def __init__(self, cls_token: str = "[CLS]", sep_token: str = "[SEP]") -> None:
        self.cls_token, self.sep_token = cls_token, sep_token

    def process(self, first: list[str], second: list[str] | None) -> object:
        tokens = dict.fromkeys([self.cls_token, self.sep_token, *first, *(second or ())])
        ids = {token: number for number, token in enumerate(tokens)}
        whole = hf.Tokenizer(hf.models.WordLevel(ids, unk_token=self.cls_token))
        ends = ((token, ids[token]) for token in (self.sep_token, self.cls_token))
        whole.post_processor = hf.processors.BertProcessing(*ends)
        return whole.encode(first, second, is_pretokenized=True)


class Decoder:
    """decoders.WordPiece, within Tokenizer.decode, which drops the special tokens"""

    def __init__(self, prefix: str = "##", special_tokens: list[str] = SPECIAL_TOKENS, cleanup: bool = False) -> None:
        self.special_tokens = special_tokens
        self.decoder = hf.decoders.WordPiece(prefix=prefix, cleanup=cleanup)

    def decode(self, tokens: list[str], skip_special_tokens: bool) -> object:
        ids = {token: number for number, token in enumerate(dict.fromkeys([*self.special_tokens, *tokens]))}
        whole = hf.Tokenizer(hf.models.WordLevel(ids, unk_token=self.special_tokens[0]))
        whole.add_special_tokens(self.special_tokens)
        whole.decoder = self.decoder
        return whole.decode([ids[token] for token in tokens], skip_special_tokens=skip_special_tokens)


class NotJson(GoldpieceError):
    """What `tokenizers` reports with a plain Exception."""


class MissingKey(GoldpieceError):
    """What `tokenizers` reports with a plain Exception."""


class WrongType(GoldpieceError):
    """What `tokenizers` reports with a plain Exception."""


class UnsupportedPart(GoldpieceError):
    """What `tokenizers` reports with a plain Exception."""


PROBLEMS = {  # what a message says, and what it means
    "missing field|Model missing": MissingKey,
    "invalid type|invalid value|invalid length": WrongType,
    "Unknown tokenizer version": UnsupportedPart,
    "at line [0-9]+ column": NotJson,
}


class Persistence:
    """models.WordPiece.read_file and save, Tokenizer.from_str and to_str"""

    def read_vocab(self, content: str, strict: bool) -> object:  # noqa: ARG002 (it knows one way)
        with TemporaryDirectory() as folder:
            path = Path(folder) / "vocab.txt"
            path.write_bytes(b64decode(content))
            try:
                ids = hf.models.WordPiece.read_file(str(path))
            except Exception as error:
                if "did not contain valid UTF-8" in str(error):
                    raise NotUtf8(str(error)) from error
                raise
        by_id = {number: token for token, number in ids.items()}
        # An id that no token has is a hole.
        tokens = [by_id.get(number, "") for number in range(max(by_id, default=-1) + 1)]
        return tokens, [ids.get(token) for token in tokens]

    def write_vocab(self, tokens: list[str]) -> object:
        with TemporaryDirectory() as folder:
            model = hf.models.WordPiece({token: number for number, token in enumerate(tokens)})
            (written,) = model.save(folder)
            return b64encode(Path(written).read_bytes()).decode("ascii")

    def read_tokenizer(self, content: str) -> object:
        whole = loaded(content)
        if not isinstance(whole.model, hf.models.WordPiece) or not isinstance(whole.decoder, hf.decoders.WordPiece):
            raise NotImplementedError("telling of another model or decoder")
        frame = whole.encode("").tokens
        if whole.post_processor is None or len(frame) != 2:
            raise NotImplementedError("telling of another frame")
        added = [(number, token) for number, token in sorted(whole.get_added_tokens_decoder().items())]
        by_id = {number: token for token, number in whole.get_vocab(with_added_tokens=False).items()}
        return {
            "vocab": [by_id.get(number, "") for number in range(max(by_id, default=-1) + 1)],
            "added_tokens": [token.content for _, token in added],
            "added_ids": [number for number, _ in added],
            **{flag: [token.content for _, token in added if getattr(token, flag)] for flag in FLAGS},
            "unk_token": whole.model.unk_token,
            "prefix": whole.model.continuing_subword_prefix,
            "max_input_chars": whole.model.max_input_chars_per_word,
            **switches(whole.normalizer),
            "cls_token": frame[0],
            "sep_token": frame[1],
            "cleanup": whole.decoder.cleanup,
        }

    def rewrite_tokenizer(self, content: str) -> object:
        return loaded(content).to_str()

    def run_tokenizer(self, content: str, text: str) -> object:
        whole = loaded(content)
        encoding = whole.encode(text)
        decoded, all_of_it = (whole.decode(encoding.ids, skip_special_tokens=skip) for skip in (True, False))
        return encoding.ids, encoding.tokens, encoding.offsets, decoded, all_of_it


def loaded(content: str) -> "hf.Tokenizer":
    """The tokenizer of a file. `tokenizers` raises one class for all that is wrong with it."""
    try:
        return hf.Tokenizer.from_str(content)
    except Exception as error:
        message = str(error)
        if "did not match any variant" in message:
            raise NotImplementedError("saying what is wrong with a normalizer, pre-tokenizer or the like") from error
        for pattern, kind in PROBLEMS.items():
            if re.search(pattern, message):
                raise kind(message) from error
        raise


def switches(normalizer: object) -> dict[str, object]:
    if normalizer is None:
        return dict.fromkeys(SWITCHES, False)
    if not isinstance(normalizer, hf.normalizers.BertNormalizer):
        raise NotImplementedError("telling of another normalizer")
    return {name: getattr(normalizer, name) for name in SWITCHES}


class Tokenizer(ReadyTokenizer):
    """Tokenizer with the components of BERT"""

    def __init__(
        self,
        vocab: list[str],
        special_tokens: list[str] = SPECIAL_TOKENS,
        lowercase: bool = True,
        added_tokens: Sequence[str] = (),
        verbatim_tokens: Sequence[str] = (),
    ) -> None:
        ids = {token: number for number, token in enumerate(vocab)}
        super().__init__(hf.Tokenizer(hf.models.WordPiece(ids, unk_token=SPECIAL_TOKENS[1])))
        self.whole.normalizer = hf.normalizers.BertNormalizer(lowercase=lowercase)
        self.whole.pre_tokenizer = hf.pre_tokenizers.BertPreTokenizer()
        self.whole.decoder = hf.decoders.WordPiece(cleanup=False)
        self.whole.add_special_tokens([token for token in special_tokens if token in ids])
        for tokens, normalized in ((added_tokens, True), (verbatim_tokens, False)):
            self.whole.add_tokens([hf.AddedToken(token, normalized=normalized) for token in tokens])
        self.has_frame = {"[CLS]", "[SEP]"} <= ids.keys()
        if self.has_frame:
            self.whole.post_processor = hf.processors.BertProcessing(("[SEP]", ids["[SEP]"]), ("[CLS]", ids["[CLS]"]))

    def encode(self, text: str, pair: str | None, add_special_tokens: bool, parse_special: bool) -> object:
        if add_special_tokens and not self.has_frame:
            raise SpecialTokenMissing("[CLS] or [SEP]")
        return super().encode(text, pair, add_special_tokens, parse_special)


COMPONENTS = {
    "tokenizer": Tokenizer,
    "added_tokens": AddedTokens,
    "bpe": BPE,
    "bpe_trainer": BPETrainer,
    "bpe_tokenizer": BPETokenizer,
    "byte_level": ByteLevel,
    "decoder": Decoder,
    "normalizer": Normalizer,
    "padding": Padding,
    "persistence": Persistence,
    "post_processor": PostProcessor,
    "pre_tokenizer": PreTokenizer,
    "truncation": Truncation,
    "wordpiece": WordPiece,
    "wordpiece_trainer": WordPieceTrainer,
}


def tokenizers(specs: Specs) -> Subject:
    need_it("tokenizers")
    declaration = Declaration(
        name="tokenizers",
        version=hf.__version__,
        profiles=("hf",),
        surrogates=False,
        components=_offered(specs),
        reasons={},
    )
    return ObjectSubject(declaration, specs, COMPONENTS)


def _offered(specs: Specs) -> Mapping[str, ComponentDeclaration]:
    offered = {name: declare(specs.named(name), factory) for name, factory in COMPONENTS.items()}
    trainer = offered["wordpiece_trainer"]
    by_frequency = {**trainer.parameters, "rule": (FREQUENCY,)}
    return offered | {"wordpiece_trainer": replace(trainer, parameters=by_frequency)}
