"""The subjects `transformers-collator:numpy` and `:torch`: collators of transformers, on either of their paths."""

from collections.abc import Mapping, Sequence
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any

from goldpiece.errors import GoldpieceError, UsageError
from goldpiece.suite.spec import Specs
from goldpiece.suite.subject import ComponentDeclaration, Declaration, Subject
from goldpiece.suite.subjects.objects import ObjectSubject, declare

KIND = "transformers-collator"
PATHS: Mapping[str, tuple[str, Sequence[str]]] = {  # what it calls its tensors, and the packages that they need
    "numpy": ("np", ("transformers",)),
    "torch": ("pt", ("transformers", "torch")),
}


class RateOutOfRange(GoldpieceError):
    """What `transformers` reports with a ValueError, as the next."""


class MaskTokenMissing(GoldpieceError):
    """See RateOutOfRange."""


class Masking:
    """DataCollatorForLanguageModeling behind a tokenizer to which each token is a word"""

    tensors: str

    def __init__(
        self,
        vocab: list[str],
        *,
        special_tokens: Sequence[str] = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"),
        mask_token: str = "[MASK]",
        unit: str = "subword",
        rate: float = 0.15,
        mask_rate: float = 0.8,
        random_rate: float = 0.1,
        seed: int | None = None,
    ) -> None:
        from transformers import DataCollatorForLanguageModeling  # noqa: PLC0415 (it takes seconds to import)

        if mask_token not in vocab:
            raise MaskTokenMissing(mask_token)  # its tokenizer would add it
        self.vocab, self.by_words = vocab, unit == "word"
        try:
            self.collate = DataCollatorForLanguageModeling(
                tokenizer_of(vocab, special_tokens, mask_token),
                whole_word_mask=self.by_words,
                mlm_probability=rate,
                mask_replace_prob=mask_rate,
                random_replace_prob=random_rate,
                return_tensors=self.tensors,
                seed=seed,
            )
        except ValueError as error:
            raise RateOutOfRange(str(error)) from error

    def mask(
        self,
        ids: list[list[int]],
        word_ids: list[list[int | None]] | None,
        attention_mask: list[list[int]] | None,
        indexes: object,  # noqa: ARG002 (it has no notion of these,
        epoch: object,  # noqa: ARG002 nor of epochs)
    ) -> object:
        fields: dict[str, Sequence[object]] = {"input_ids": ids}
        if attention_mask is not None:
            fields["attention_mask"] = attention_mask
        if self.by_words:
            if word_ids is None:
                raise NotImplementedError("words without word ids: it tells them by offsets")
            rows = zip(ids, word_ids, strict=True)
            fields["offset_mapping"] = [offsets([self.vocab[number] for number in row], words) for row, words in rows]
        examples = [dict(zip(fields, row, strict=True)) for row in zip(*fields.values(), strict=True)]
        batch = self.collate(examples)
        return {
            name: [padded[: len(row)] for row, padded in zip(ids, batch[name].tolist(), strict=True)]
            for name in ("input_ids", "labels")
        }


class PadTokenMissing(GoldpieceError):
    """See RateOutOfRange."""


class Padding:
    """DataCollatorWithPadding behind a tokenizer that has the padding and nothing else"""

    tensors: str

    def __init__(
        self,
        *,
        pad_id: int | None = 0,
        pad_type_id: int = 0,
        side: str = "right",
        max_length: int | None = None,
        multiple_of: int | None = None,
    ) -> None:
        from tokenizers import Tokenizer, models  # noqa: PLC0415 (transformers brings it)
        from transformers import DataCollatorWithPadding, PreTrainedTokenizerFast  # noqa: PLC0415

        words = models.WordLevel({"[PAD]": pad_id or 0}, unk_token="[PAD]")
        tokenizer = PreTrainedTokenizerFast(
            tokenizer_object=Tokenizer(words), pad_token=None if pad_id is None else "[PAD]", padding_side=side
        )
        tokenizer._pad_token_type_id = pad_type_id  # as the classes of its models have it
        padding = True if max_length is None else "max_length"
        self.collate = DataCollatorWithPadding(tokenizer, padding, max_length, multiple_of, self.tensors)

    def pad(
        self, ids: list[list[int]], type_ids: list[list[int]] | None, special_tokens_mask: list[list[int]] | None
    ) -> object:
        if any(given is not None and len(given) != len(ids) for given in (type_ids, special_tokens_mask)):
            raise NotImplementedError("more or less than the rows have, for it takes one row after the other")
        nothing = [[0] * len(row) for row in ids]
        rows = zip(ids, type_ids or nothing, special_tokens_mask or nothing, strict=True)
        names = ("input_ids", "token_type_ids", "special_tokens_mask")
        try:
            batch = self.collate([dict(zip(names, row, strict=True)) for row in rows])
        except ValueError as error:
            if "does not have a padding token" in str(error):
                raise PadTokenMissing(str(error)) from error
            raise
        outputs = ("ids", "type_ids", "special_tokens_mask", "attention_mask")
        return {
            output: [list(map(int, row)) for row in batch[name]]
            for output, name in zip(outputs, (*names, "attention_mask"), strict=True)
        }


def tokenizer_of(vocab: Sequence[str], special_tokens: Sequence[str], mask_token: str) -> Any:  # of transformers
    """A tokenizer with these tokens and no others: one that the vocabulary lacks would be added to it.

    It cannot do without a token for padding; where there is none, the mask token serves, which is special as well.
    """
    from tokenizers import Tokenizer, models  # noqa: PLC0415 (transformers brings it)
    from transformers import PreTrainedTokenizerFast  # noqa: PLC0415

    words = models.WordLevel({token: number for number, token in enumerate(vocab)}, unk_token=vocab[0])
    special = [token for token in special_tokens if token in vocab]
    return PreTrainedTokenizerFast(
        tokenizer_object=Tokenizer(words),
        mask_token=mask_token,
        pad_token="[PAD]" if "[PAD]" in special else mask_token,
        extra_special_tokens=[token for token in special if token not in ("[PAD]", mask_token)],
    )


def offsets(tokens: Sequence[str], word_ids: Sequence[int | None]) -> list[tuple[int, int]]:
    """Where the tokens are in a text of these words, which has spaces where one writes them: not beside punctuation.

    A token without a word is none of the text.
    """
    found, end, last, tail = [], 0, None, ""
    for token, word in zip(tokens, word_ids, strict=True):
        if word is None:
            found.append((0, 0))
            continue
        text = token.removeprefix("##") or token
        if word != last and (tail + text[0]).isalnum():
            end += 1
        found.append((end, end + len(text)))
        end, last, tail = end + len(text), word, text[-1]
    return found


COMPONENTS: Mapping[str, type] = {"masking": Masking, "padding": Padding}


def transformers_collator(path: str, specs: Specs) -> Subject:
    """The collator on its path `numpy` or `torch`. Raises UsageError where a package that it needs is missing."""
    name = f"{KIND}:{path}"
    tensors, packages = PATHS[path]
    for package in packages:
        if find_spec(package) is None:
            raise UsageError(
                f"the subject {name!r} needs the package {package}, which is not installed: "
                f"run `pip install {package}`, or install goldpiece with its extra `transformers`"
            )
    offered = {name: declare(specs.named(name), component) for name, component in COMPONENTS.items()}
    units: dict[str, Sequence[str] | None] = {"unit": ("subword", "word")}
    masking = offered["masking"]
    offered["masking"] = ComponentDeclaration(masking.operations, {**masking.parameters, **units})
    factories = {
        name: type(component.__name__, (component,), {"tensors": tensors}) for name, component in COMPONENTS.items()
    }
    declaration = Declaration(
        name=name,
        version=version("transformers"),
        profiles=("hf",),
        surrogates=False,
        components=offered,
        reasons={spec.name: f"no collator does what {spec.name} is" for spec in specs if spec.name not in offered},
    )
    return ObjectSubject(declaration, specs, factories)
