"""What spec/wordpiece.yaml defines, by trying every entry of the vocabulary at every place."""

from ..strategies.wordpiece import Case


def fits(entry: str, word: str, position: int, prefix: str) -> str | None:
    """What `entry` spells of `word` at `position`; None if it does not fit there."""
    if position:
        if not entry.startswith(prefix):
            return None
        entry = entry.removeprefix(prefix)
    return entry if entry and word.startswith(entry, position) else None


def longest_pieces(case: Case, word: str | None = None) -> list[str]:
    """The definition: at each position the longest of all entries that fit, found by trying each."""
    word = case.word if word is None else word
    pieces: list[str] = []
    position = 0
    while position < len(word):
        fitting = {entry: spelt for entry in case.vocab if (spelt := fits(entry, word, position, case.prefix))}
        if not fitting:
            return [case.unk_token]
        pieces.append(max(fitting, key=lambda entry: len(fitting[entry])))
        position += len(fitting[pieces[-1]])
    return pieces
