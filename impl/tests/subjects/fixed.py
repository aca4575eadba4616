"""Tokenizers with a fixed vocabulary: one that is right, and for each clause that speaks of any one that is not."""

from collections.abc import Sequence
from typing import Any

SPECIAL = ["<s>", "</s>"]
VOCAB = ["<unk>", *SPECIAL, *map(chr, range(0x21, 0x7F))]


class UnknownId(Exception):
    """No token has an id."""


class Right:
    """Cuts text into its characters, white space left out, between <s> and </s>."""

    ids = {token: number for number, token in enumerate(VOCAB)}  # noqa: RUF012 (nothing changes it)
    round_trip: str | None = None

    def encode(self, text: str, pair: str | None, add_special_tokens: bool, parse_special: bool) -> Any:
        rows: list[tuple[str, list[int], int | None, int | None]] = []
        for number, sequence in enumerate([text] if pair is None else [text, pair]):
            rows += [("<s>", [0, 0], None, None)] * add_special_tokens
            tokens = self.tokens(sequence, parse_special)
            rows += [(token, span, number, word) for word, (token, span) in enumerate(tokens)]
            rows += [("</s>", [0, 0], None, None)] * add_special_tokens
        return {
            "ids": [self.ids.get(token, 0) for token, *_ in rows],
            "tokens": [token for token, *_ in rows],
            "offsets": [span for _, span, _, _ in rows],
            "type_ids": [0 for _ in rows],
            "word_ids": [word for *_, word in rows],
            "sequence_ids": [sequence for *_, sequence, _ in rows],
            "attention_mask": [1 for _ in rows],
            "special_tokens_mask": [int(sequence is None) for *_, sequence, _ in rows],
        }

    def tokens(self, text: str, parse_special: bool) -> list[tuple[str, list[int]]]:
        """The tokens of a text, and where they stand."""
        found, place = [], 0
        while place < len(text):
            special = [token for token in SPECIAL if parse_special and text.startswith(token, place)]
            token = special[0] if special else text[place]
            if not token.isspace():
                found.append((token, [place, place + len(token)]))
            place += len(token)
        return found

    def encode_batch(self, texts: Sequence[str]) -> Any:
        rows = [self.encode(text, None, True, True) for text in texts]
        return [row["ids"] for row in rows], [row["offsets"] for row in rows]

    def encode_saved(self, text: str) -> Any:
        return type(self)().encode(text, None, False, True)["ids"]

    def decode(self, ids: Sequence[int], skip_special_tokens: bool) -> str:
        tokens = map(self.id_to_token, ids)
        return "".join(token for token in tokens if not (skip_special_tokens and token in SPECIAL))

    def id_to_token(self, number: int) -> str:
        if not 0 <= number < len(VOCAB):
            raise UnknownId(number)
        return VOCAB[number]

    def token_to_id(self, token: str) -> int | None:
        return self.ids.get(token)


class CountsBytes(Right):
    """Breaks tokenizer.offsets-ascend."""

    def tokens(self, text: str, parse_special: bool) -> list[tuple[str, list[int]]]:
        found = super().tokens(text, parse_special)
        return [(token, [len(text[:place].encode()) for place in span]) for token, span in found]


class OneTypeTooFew(Right):
    """Breaks tokenizer.one-length."""

    def encode(self, *given: Any) -> Any:
        encoding = super().encode(*given)
        return encoding | {"type_ids": encoding["type_ids"][1:]}


class HidesTheEnd(Right):
    """Breaks tokenizer.attention-mask."""

    def encode(self, *given: Any) -> Any:
        encoding = super().encode(*given)
        return encoding | {"attention_mask": [int(token != "</s>") for token in encoding["tokens"]]}


class LowercasesFramed(Right):
    """Breaks tokenizer.frame-only-adds."""

    def encode(self, text: str, pair: str | None, add_special_tokens: bool, parse_special: bool) -> Any:
        whole = text.lower() if add_special_tokens else text
        return super().encode(whole, pair, add_special_tokens, parse_special)


class LooksUpLowercased(Right):
    """Breaks tokenizer.ids-of-tokens."""

    def token_to_id(self, token: str) -> int | None:
        return super().token_to_id(token.lower())


class NamesEveryId(Right):
    """Breaks tokenizer.tokens-of-ids."""

    def id_to_token(self, number: int) -> str:
        return VOCAB[number % len(VOCAB)]


class NeverParses(Right):
    """Breaks tokenizer.special-tokens-in-text."""

    def tokens(self, text: str, parse_special: bool) -> list[tuple[str, list[int]]]:
        return super().tokens(text, parse_special and not text)


class AlwaysParses(Right):
    """Breaks tokenizer.plain-text."""

    def tokens(self, text: str, parse_special: bool) -> list[tuple[str, list[int]]]:
        return super().tokens(text, parse_special or bool(text))


class NamesTwoAlike(Right):
    """Breaks tokenizer.vocabulary."""

    def id_to_token(self, number: int) -> str:
        return "~" if number == self.ids["^"] else super().id_to_token(number)


class DecodesNoRepetition(Right):
    """Breaks tokenizer.any-ids."""

    def decode(self, ids: Sequence[int], skip_special_tokens: bool) -> str:
        if len(set(ids)) < len(ids):
            raise UnknownId(ids)
        return super().decode(ids, skip_special_tokens)


class DeclaresTooMuch(Right):
    """Breaks tokenizer.text-round-trip."""

    round_trip = "exact"


class DropsUnknownIds(Right):
    """Breaks tokenizer.unknown-ids."""

    def decode(self, ids: Sequence[int], skip_special_tokens: bool) -> str:
        return super().decode([number for number in ids if 0 <= number < len(VOCAB)], skip_special_tokens)


class Exact:
    """A tokenizer of bytes, which tells ids alone and gives each text back."""

    round_trip = "exact"
    outputs = {"encode": ["ids"]}  # noqa: RUF012 (nothing changes it)

    def encode(self, text: str, pair: str | None, add_special_tokens: bool, _: bool) -> list[int]:
        if pair is not None or add_special_tokens:
            raise NotImplementedError("a frame")
        return list(text.encode())

    def decode(self, ids: Sequence[int], _: bool) -> str:
        if not all(0 <= number < 256 for number in ids):
            raise UnknownId(ids)
        return bytes(ids).decode("utf-8", "replace")


class TellsNoIds(Exact):
    """Lists outputs without those that laws need."""

    outputs = {"encode": ["tokens"]}  # noqa: RUF012 (nothing changes it)


class Plain:
    """A tokenizer of bytes as most people would write it."""

    round_trip = "exact"

    def encode(self, text: str) -> list[int]:
        return list(text.encode())

    def encode_batch(self, texts: Sequence[str]) -> list[list[int]]:
        return [self.encode(text) for text in texts]

    def decode(self, ids: Sequence[int]) -> str:
        return bytes(ids).decode("utf-8", "replace")


class Switched(Plain):
    """The same between bytes 1 and 2, if so wanted."""

    def encode(self, text: str, add_special_tokens: bool = True) -> Any:
        ids = super().encode(text)
        return {"input_ids": [1, *ids, 2] if add_special_tokens else ids}

    def decode(self, ids: Sequence[int], *, skip_special_tokens: bool = False) -> str:
        return super().decode([number for number in ids if not (skip_special_tokens and number in (1, 2))])


plain = Plain()


class StripsInBatches(Right):
    """Breaks tokenizer.batches."""

    def encode_batch(self, texts: Sequence[str]) -> Any:
        return super().encode_batch([text.strip() for text in texts])


class KeepsByEnd(Right):
    """Breaks tokenizer.pure."""

    def __init__(self) -> None:
        self.kept: dict[str, Any] = {}

    def encode(self, text: str, *rest: Any) -> Any:
        return self.kept.setdefault(text[-2:], super().encode(text, *rest))


class ForgetsSpecialTokens(Right):
    """Breaks tokenizer.saved."""

    def encode_saved(self, text: str) -> Any:
        return self.encode(text, None, False, False)["ids"]


class KeepsTheText(Right):
    """Breaks tokenizer.threads."""

    text = ""

    def encode(self, text: str, *rest: Any) -> Any:
        self.text = text
        encoding = super().encode(text, *rest)
        return encoding | {"offsets": [[start, min(end, len(self.text))] for start, end in encoding["offsets"]]}


ready = Right()
