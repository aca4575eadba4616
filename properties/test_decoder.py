"""The laws of spec/decoder.yaml, for any implementation."""

from hypothesis import strategies as st

from goldpiece.suite.component import Component
from goldpiece.suite.law import expect, law
from goldpiece.suite.scope import Scope

from .oracles.decoder import cleaned, joined
from .strategies.tokens import SPECIAL, cut_words, plain_sequences, sequences, with_spaces, without_spaces

CLOSED_UP = (".", "?", "!", ",", "n't", "'m", "'s", "'ve", "'re")


@law("decoder.joins", tokens=plain_sequences)
def joins(decoder: Component, tokens: list[str]) -> None:
    for skip in (True, False):
        expect(decoder().decode(tokens, skip), joined(tokens))


@law("decoder.orphans", tokens=sequences)
def orphans(decoder: Component, tokens: list[str]) -> None:
    orphaned = ["##o", *tokens]
    expect(decoder().decode(orphaned, False), joined(orphaned))
    expect(decoder().decode(["[CLS]", *orphaned], True), joined([each for each in orphaned if each not in SPECIAL]))


@law("decoder.skips-special-tokens", tokens=sequences)
def skips_special_tokens(decoder: Component, tokens: list[str]) -> None:
    expect(decoder().decode(tokens, True), joined([token for token in tokens if token not in SPECIAL]))
    expect(decoder().decode(tokens, False), joined(tokens))
    if decoder.takes("special_tokens", ["a", "the"]):
        others = decoder(special_tokens=["a", "the"])
        expect(others.decode(tokens, True), joined([token for token in tokens if token not in ("a", "the")]))


@law("decoder.cleanup", tokens=without_spaces)
def cleanup(decoder: Component, tokens: list[str]) -> None:
    words = "".join(
        token[2:]
        if place and token.startswith("##")
        else token
        if place == 0 or token.startswith(CLOSED_UP)
        else f" {token}"
        for place, token in enumerate(tokens)
    )
    expect(decoder(cleanup=True).decode(tokens, False), words)


@law("decoder.cleanup-within-tokens", tokens=with_spaces)
def cleanup_within_tokens(decoder: Component, tokens: list[str]) -> None:
    expect(decoder(cleanup=True).decode(tokens, False), cleaned(tokens))


def prefixes(scope: Scope) -> st.SearchStrategy[str]:
    """Other prefixes than the default, among them letters and what means something in a pattern."""
    return st.sampled_from(scope.required("prefix", ["@@", "a", "▁", ".", "#"])).map(str)


@law("decoder.prefix-parameter", prefix=prefixes, tokens=plain_sequences)
def prefix_parameter(decoder: Component, prefix: str, tokens: list[str]) -> None:
    prefixed = [token.replace("##", prefix) for token in tokens] + tokens
    expect(decoder(prefix=prefix).decode(prefixed, True), joined(prefixed, prefix))


@law("decoder.words", words=cut_words)
def words(decoder: Component, words: list[list[str]]) -> None:
    whole = ["".join(parts) for parts in words]
    pieces = [part if place == 0 else f"##{part}" for parts in words for place, part in enumerate(parts)]
    expect(decoder().decode_words(["[CLS]", *pieces, "[SEP]", "[PAD]"], False), whole)


@law("decoder.word-orphans", words=cut_words)
def word_orphans(decoder: Component, words: list[list[str]]) -> None:
    whole = ["".join(parts) for parts in words]
    first = ["##o", *whole]
    expect(decoder().decode_words(["[CLS]", *first], False), first)
    expected = [*first[:-1], f"{first[-1]}o"]
    expect(decoder().decode_words(["[CLS]", *first, "[SEP]", "##o"], False), expected)


@law("decoder.keeps-unknown", words=cut_words)
def keeps_unknown(decoder: Component, words: list[list[str]]) -> None:
    whole = ["".join(parts) for parts in words]
    tokens = [token for word in whole for token in ("[UNK]", word, "[SEP]")]
    expect(decoder().decode_words(tokens, True), [token for word in whole for token in ("[UNK]", word)])
    expect(decoder().decode_words(tokens, False), whole)
