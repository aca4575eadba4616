"""WordPiece decoder: tokens put together again. Spec: spec/decoder.yaml."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

# What cleanup makes of each token with the space before it, one after the other; as Hugging Face has it.
CLEANUP = (
    *((f" {mark}", mark) for mark in (".", "?", "!", ",")),
    (" ' ", "'"),
    *((f" {mark}", mark) for mark in ("n't", "'m")),
    (" do not", " don't"),
    *((f" {mark}", mark) for mark in ("'s", "'ve", "'re")),
)


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
        for place, (part, continues) in enumerate(self._parts(token for token in tokens if token not in special)):
            written = part if continues or place == 0 else f" {part}"
            text += cleaned(written) if self.cleanup else written
        return text

    def decode_words(self, tokens: Iterable[str], keep_unknown: bool = False) -> list[str]:
        """The words of `tokens`, special tokens left out; with `keep_unknown` all but `unk_token`."""
        special = set(self.special_tokens) - ({self.unk_token} if keep_unknown else set())
        return self._joined(token for token in tokens if token not in special)

    def _joined(self, tokens: Iterable[str]) -> list[str]:
        """Each token with its continuations; one that nothing stands before is kept as it is."""
        words: list[str] = []
        for part, continues in self._parts(tokens):
            if continues:
                words[-1] += part
            else:
                words.append(part)
        return words

    def _parts(self, tokens: Iterable[str]) -> Iterator[tuple[str, bool]]:
        """Each token, without the prefix if it continues the one before it, and whether it does."""
        for place, token in enumerate(tokens):
            continues = place > 0 and token.startswith(self.prefix)
            yield token.removeprefix(self.prefix) if continues else token, continues


def cleaned(text: str) -> str:
    """A token without the spaces that cleanup takes out."""
    for dirty, clean in CLEANUP:
        text = text.replace(dirty, clean)
    return text
