"""The laws of spec/tokenizer.yaml, for any implementation."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from hypothesis import strategies as st

from goldpiece.suite.component import Component
from goldpiece.suite.law import expect, law
from goldpiece.suite.scope import Scope
from goldpiece.suite.values import Value

from .oracles.decoder import joined
from .oracles.wordpiece import longest_pieces
from .strategies import wordpiece
from .strategies.tokenizer import SPECIAL, Case, cases, several, words_of


def expected_tokens(scope: Scope, case: Case) -> tuple[list[str], list[list[int]], list[int]]:
    """Tokens, offsets and word ids by definition: the words of the normalized text, each by trying every entry."""
    tokens: list[str] = []
    offsets: list[list[int]] = []
    word_ids: list[int] = []
    for number, (word, sources) in enumerate(words_of(scope, case.text)):
        pieces = longest_pieces(wordpiece.Case(case.vocab, word)) if len(word) <= 100 else ["[UNK]"]
        done = 0
        for piece in pieces:
            length = len(word) if len(pieces) == 1 else len(piece.removeprefix("##") if done else piece)
            offsets.append([sources[done], sources[done + length - 1] + 1])
            done += length
        tokens += pieces
        word_ids += [number] * len(pieces)
    return tokens, offsets, word_ids


def encoded(tokenizer: Component, case: Case, pair: str | None = None, frame: bool = False, parse: bool = True) -> Any:
    """The outputs of `encode`, by name."""
    return dict(tokenizer(vocab=case.vocab).answer("encode", case.text, pair, frame, parse))


@law("tokenizer.tokens", case=cases)
def tokens(tokenizer: Component, scope: Scope, case: Case) -> None:
    right, _, word_ids = expected_tokens(scope, case)
    found = encoded(tokenizer, case)
    expect(found["tokens"], right)
    expect(found["ids"], [case.vocab.index(token) for token in right])
    expect(found["word_ids"], word_ids, note="word ids")


@law("tokenizer.offsets", case=cases)
def offsets(tokenizer: Component, scope: Scope, case: Case) -> None:
    expect(encoded(tokenizer, case)["offsets"], expected_tokens(scope, case)[1])


@law("tokenizer.offsets-ascend", case=cases)
def offsets_ascend(tokenizer: Component, case: Case) -> None:
    spans = encoded(tokenizer, case)["offsets"]
    expect([0 <= start < end <= len(case.text) for start, end in spans], [True] * len(spans), note=f"{spans}")
    expect(sorted(spans), spans, note="offsets in order")
    # Two tokens may overlap in one character at the most, which then gave rise to both.
    overlaps = [max(0, left[1] - right[0]) for left, right in pairwise(spans)]
    expect([overlap <= 1 for overlap in overlaps], [True] * len(overlaps), note=f"{spans}")


@law("tokenizer.frame", case=cases)
def frame(tokenizer: Component, case: Case) -> None:
    for second in (None, case.text, ""):
        bare = [encoded(tokenizer, Case(case.vocab, text)) for text in (case.text, second) if text is not None]
        for part in bare:
            zeros, ones = [0] * len(part["ids"]), [1] * len(part["ids"])
            plain = {"type_ids": zeros, "special_tokens_mask": zeros, "sequence_ids": zeros, "attention_mask": ones}
            expect({name: part[name] for name in plain}, plain, note="without a frame")
        rows: list[tuple[str, int, int, int | None, int | None]] = [("[CLS]", 0, 1, None, None)]
        for number, part in enumerate(bare):
            of_part = zip(part["tokens"], part["word_ids"], strict=True)
            rows += [(token, number, 0, number, word) for token, word in of_part] + [("[SEP]", number, 1, None, None)]
        columns = ("tokens", "type_ids", "special_tokens_mask", "sequence_ids", "word_ids")
        right: dict[str, Value] = {name: [row[place] for row in rows] for place, name in enumerate(columns)}
        right["attention_mask"] = [1] * len(rows)
        right["ids"] = [case.vocab.index(row[0]) for row in rows]
        framed = encoded(tokenizer, case, second, frame=True)
        expect({name: framed[name] for name in right}, right)
        expect([len(framed["offsets"])], [len(rows)], note="how many offsets there are")


@law("tokenizer.special-tokens-in-text", case=cases, token=lambda _: st.sampled_from(SPECIAL))
def special_tokens_in_text(tokenizer: Component, case: Case, token: str) -> None:
    text = f"a{token}{case.text}{token}"
    found = encoded(tokenizer, Case(case.vocab, text))
    behind = encoded(tokenizer, Case(case.vocab, case.text))
    before = encoded(tokenizer, Case(case.vocab, "a"))
    expect(found["tokens"], [*before["tokens"], token, *behind["tokens"], token])
    shift = 1 + len(token)
    moved = [[start + shift, end + shift] for start, end in behind["offsets"]]
    expect(found["offsets"], [[0, 1], [1, shift], *moved, [len(text) - len(token), len(text)]])
    expect(found["special_tokens_mask"], [0] * len(found["tokens"]))


@law("tokenizer.plain-text", case=cases, token=lambda _: st.sampled_from(["[PAD]", "[CLS]", "[SEP]", "[MASK]"]))
def plain_text(tokenizer: Component, case: Case, token: str) -> None:
    text = f"{case.text} {token} {token.lower()} {token}a"
    found = encoded(tokenizer, Case(case.vocab, text), parse=False)
    expect([each for each in found["tokens"] if each in SPECIAL and each != "[UNK]"], [])
    if tokenizer.takes("special_tokens", ["mask"]):  # a special token that is spelt like a word
        model = tokenizer(vocab=["[UNK]", "a", "mask"], special_tokens=["mask"])
        ids = model.answer("encode", f"a mask {case.text} MASK", None, False, False)["ids"]
        assert isinstance(ids, list)
        expect(ids.count(2), 0, note="how often the id of the special token is there")


@law("tokenizer.round-trip", case=cases)
def round_trip(tokenizer: Component, scope: Scope, case: Case) -> None:
    ids = encoded(tokenizer, case, frame=True)["ids"]
    known = [
        word if longest_pieces(wordpiece.Case(case.vocab, word)) != ["[UNK]"] and len(word) <= 100 else "[UNK]"
        for word, _ in words_of(scope, case.text)
    ]
    # A word of the text that begins with the prefix is an orphan in the middle: nothing tells it from a continuation.
    if not any(word.startswith("##") for word in known):
        expect(tokenizer(vocab=case.vocab).decode_words(ids, True), known)


@law("tokenizer.decodes", case=cases, numbers=lambda _: st.lists(st.integers(0, 9), max_size=8))
def decodes(tokenizer: Component, case: Case, numbers: list[int]) -> None:
    ids = [number % len(case.vocab) for number in numbers]
    names = [case.vocab[number] for number in ids]
    model = tokenizer(vocab=case.vocab)
    expect(model.decode(ids, False), joined(names))
    expect(model.decode(ids, True), joined([name for name in names if name not in SPECIAL]))


@law("tokenizer.unknown-ids", case=cases, beyond=lambda _: st.sampled_from([0, 1, 1000, 2**31, -1]))
def unknown_ids(tokenizer: Component, case: Case, beyond: int) -> None:
    number = len(case.vocab) + beyond if beyond >= 0 else beyond
    expect(dict(tokenizer(vocab=case.vocab).answer("decode", [0, number], True)), {"error": "unknown-id"})


@law("tokenizer.batches", drawn=several)
def batches(tokenizer: Component, drawn: tuple[Case, list[str]]) -> None:
    case, others = drawn
    together: Sequence[str] = [case.text, *others, case.text, ""]
    alone = [encoded(tokenizer, Case(case.vocab, text), frame=True) for text in together]
    right: Value = {"ids": [row["ids"] for row in alone], "offsets": [row["offsets"] for row in alone]}
    expect(dict(tokenizer(vocab=case.vocab).answer("encode_batch", list(together))), right)


@law("tokenizer.pure", drawn=several)
def pure(tokenizer: Component, drawn: tuple[Case, list[str]]) -> None:
    case, others = drawn
    model = tokenizer(vocab=case.vocab)
    for text in [case.text, *others, case.text, *(text + case.text for text in others)]:
        fresh = dict(tokenizer(vocab=case.vocab).answer("encode", text, None, False, True))
        expect(dict(model.answer("encode", text, None, False, True)), fresh, note="what a fresh instance gives")
