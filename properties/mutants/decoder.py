"""Mutants of the decoder."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from goldpiece.reference.decoder import Decoder, cleaned
from goldpiece.suite.mutants import mutant


@mutant(breaks="decoder.joins", report="huggingface/tokenizers#145", story="does not join continuations")
class JoinsNothing(Decoder):
    def _parts(self, tokens: Iterable[str]) -> Iterator[tuple[str, bool]]:
        return ((token, False) for token in tokens)


@mutant(breaks="decoder.joins", story="takes off every # at the start of a continuation")
class TakesOffEveryMark(Decoder):
    def _parts(self, tokens: Iterable[str]) -> Iterator[tuple[str, bool]]:
        return super()._parts(
            self.prefix + token.lstrip("#") if token.startswith(self.prefix) else token for token in tokens
        )


@mutant(breaks="decoder.joins", story="replaces the prefix wherever it stands behind a space, also within a token")
class ReplacesInTheText(Decoder):
    def decode(self, tokens: Iterable[str], skip_special_tokens: bool = True) -> str:
        special = self.special_tokens if skip_special_tokens else ()
        return " ".join(token for token in tokens if token not in special).replace(f" {self.prefix}", "").strip()


@mutant(breaks="decoder.orphans", story="takes the prefix off a continuation that nothing stands before")
class UnmarksOrphans(Decoder):
    def _parts(self, tokens: Iterable[str]) -> Iterator[tuple[str, bool]]:
        for place, (part, continues) in enumerate(super()._parts(tokens)):
            yield part if place else part.removeprefix(self.prefix), continues


@mutant(
    breaks="decoder.skips-special-tokens",
    report="huggingface/transformers#24511",
    story="leaves the spaces of the special tokens",
)
class LeavesTheSpaces(Decoder):
    def decode(self, tokens: Iterable[str], skip_special_tokens: bool = True) -> str:
        text = super().decode(tokens, False)
        for token in self.special_tokens if skip_special_tokens else ():
            text = text.replace(token, "")
        return text


@mutant(
    breaks="decoder.skips-special-tokens", story="takes everything in square brackets for special, and nothing else"
)
class SkipsBrackets(Decoder):
    def decode(self, tokens: Iterable[str], skip_special_tokens: bool = True) -> str:
        kept = (token for token in tokens if not (skip_special_tokens and token.startswith("[")))
        return super().decode(kept, False)


@mutant(
    breaks="decoder.cleanup", report="huggingface/transformers#22016", story="leaves no space before any apostrophe"
)
class ClosesUpApostrophes(Decoder):
    def decode(self, tokens: Iterable[str], skip_special_tokens: bool = True) -> str:
        text = super().decode(tokens, skip_special_tokens)
        return text.replace(" '", "'") if self.cleanup else text


@mutant(breaks="decoder.cleanup", report="guillaume-be/rust-tokenizers#16", story='rewrites "do not" to "don\'t"')
class RewritesWords(Decoder):
    def decode(self, tokens: Iterable[str], skip_special_tokens: bool = True) -> str:
        text = super().decode(tokens, skip_special_tokens)
        return text.replace("do not", "don't") if self.cleanup else text


@mutant(breaks="decoder.cleanup", story="does not clean up")
class CleansNothing(Decoder):
    def decode(self, tokens: Iterable[str], skip_special_tokens: bool = True) -> str:
        return Decoder(self.prefix, self.special_tokens, self.unk_token).decode(tokens, skip_special_tokens)


@mutant(breaks="decoder.cleanup", story="cleans up words, when their pieces are joined")
class CleansWords(Decoder):
    def decode(self, tokens: Iterable[str], skip_special_tokens: bool = True) -> str:
        special = self.special_tokens if skip_special_tokens else ()
        first, *others = self._joined(token for token in tokens if token not in special) or [""]
        return first + "".join(cleaned(f" {word}") if self.cleanup else f" {word}" for word in others)


@mutant(breaks="decoder.cleanup-within-tokens", story="leaves the spaces within tokens")
class LeavesTokensAlone(Decoder):
    def decode(self, tokens: Iterable[str], skip_special_tokens: bool = True) -> str:
        whole = [token.replace(" ", "\x1f") for token in tokens]
        return super().decode(whole, skip_special_tokens).replace("\x1f", " ")


@mutant(
    breaks="decoder.cleanup-within-tokens",
    story="cleans up the whole text at once, so that two tokens of do and not become don't",
)
class CleansTheText(Decoder):
    def decode(self, tokens: Iterable[str], skip_special_tokens: bool = True) -> str:
        text = replace(self, cleanup=False).decode(tokens, skip_special_tokens)
        return cleaned(text) if self.cleanup else text


@mutant(breaks="decoder.cleanup-within-tokens", story="keeps the spaces around an apostrophe")
class SparesApostrophes(Decoder):
    def decode(self, tokens: Iterable[str], skip_special_tokens: bool = True) -> str:
        whole = [token.replace(" ' ", " \x1f ") for token in tokens]
        return super().decode(whole, skip_special_tokens).replace("\x1f", "'")


@mutant(breaks="decoder.prefix-parameter", story='joins at "##" whatever prefix is asked for')
class PrefixFixed(Decoder):
    def decode(self, tokens: Iterable[str], skip_special_tokens: bool = True) -> str:
        return Decoder("##", self.special_tokens, self.unk_token, self.cleanup).decode(tokens, skip_special_tokens)


@mutant(breaks="decoder.words", story="begins a new word at each continuation")
class PiecesForWords(Decoder):
    def decode_words(self, tokens: Iterable[str], keep_unknown: bool = False) -> list[str]:
        return [word for token in tokens for word in super(PiecesForWords, self).decode_words([token], keep_unknown)]


@mutant(breaks="decoder.words", story="drops the special tokens at the ends only")
class DropsAtTheEnds(Decoder):
    def decode_words(self, tokens: Iterable[str], keep_unknown: bool = False) -> list[str]:
        whole = list(tokens)
        return self._joined(whole[1:-1] if whole and whole[0] in self.special_tokens else whole)


@mutant(breaks="decoder.word-orphans", story="joins first and drops special tokens then, with what was joined to them")
class JoinsToSpecialTokens(Decoder):
    def decode_words(self, tokens: Iterable[str], keep_unknown: bool = False) -> list[str]:
        special = tuple(self.special_tokens)
        return [word for word in self._joined(tokens) if not word.startswith(special)]


@mutant(breaks="decoder.keeps-unknown", story="drops the unknown token whatever is asked for")
class DropsUnknown(Decoder):
    def decode_words(self, tokens: Iterable[str], keep_unknown: bool = False) -> list[str]:
        return super().decode_words(tokens, False)


@mutant(breaks="decoder.keeps-unknown", story="keeps the unknown token whatever is asked for")
class KeepsUnknown(Decoder):
    def decode_words(self, tokens: Iterable[str], keep_unknown: bool = False) -> list[str]:
        return super().decode_words(tokens, True)
