"""WordPiece decoder: tokens put together again. Spec: spec/decoder.yaml."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

CLOSE_UP = (".", "?", "!", ",", "n't", "'m", "'s", "'ve", "'re")  # what cleanup leaves no space before


@dataclass(frozen=True)
class Decoder:
    """The other direction of WordPiece: continuations, marked by `prefix`, join the token before them."""

    prefix: str = "##"
    special_tokens: Sequence[str] = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
    unk_token: str = "[UNK]"
    cleanup: bool = False

    def decode(self, tokens: Iterable[str], skip_special_tokens: bool = True) -> str:
        """The words of `tokens` with a space between them."""
        special = set(self.special_tokens) if skip_special_tokens else set()
        text = ""
        for place, word in enumerate(self._joined(token for token in tokens if token not in special)):
            closed_up = self.cleanup and word.startswith(CLOSE_UP)
            text += word if place == 0 or closed_up else f" {word}"
        return text

    def decode_words(self, tokens: Iterable[str], keep_unknown: bool = False) -> list[str]:
        """The words of `tokens`, special tokens left out; with `keep_unknown` all but `unk_token`."""
        special = set(self.special_tokens) - ({self.unk_token} if keep_unknown else set())
        return self._joined(token for token in tokens if token not in special)

    def _joined(self, tokens: Iterable[str]) -> list[str]:
        """Each token with its continuations; one that nothing stands before is kept as it is."""
        words: list[str] = []
        for token in tokens:
            if words and token.startswith(self.prefix):
                words[-1] += token.removeprefix(self.prefix)
            else:
                words.append(token)
        return words
