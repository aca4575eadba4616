"""The subject `tokenizers`: Hugging Face tokenizers, built in whatever configuration a law asks for."""

from base64 import b64decode, b64encode
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from goldpiece.errors import GoldpieceError
from goldpiece.suite.spec import Specs
from goldpiece.suite.subject import Declaration, Subject
from goldpiece.suite.subjects.objects import ObjectSubject, declare
from goldpiece.suite.subjects.ready import HAVE_IT, ReadyTokenizer, need_it, renaming_errors

if HAVE_IT:
    import tokenizers as hf


OTHER = "?"  # a token that is no number
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


class Persistence:
    """models.WordPiece.read_file and save"""

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


class SequenceTooShort(GoldpieceError):
    """What `tokenizers` reports with a plain Exception, as the next."""


class SecondSequenceMissing(GoldpieceError):
    """See SequenceTooShort."""


class StrideTooLarge(GoldpieceError):
    """What `tokenizers` reports with a ValueError or a panic."""


class Truncation:
    """Tokenizer.enable_truncation, before a template with so many special tokens"""

    def __init__(self, max_length: int, strategy: str = "longest_first", side: str = "right", stride: int = 0) -> None:
        self.max_length, self.stride, self.strategy, self.side = max_length, stride, strategy, side

    def truncate(self, first: list[int], second: list[int] | None, special_tokens: int) -> object:
        (row,) = self._rows([(first, second)], special_tokens)
        return self._kept(row, 0), None if second is None else self._kept(row, 1)

    def windows(self, first: int, second: int | None, special_tokens: int) -> object:
        (row,) = self._rows([(range(first), None if second is None else range(second))], special_tokens)
        rows = [row, *row.overflowing]
        return [self._kept(each, 0) for each in rows], None if second is None else [
            self._kept(each, 1) for each in rows
        ]

    def windows_of_batch(self, lengths: list[int], special_tokens: int) -> object:
        batch = self._rows([(range(length), None) for length in lengths], special_tokens)
        rows = [(number, each) for number, row in enumerate(batch) for each in (row, *row.overflowing)]
        return [number for number, _ in rows], [self._kept(row, 0) for _, row in rows]

    def _rows(
        self, given: Sequence[tuple[Sequence[int], Sequence[int] | None]], special_tokens: int
    ) -> "list[hf.Encoding]":
        """One for each sequence or pair, with the others as what overflows from it."""
        numbers = {str(number) for pair in given for sequence in pair for number in sequence or ()}
        ids = {word: number for number, word in enumerate([OTHER, *numbers])}
        whole = hf.Tokenizer(hf.models.WordLevel(ids, unk_token=OTHER))
        frame = [OTHER] * special_tokens
        whole.post_processor = hf.processors.TemplateProcessing(
            single=[*frame, "$A:0"], pair=[*frame, "$A:0", "$B:1"], special_tokens=[(OTHER, 0)]
        )
        words = [tuple([*map(str, sequence)] for sequence in pair if sequence is not None) for pair in given]
        rows = [pair[0] if len(pair) == 1 else pair for pair in words]
        try:
            whole.enable_truncation(self.max_length, stride=self.stride, strategy=self.strategy, direction=self.side)
            return whole.encode_batch(rows, is_pretokenized=True)
        except BaseException as error:  # a panic is no Exception
            raise _truncation_error(error) from error

    def _kept(self, row: "hf.Encoding", sequence: int) -> list[int]:
        known = zip(row.tokens, row.type_ids, row.special_tokens_mask, strict=True)
        return [int(token) for token, type_id, mark in known if not mark and type_id == sequence]


def _truncation_error(error: BaseException) -> BaseException:
    """The error under the name that the spec has for it."""
    kinds = {
        "too short to respect": SequenceTooShort,
        "Second sequence not provided": SecondSequenceMissing,
        "stride": StrideTooLarge,
    }
    return next((kind(str(error)) for message, kind in kinds.items() if message in str(error)), error)


class Padding:
    """Tokenizer.enable_padding"""

    def __init__(
        self,
        pad_id: int | None = 0,
        pad_type_id: int = 0,
        side: str = "right",
        max_length: int | None = None,
        multiple_of: int | None = None,
    ) -> None:
        if pad_id is None:
            raise NotImplementedError("pad_id = null")
        self.max_length = max_length
        self.options = {
            "pad_id": pad_id,
            "pad_type_id": pad_type_id,
            "direction": side,
            "length": max_length,
            "pad_to_multiple_of": multiple_of,
        }

    def pad(self, ids: list[list[int]], type_ids: object, special_tokens_mask: object) -> object:
        if (type_ids, special_tokens_mask) != (None, None):
            raise NotImplementedError("type ids and masks that are given")
        rows = self._tokenizer(ids).encode_batch([list(map(str, row)) for row in ids], is_pretokenized=True)
        names = ("ids", "type_ids", "special_tokens_mask", "attention_mask")
        return {name: [getattr(row, name) for row in rows] for name in names}

    def pad_or_truncate(self, ids: list[int]) -> object:
        if self.max_length is None:
            raise NotImplementedError("a row without a length")
        whole = self._tokenizer([ids])
        whole.enable_truncation(self.max_length)
        return whole.encode(list(map(str, ids)), is_pretokenized=True).ids

    def _tokenizer(self, ids: list[list[int]]) -> "hf.Tokenizer":
        known = {str(number): number for row in ids for number in row} or {OTHER: 0}
        whole = hf.Tokenizer(hf.models.WordLevel(known, unk_token=next(iter(known))))
        whole.enable_padding(**self.options)
        return whole


class SpecialTokenMissing(GoldpieceError):
    """The frame needs a token that the vocabulary lacks; the adapter, which builds the frame, has to say so."""


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
    "decoder": Decoder,
    "normalizer": Normalizer,
    "padding": Padding,
    "persistence": Persistence,
    "post_processor": PostProcessor,
    "pre_tokenizer": PreTokenizer,
    "truncation": Truncation,
    "wordpiece": WordPiece,
}


def tokenizers(specs: Specs) -> Subject:
    need_it("tokenizers")
    declaration = Declaration(
        name="tokenizers",
        version=hf.__version__,
        profiles=("hf",),
        surrogates=False,
        components={name: declare(specs.named(name), factory) for name, factory in COMPONENTS.items()},
        reasons={},
    )
    return ObjectSubject(declaration, specs, COMPONENTS)
