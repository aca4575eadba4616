"""The laws of spec/tokenizer.yaml, for any implementation.

Those that draw `any_cases` or `several` speak of ready-made tokenizers as well, whatever their model.
"""

import unicodedata
from collections.abc import Callable, Iterable
from functools import partial
from itertools import pairwise
from typing import Any

from hypothesis import strategies as st

from goldpiece.suite.component import Component, Instance, Told
from goldpiece.suite.law import expect, law
from goldpiece.suite.scope import Scope
from goldpiece.suite.subject import Unsupported
from goldpiece.suite.values import Value, show

from .oracles.decoder import joined
from .oracles.tokenizer import known_words, tokens_of, tokens_with_added
from .strategies.tokenizer import SPECIAL, Case, added, any_cases, cases, padded, several, words_of

THREADS = 4
SOME = 64  # ids that are looked up together
FORMS: dict[str, Callable[[str], str]] = {"exact": lambda text: text} | {
    form: partial(unicodedata.normalize, form) for form in ("NFC", "NFD", "NFKC", "NFKD")
}
OWN = st.lists(st.one_of(st.integers(0, SOME), st.integers(0, 2**18)), max_size=8)  # ids, some of which there are
FAR = [2**31 - 1, 2**32 - 1, 2**40, -1]  # ids that no vocabulary has


def encoded(tokenizer: Component, case: Case, pair: str | None = None, frame: bool = False, parse: bool = True) -> Any:
    """The outputs of `encode`, by name."""
    return tokenizer(**case.config).answer("encode", case.text, pair, frame, parse)


def rows_of(encoding: Any, marked: int) -> list[Any]:
    """What is known of each token that has this in the special tokens mask."""
    mask = encoding["special_tokens_mask"]
    names = [name for name in ("ids", "tokens", "offsets", "sequence_ids", "word_ids") if name in encoding]
    rows = zip(mask, *(encoding[name] for name in names), strict=True)
    return [dict(zip(names, row, strict=True)) for mark, *row in rows if mark == marked]


def ways_to_decode(model: Instance, ids: list[int]) -> dict[bool, Told]:
    """What becomes of ids where special tokens are kept, and where they are skipped; a subject may know one way."""
    found, lacking = {}, []
    for skip in (False, True):
        try:
            found[skip] = model.answer("decode", ids, skip)
        except Unsupported as reason:
            lacking.append(reason)
    if not found:
        raise lacking[0]
    return found


def special_ids(model: Instance, case: Case) -> list[tuple[str, int]]:
    """The special tokens of BERT, or those that a ready-made tokenizer puts around a text, with their ids."""
    if case.is_bert:
        return [(token, case.vocab.index(token)) for token in SPECIAL]
    framed: Any = model.answer("encode", "", None, True, True)
    if not framed["ids"]:
        raise Unsupported("special tokens in text: it frames no text, so that none is known")
    return list(zip(framed["tokens"], framed["ids"], strict=True))


def tokens_by_id(model: Instance, numbers: Iterable[int]) -> dict[int, str]:
    """The tokens of those ids that have one."""
    asked = list(dict.fromkeys(numbers))
    answers = model.answers("id_to_token", [[number] for number in asked])
    return {number: str(each["token"]) for number, each in zip(asked, answers, strict=True) if "error" not in each}


def known_ids(model: Instance, case: Case) -> list[int]:
    """Ids that a ready-made tokenizer has: of a text, and the first ones, where it can be asked for these."""
    found: Any = richest(model, f"a b1 {case.text}")["ids"]
    try:
        return [*found, *tokens_by_id(model, range(SOME))]
    except Unsupported:
        return list(found)


def in_its_own_words(model: Instance, case: Case, numbers: list[int]) -> Case:
    """A case, behind whose text stand tokens of a ready-made tokenizer, as it spells them."""
    if case.is_bert:
        return case
    try:
        names = tokens_by_id(model, numbers)
    except Unsupported:
        return case
    return case.of(case.text + "".join(names.values()))


def richest(model: Instance, text: str) -> Told:
    """The encoding of a text and the same as its pair, in their frame, or of as much of that as the subject takes."""
    lacking = []
    for pair, frame in ((text, True), (None, True), (None, False)):
        try:
            return model.answer("encode", text, pair, frame, True)
        except Unsupported as reason:
            lacking.append(reason)
    raise lacking[-1]


def seconds(tokenizer: Component, case: Case) -> list[str | None]:
    """What may stand behind a text: nothing, and where the subject takes pairs, an empty text or the same."""
    try:
        encoded(tokenizer, case, "")
    except Unsupported:
        return [None]
    return [None, "", case.text]


def frames(tokenizer: Component, case: Case) -> list[bool]:
    """Whether there may be a frame: no, and where the subject has one, yes."""
    try:
        encoded(tokenizer, case, frame=True)
    except Unsupported:
        return [False]
    return [False, True]


@law("tokenizer.tokens", case=cases)
def tokens(tokenizer: Component, scope: Scope, case: Case) -> None:
    right = tokens_of(scope, case)
    found = encoded(tokenizer, case)
    if "tokens" in found:
        expect(found["tokens"], right.tokens)
    expect(found["ids"], [case.vocab.index(token) for token in right.tokens])
    if "word_ids" in found:
        expect(found["word_ids"], right.word_ids, note="word ids")


@law("tokenizer.offsets", case=cases)
def offsets(tokenizer: Component, scope: Scope, case: Case) -> None:
    expect(encoded(tokenizer, case)["offsets"], tokens_of(scope, case).offsets)


@law("tokenizer.offsets-ascend", case=any_cases, own=lambda _: OWN)
def offsets_ascend(tokenizer: Component, case: Case, own: list[int]) -> None:
    case = in_its_own_words(tokenizer(**case.config), case, own)
    spans = encoded(tokenizer, case)["offsets"]
    within = [0 <= start <= end <= len(case.text) for start, end in spans]
    expect(within, [True] * len(spans), note=f"which of {spans} are within the text")
    expect(sorted(spans), spans, note="offsets in order")


@law("tokenizer.offsets-overlap", case=cases)
def offsets_overlap(tokenizer: Component, case: Case) -> None:
    spans = encoded(tokenizer, case)["offsets"]
    overlaps = [max(0, left[1] - right[0]) for left, right in pairwise(spans)]
    expect([overlap <= 1 for overlap in overlaps], [True] * len(overlaps), note=f"{spans}")


@law("tokenizer.one-length", case=any_cases, own=lambda _: OWN)
def one_length(tokenizer: Component, case: Case, own: list[int]) -> None:
    case = in_its_own_words(tokenizer(**case.config), case, own)
    for pair in seconds(tokenizer, case):
        for frame in frames(tokenizer, case):
            found = encoded(tokenizer, case, pair, frame)
            if len(found) == 1:
                raise Unsupported("questions about anything but ids")
            expect({name: len(each) for name, each in found.items()}, dict.fromkeys(found, len(found["ids"])))


@law("tokenizer.attention-mask", case=padded)
def attention_mask(tokenizer: Component, case: Case) -> None:
    for frame in frames(tokenizer, case):
        found = encoded(tokenizer, case, frame=frame)
        expect(found["attention_mask"], [1] * len(found["ids"]))


@law("tokenizer.frame", case=cases)
def frame(tokenizer: Component, case: Case) -> None:
    for second in seconds(tokenizer, case):
        bare = [encoded(tokenizer, case.of(text)) for text in (case.text, second) if text is not None]
        cls_id, sep_id = (case.vocab.index(token) for token in ("[CLS]", "[SEP]"))
        rows: list[tuple[int, int, int, int | None, int | None]] = [(cls_id, 0, 1, None, None)]
        for number, part in enumerate(bare):
            of_part = zip(part["ids"], part.get("word_ids", part["ids"]), strict=True)
            rows += [(its_id, number, 0, number, word) for its_id, word in of_part] + [(sep_id, number, 1, None, None)]
        columns = ("ids", "type_ids", "special_tokens_mask", "sequence_ids", "word_ids")
        right: dict[str, Value] = {name: [row[place] for row in rows] for place, name in enumerate(columns)}
        right["attention_mask"] = [1] * len(rows)
        right["tokens"] = [case.vocab[row[0]] for row in rows]
        framed = encoded(tokenizer, case, second, frame=True)
        told = framed.alike(right)
        expect({name: framed[name] for name in told}, told)
        if "offsets" in framed:
            expect([len(framed["offsets"])], [len(rows)], note="how many offsets there are")


@law("tokenizer.frame-only-adds", case=any_cases)
def frame_only_adds(tokenizer: Component, case: Case) -> None:
    for pair in seconds(tokenizer, case):
        empty = encoded(tokenizer, case.of(""), None if pair is None else "", frame=True)
        bare = encoded(tokenizer, case, pair)
        expect(bare["special_tokens_mask"], [0] * len(bare["ids"]), note="the mask without a frame")
        framed = encoded(tokenizer, case, pair, frame=True)
        expect(rows_of(framed, 0), rows_of(bare, 0), note="the tokens of the text, in a frame and without")
        around: Any = rows_of(framed, 1)
        expect([row["ids"] for row in around], empty["ids"], note="the frame, and that of an empty text")
        owners = [[row[name] for name in ("sequence_ids", "word_ids") if name in row] for row in around]
        expect(owners, [[None] * len(each) for each in owners], note="the sequences and words of the frame")


@law("tokenizer.ids-of-tokens", case=any_cases)
def ids_of_tokens(tokenizer: Component, case: Case) -> None:
    model = tokenizer(**case.config)
    found: Any = richest(model, case.text)
    known = [(answer["number"], number) for answer, number in zip(
        model.answers("token_to_id", [[token] for token in found["tokens"]]), found["ids"], strict=True
    )]  # fmt: skip
    held = [number for looked_up, number in known if looked_up is not None]
    expect([looked_up for looked_up, _ in known if looked_up is not None], held)
    lacking = list(dict.fromkeys(number for looked_up, number in known if looked_up is None))
    expect(lacking, lacking[:1], note="the ids of what the vocabulary lacks")


@law("tokenizer.tokens-of-ids", case=any_cases, beyond=lambda _: st.sampled_from(FAR))
def tokens_of_ids(tokenizer: Component, case: Case, beyond: int) -> None:
    model = tokenizer(**case.config)
    found: Any = richest(model, case.text)
    names = model.batch("id_to_token", [[number] for number in found["ids"]])
    expect(
        model.batch("token_to_id", [[name] for name in names]), found["ids"], note="the ids of the tokens of the ids"
    )
    expect(model.answer("id_to_token", beyond), {"error": "unknown-id"})


@law("tokenizer.vocabulary", case=any_cases, first=lambda _: st.integers(0, 2**18))
def vocabulary(tokenizer: Component, case: Case, first: int) -> None:
    model = tokenizer(**case.config)
    names = tokens_by_id(model, [*range(SOME), *range(first, first + SOME)])
    if case.is_bert:
        expect([names.get(number) for number in range(SOME)], [*case.vocab, *[None] * SOME][:SOME])
    ids = model.batch("token_to_id", [[name] for name in names.values()])
    expect(ids, list(names), note=f"the ids of the tokens {show(list(names.values()))}")


@law("tokenizer.special-tokens-in-text", case=any_cases, number=lambda _: st.integers(0, 9))
def special_tokens_in_text(tokenizer: Component, case: Case, number: int) -> None:
    known = special_ids(tokenizer(**case.config), case)
    token, its_id = known[number % len(known)]
    text = f"a{token}{case.text}{token}"
    behind = encoded(tokenizer, case)
    before = encoded(tokenizer, case.of("a"))
    found = encoded(tokenizer, case.of(text))
    if case.is_bert:
        expect(found["ids"], [*before["ids"], its_id, *behind["ids"], its_id])
        if "offsets" in found:
            shift = 1 + len(token)
            moved = [[start + shift, end + shift] for start, end in behind["offsets"]]
            expect(found["offsets"], [[0, 1], [1, shift], *moved, [len(text) - len(token), len(text)]])
    else:
        plain = [*before["ids"], *behind["ids"]].count(its_id)
        expect(found["ids"].count(its_id), plain + 2, note=f"how often {token} is there")
    if "special_tokens_mask" in found:
        expect(found["special_tokens_mask"], [0] * len(found["ids"]))


@law("tokenizer.plain-text", case=any_cases, number=lambda _: st.integers(0, 9))
def plain_text(tokenizer: Component, case: Case, number: int) -> None:
    model = tokenizer(**case.config)
    known = [each for each in special_ids(model, case) if each[0] != "[UNK]"]
    if not known:
        raise Unsupported("special tokens in text: its frame is of unknown tokens alone")
    token, _ = known[number % len(known)]
    text = f"{case.text} {token} {token.lower()} {token}a"
    found: Any = model.answer("encode", text, None, False, False)
    special = {its_id for _, its_id in known}
    expect([each for each in found["ids"] if each in special], [], note="the ids of special tokens")
    if case.is_bert and tokenizer.takes("special_tokens", ["mask"]):  # a special token that is spelt like a word
        model = tokenizer(vocab=["[UNK]", "a", "mask"], special_tokens=["mask"])
        ids = model.answer("encode", f"a mask {case.text} MASK", None, False, False)["ids"]
        assert isinstance(ids, list)
        expect(ids.count(2), 0, note="how often the id of the special token is there")


@law("tokenizer.added-tokens", case=added)
def added_tokens(tokenizer: Component, scope: Scope, case: Case) -> None:
    right = tokens_with_added(scope, case)
    found = encoded(tokenizer, case)
    config: Any = case.config
    names = [*case.vocab, *config["added_tokens"], *config["verbatim_tokens"]]
    expect([names[number] for number in found["ids"]], right.tokens, note="the tokens of the ids")
    if "offsets" in found:
        expect(found["offsets"], right.offsets, note="offsets")
    if "word_ids" in found:
        expect(found["word_ids"], right.word_ids, note="word ids")


@law("tokenizer.original-text", case=cases)
def original_text(tokenizer: Component, scope: Scope, case: Case) -> None:
    places = [place for _, sources in words_of(scope, case.text) for place in sources]
    right = case.text[places[0] : places[-1] + 1] if places else ""
    expect(tokenizer(**case.config).original_text(case.text), right)


@law("tokenizer.text-round-trip", case=any_cases, own=lambda _: OWN)
def text_round_trip(tokenizer: Component, scope: Scope, case: Case, own: list[int]) -> None:
    if not case.is_bert:
        form = scope.declaration.round_trip
        if form is None:
            raise Unsupported("any vocab but its own, which is fixed, and it declares no round trip")
        case = in_its_own_words(tokenizer(), case, own)
        expect(tokenizer().decode(encoded(tokenizer, case)["ids"], False), FORMS[form](case.text))
        return
    ids, known = encoded(tokenizer, case)["ids"], known_words(scope, case)
    if not any(word.startswith("##") for word in known):  # as in `round_trip`
        for skip, answer in ways_to_decode(tokenizer(**case.config), ids).items():
            kept = [word for word in known if not (skip and word == "[UNK]")]
            expect(dict(answer), {"text": " ".join(kept)}, note="unknown words are left out" if skip else "")


@law("tokenizer.round-trip", case=cases)
def round_trip(tokenizer: Component, scope: Scope, case: Case) -> None:
    ids, known = encoded(tokenizer, case, frame=True)["ids"], known_words(scope, case)
    # A word of the text that begins with the prefix is an orphan in the middle: nothing tells it from a continuation.
    if not any(word.startswith("##") for word in known):
        expect(tokenizer(**case.config).decode_words(ids, True), known)


@law("tokenizer.decodes", case=cases, numbers=lambda _: st.lists(st.integers(0, 9), max_size=8))
def decodes(tokenizer: Component, case: Case, numbers: list[int]) -> None:
    ids = [number % len(case.vocab) for number in numbers]
    names = [case.vocab[number] for number in ids]
    for skip, answer in ways_to_decode(tokenizer(**case.config), ids).items():
        right = joined([name for name in names if not (skip and name in SPECIAL)])
        expect(dict(answer), {"text": right}, note="without special tokens" if skip else "with special tokens")


@law(
    "tokenizer.unknown-ids", case=any_cases, beyond=lambda scope: st.sampled_from(FAR if scope.fixed else [0, 1, *FAR])
)
def unknown_ids(tokenizer: Component, case: Case, beyond: int) -> None:
    number = len(case.vocab) + beyond if 0 <= beyond < 2 else beyond
    for answer in ways_to_decode(tokenizer(**case.config), [0, number]).values():
        expect(dict(answer), {"error": "unknown-id"})


@law("tokenizer.any-ids", case=any_cases, numbers=lambda _: st.lists(st.integers(0, 2**16), max_size=12))
def any_ids(tokenizer: Component, case: Case, numbers: list[int]) -> None:
    model = tokenizer(**case.config)
    known = list(range(len(case.vocab))) or known_ids(model, case)
    if not known:
        raise Unsupported("ids that it has: it gives none for any text")
    ids = [known[number % len(known)] for number in numbers]
    for skip, answer in ways_to_decode(model, ids).items():
        expect(list(answer), ["text"], note="what there is of ids that the vocabulary has")
        model.answer("decode", ids[::-1], skip)
        again = tokenizer(**case.config).answer("decode", ids, skip)
        expect([dict(model.answer("decode", ids, skip)), dict(again)], [dict(answer)] * 2, note="once more, and anew")


@law("tokenizer.batches", drawn=several, own=lambda _: OWN)
def batches(tokenizer: Component, drawn: tuple[Case, list[str]], own: list[int]) -> None:
    case, others = drawn
    case = in_its_own_words(tokenizer(**case.config), case, own)
    together: list[str] = [case.text, *others, case.text, ""]
    try:
        alone = [encoded(tokenizer, case.of(text), frame=True) for text in together]
    except Unsupported:  # it has no frame
        alone = [encoded(tokenizer, case.of(text)) for text in together]
    found = tokenizer(**case.config).answers("encode_batch", [[together]])[0]
    names = [name for name in ("ids", "offsets") if name in alone[0] and name not in found.lacking]
    expect({name: found.get(name) for name in names}, {name: [row[name] for row in alone] for name in names})


@law("tokenizer.pure", drawn=several)
def pure(tokenizer: Component, drawn: tuple[Case, list[str]]) -> None:
    case, others = drawn
    alike = [f"{before}{case.text}" for before in (" ", "  ", "\u200b", *others)]  # that end alike
    asked = [[text, None, False, True] for text in [case.text, *others, case.text, *alike]]
    one, other = tokenizer(**case.config), tokenizer(**case.config)
    forth = [one.answer("encode", *each) for each in asked]
    back = [other.answer("encode", *each) for each in reversed(asked)]
    expect(forth, back[::-1], note="asked in one order, and in the other")
    expect(other.answers("encode", asked), forth, note="given together, and each alone")


@law("tokenizer.threads", drawn=several)
def threads(tokenizer: Component, drawn: tuple[Case, list[str]]) -> None:
    case, others = drawn
    texts = dict.fromkeys([case.text, f"{case.text} a", "b", *others, f"a{case.text}b"])
    asked = [[text, None, False, True] for text in texts]
    turned = [asked[place % len(asked) :] + asked[: place % len(asked)] for place in range(THREADS)]
    found = tokenizer(**case.config).at_once("encode", turned)  # whose first calls these are
    right = {
        text: answer
        for (text, *_), answer in zip(asked, tokenizer(**case.config).answers("encode", asked), strict=True)
    }
    for of_thread, answers in zip(turned, found, strict=True):
        expect(answers, [right[str(text)] for text, *_ in of_thread], note=f"from one of {THREADS} threads")
