"""What spec/bpe.yaml defines, by going through the list of merges from its beginning after each merge."""

from collections.abc import Sequence

from ..strategies.bpe import Case

Span = tuple[str, int, int]  # a symbol, and where it begins and ends


def symbols_of(case: Case, word: str | None = None) -> list[Span] | None:
    """What a word begins as; None where a character can be written in no way."""
    word = case.word if word is None else word
    known, given = set(case.vocab), case.parameters
    mark, apart = str(given.get("end_of_word", "")), bool(given.get("end_of_word_apart"))
    written = [(letter, place, place + 1) for place, letter in enumerate(word)]
    if mark and word and apart:
        written.append((mark, len(word), len(word)))
    elif mark and word:
        written[-1] = (word[-1] + mark, *written[-1][1:])
    made: list[list[Span]] = [_begun(each, known, bool(given.get("byte_fallback"))) for each in written]
    unknown = given.get("unk_token")
    for place, each in enumerate(made):
        if not each:
            if unknown not in known:
                return None
            joins = given.get("fuse_unk") and place > 0 and made[place - 1][-1][0] == unknown
            made[place] = [(str(unknown), made[place - 1][-1][1] if joins else written[place][1], written[place][2])]
            made[place - 1] = [] if joins else made[place - 1]
    return [span for each in made for span in each]


def _begun(span: Span, known: set[str], with_bytes: bool) -> list[Span]:
    """A character as an entry or as those of its bytes; nothing where it is neither."""
    text, start, end = span
    if text in known:
        return [span]
    in_bytes = [f"<0x{byte:02X}>" for byte in text.encode("utf-8", "surrogatepass")] if with_bytes else []
    return [(byte, start, end) for byte in in_bytes] if all(byte in known for byte in in_bytes) else []


def merged(symbols: Sequence[Span], merges: Sequence[tuple[str, str]]) -> list[list[Span]]:
    """The symbols at first and after each merge: the first of the list that fits anywhere, at its first place."""
    steps = [list(symbols)]
    while True:
        now = steps[-1]
        texts = [text for text, _, _ in now]
        fits = (
            place
            for first, second in merges
            if first in texts
            for place in range(len(now) - 1)
            if texts[place] == first and texts[place + 1] == second
        )
        place = next(fits, None)
        if place is None:
            return steps
        (one, start, _), (other, _, end) = now[place : place + 2]
        steps.append([*now[:place], (one + other, start, end), *now[place + 2 :]])


def steps_of(case: Case, word: str | None = None) -> list[list[Span]] | None:
    """All steps of a word, the first of them its symbols; None where it cannot be written."""
    word = case.word if word is None else word
    if case.parameters.get("ignore_merges") and word in case.vocab:
        return [[(word, 0, len(word))]]
    symbols = symbols_of(case, word)
    return None if symbols is None else merged(symbols, case.merges)


def answer_of(case: Case, word: str | None = None) -> dict[str, object]:
    """The right answer: pieces and offsets, or the error."""
    steps = steps_of(case, word)
    if steps is None:
        return {"error": "unknown-token-missing"}
    return {
        "pieces": [text for text, _, _ in steps[-1]],
        "offsets": [[start, end] for _, start, end in steps[-1]],
    }
