"""The laws of spec/bpe_tokenizer.yaml, for any implementation."""

from base64 import b64encode
from collections.abc import Mapping
from typing import Any, cast

from hypothesis import strategies as st

from goldpiece.suite.component import Component
from goldpiece.suite.law import expect, law
from goldpiece.suite.scope import Scope
from goldpiece.suite.values import show

from .oracles.bpe_tokenizer import tokens_of
from .oracles.byte_level import content_of
from .strategies.bpe_tokenizer import (
    FAR,
    SPECIAL,
    Case,
    any_cases,
    as_wholes,
    cases,
    in_order,
    in_two,
    lacking,
    parted,
    spaced,
    with_made,
    with_special,
)


def encoded(bpe_tokenizer: Component, case: Case, text: str | None = None, parse: bool = True) -> Mapping[str, Any]:
    text = case.text if text is None else text
    return cast(Mapping[str, Any], bpe_tokenizer(**case.config).encode(text, None, False, parse))


def aligned(bpe_tokenizer: Component, case: Case) -> Mapping[str, Any]:
    return cast(Mapping[str, Any], bpe_tokenizer(**case.config).align(case.text))


def are_right(case: Case, found: Mapping[str, Any], parse: bool = True) -> None:
    """Raises Disagreement where tokens or ids are not those of the definition."""
    right = [each.token for each in tokens_of(case, parse_special=parse)]
    expect(found["tokens"], right)
    expect(found["ids"], [case.all_tokens.index(token) for token in right])


@law("bpe_tokenizer.tokens", case=lambda scope: st.one_of(cases(scope), parted(scope)))
def tokens(bpe_tokenizer: Component, case: Case) -> None:
    are_right(case, encoded(bpe_tokenizer, case))


@law("bpe_tokenizer.ignore-merges", case=as_wholes)
def ignore_merges(bpe_tokenizer: Component, case: Case) -> None:
    are_right(case, encoded(bpe_tokenizer, case))


@law("bpe_tokenizer.byte-missing", case=lacking)
def byte_missing(bpe_tokenizer: Component, case: Case) -> None:
    answer = bpe_tokenizer(**case.config).answer("encode", case.text, None, False, True)
    expect(dict(answer), {"error": "unknown-token-missing"})


@law("bpe_tokenizer.special-tokens-in-text", case=with_special)
def special_tokens_in_text(bpe_tokenizer: Component, case: Case) -> None:
    are_right(case, encoded(bpe_tokenizer, case))


@law("bpe_tokenizer.plain-text", case=with_special)
def plain_text(bpe_tokenizer: Component, case: Case) -> None:
    found = encoded(bpe_tokenizer, case, parse=False)
    special = set(range(len(case.vocab), len(case.all_tokens)))
    expect([number for number in found["ids"] if number in special], [], note="special ids")
    are_right(case, found, parse=False)


@law("bpe_tokenizer.special-tokens-made", case=with_made)
def special_tokens_made(bpe_tokenizer: Component, case: Case) -> None:
    are_right(case, encoded(bpe_tokenizer, case, parse=False), parse=False)


@law("bpe_tokenizer.pairs", drawn=in_two)
def pairs(bpe_tokenizer: Component, drawn: tuple[Case, str]) -> None:
    case, pair = drawn
    model = bpe_tokenizer(**case.config)
    alone = [cast(Mapping[str, Any], model.encode(text, None, True, True))["ids"] for text in (case.text, pair)]
    together = cast(Mapping[str, Any], model.encode(case.text, pair, True, True))
    expect(together["ids"], alone[0] + alone[1])


@law("bpe_tokenizer.parts", case=cases)
def in_parts(bpe_tokenizer: Component, case: Case) -> None:
    whole = encoded(bpe_tokenizer, case)["ids"]
    found = tokens_of(case)
    starts = [each.start for each, before in zip(found[1:], found, strict=False) if each.word != before.word]
    for start in starts:
        if not case.text[start - 1].isspace():
            left, right = (encoded(bpe_tokenizer, case, part)["ids"] for part in (case.text[:start], case.text[start:]))
            expect(left + right, whole, note=f"cut at {start} into {show(case.text[:start])} and the rest")


@law("bpe_tokenizer.pure", drawn=in_order)
def pure(bpe_tokenizer: Component, drawn: tuple[Case, list[str]]) -> None:
    case, several = drawn
    model, other = (bpe_tokenizer(**each.config) for each in (case, case.with_other_ids))
    for text in several:
        other.encode(text, None, False, True)
        are_right(case.of(text), cast(Mapping[str, Any], model.encode(text, None, False, True)))
    for text in [*several, *several]:
        fresh = encoded(bpe_tokenizer, case, text)
        again = cast(Mapping[str, Any], model.encode(text, None, False, True))
        expect(dict(again), dict(fresh), f"what a fresh instance gives; this one was asked for {show(several)}")


@law(
    "bpe_tokenizer.offsets",
    case=any_cases,
    space=lambda scope: st.sampled_from(scope.values("add_prefix_space", [False, True])),
)
def offsets(bpe_tokenizer: Component, case: Case, space: bool) -> None:
    spaced = case.under(add_prefix_space=True) if space and not case.text[:1].isspace() else case
    right = [[each.start, each.end] for each in tokens_of(spaced)]
    expect(aligned(bpe_tokenizer, spaced)["offsets"], right)


@law("bpe_tokenizer.words", case=any_cases)
def words(bpe_tokenizer: Component, case: Case) -> None:
    expect(aligned(bpe_tokenizer, case)["word_ids"], [each.word for each in tokens_of(case)])


@law("bpe_tokenizer.trim-offsets", case=spaced)
def trim_offsets(bpe_tokenizer: Component, scope: Scope, case: Case) -> None:
    scope.required("trim_offsets", [True])
    right = []
    for token, start, end, _ in tokens_of(case):
        before = len(token) - len(token.lstrip("Ġ"))
        behind = 0 if before == len(token) else len(token) - len(token.rstrip("Ġ"))
        right.append([start + before, end - behind])
    expect(aligned(bpe_tokenizer, case.under(trim_offsets=True))["offsets"], right)


@law("bpe_tokenizer.round-trip", case=any_cases)
def round_trip(bpe_tokenizer: Component, case: Case) -> None:
    ids = encoded(bpe_tokenizer, case)["ids"]
    expect(bpe_tokenizer(**case.config).decode(ids, False), case.text)


@law(
    "bpe_tokenizer.skips-special-tokens", case=with_special, numbers=lambda _: st.lists(st.integers(0, 600), max_size=8)
)
def skips_special_tokens(bpe_tokenizer: Component, case: Case, numbers: list[int]) -> None:
    count, model = len(case.all_tokens), bpe_tokenizer(**case.config)
    ids = [*encoded(bpe_tokenizer, case)["ids"], *(number % count for number in numbers), count - 1]
    for skip in (False, True):
        kept = [case.all_tokens[number] for number in ids if number < len(case.vocab) or not skip]
        expect(model.decode(ids, skip), text_of(kept), note=f"skip_special_tokens = {str(skip).lower()}")


def text_of(tokens: list[str]) -> str:
    """The text of tokens; special ones are written as they are."""
    content = b"".join(token.encode() if token in SPECIAL else content_of([token]) for token in tokens)
    return content.decode("utf-8", "replace")


@law("bpe_tokenizer.unknown-ids", case=cases)
def unknown_ids(bpe_tokenizer: Component, case: Case) -> None:
    model, count = bpe_tokenizer(**case.config), len(case.all_tokens)
    for number in (count, count + 1, count + 17, *FAR):
        expect(dict(model.answer("decode", [0, number, 1], False)), {"error": "unknown-id"})


@law("bpe_tokenizer.bytes-round-trip", case=cases, numbers=lambda _: st.lists(st.integers(0, 600), max_size=8))
def bytes_round_trip(bpe_tokenizer: Component, case: Case, numbers: list[int]) -> None:
    model = bpe_tokenizer(**case.config)
    ids = [number % len(case.vocab) for number in numbers]
    expect(model.decode_bytes(ids), in_base64(content_of([case.vocab[number] for number in ids])))
    expect(model.decode_bytes(encoded(bpe_tokenizer, case)["ids"]), in_base64(case.text.encode()))


def in_base64(content: bytes) -> str:
    return b64encode(content).decode("ascii")
