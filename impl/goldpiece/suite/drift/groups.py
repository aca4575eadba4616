"""Compares two tokenizers on a corpus, and groups the places where they part by what these have in common."""

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from goldpiece.suite.drift.differences import Difference, Token, differences
from goldpiece.suite.drift.kinds import Kind, character, characters, kind_of, normalization, spelt, vocabularies
from goldpiece.suite.drift.shrink import shrunk
from goldpiece.suite.golden.lock import Listener
from goldpiece.suite.ready_made import Encoded, NoAnswer, ReadyMade


@dataclass(frozen=True)
class Key:
    """What the differences of a group have in common."""

    kind: Kind
    about: str  # `capital Greek letters`; empty where there is no more to say


@dataclass(frozen=True)
class Minimal:
    """A text of which no character can be left out without losing the difference, and what each makes of it."""

    text: str
    old: Encoded
    new: Encoded


@dataclass(frozen=True)
class Group:
    """Differences of one kind. What is counted of documents and tokens is counted where they are."""

    key: Key
    differences: int
    documents: int
    old_tokens: int
    new_tokens: int
    texts: Sequence[tuple[str, int]]  # at these places, and how often each: the most frequent first
    minimal: Minimal | None  # None: it did not come again when the same text was encoded again, or nothing came


@dataclass(frozen=True)
class Drift:
    """How far two tokenizers part on a corpus. Groups that touch most tokens come first."""

    old: str
    new: str
    documents: int
    moved: int  # documents that are not the same
    old_tokens: int
    new_tokens: int
    groups: Sequence[Group]


def drift(old: ReadyMade, new: ReadyMade, documents: Sequence[str], listener: Listener) -> Drift:
    """Encodes each document by both, and looks into what is not the same.

    Raises NoAnswer where the documents cannot all be encoded.
    """
    with ThreadPoolExecutor(1) as pool:
        return _drift(_Comparison(old, new, pool), documents, listener)


def _drift(comparison: "_Comparison", documents: Sequence[str], listener: Listener) -> Drift:
    gathered: dict[Key, _Gathered] = {}
    moved, old_tokens, new_tokens = 0, 0, 0
    listener.begins(len(documents))
    for number, text in enumerate(documents):
        by_old, by_new = comparison.encoded(text)
        old_tokens, new_tokens = old_tokens + len(by_old.ids), new_tokens + len(by_new.ids)
        found = comparison.keyed(text, by_old, by_new)
        moved += bool(found)
        for key, difference in found:
            gathered.setdefault(key, _Gathered()).add(number, difference)
        listener.step(f"document {number + 1}")
    listener.begins(len(documents) + len(gathered))
    groups = []
    for key, found_of_key in gathered.items():
        groups.append(found_of_key.group(key, comparison.minimal(key, found_of_key.contexts(documents))))
        listener.step("smallest texts")
    ordered = sorted(groups, key=lambda group: (-max(group.old_tokens, group.new_tokens), -group.differences))
    old, new = (f"{each.name} {each.version}" for each in (comparison.old, comparison.new))
    return Drift(old, new, len(documents), moved, old_tokens, new_tokens, tuple(ordered))


@dataclass
class _Comparison:
    """Two tokenizers, and what is known already of single characters and tokens."""

    old: ReadyMade
    new: ReadyMade
    pool: ThreadPoolExecutor
    _alone: dict[str, set[Kind]] = field(default_factory=dict)  # how the two part on a character by itself
    _known: dict[tuple[str, str], bool] = field(default_factory=dict)  # whether OLD or NEW has a token

    def encoded(self, text: str) -> tuple[Encoded, Encoded]:
        by_new = self.pool.submit(self.new.encode, text)  # most subjects are processes: both work at the same time
        return self.old.encode(text), by_new.result()

    def keyed(self, text: str, old: Encoded, new: Encoded) -> list[tuple[Key, Difference]]:
        """The differences, each with what it has in common with others."""
        return [(self._key(each), each) for each in differences(text, old, new)]

    def minimal(self, key: Key, contexts: Iterable[str]) -> Minimal | None:
        """The smallest of the contexts, which grow, that shows such a difference; and made smaller still."""
        smallest: Minimal | None = None

        def shows_it(text: str) -> bool:
            nonlocal smallest
            try:
                candidate = Minimal(text, *self.encoded(text))
                if not any(found == key for found, _ in self.keyed(text, candidate.old, candidate.new)):
                    return False
            except NoAnswer:  # so much hung that what is found so far is all that can be
                return False
            smallest = candidate
            return True

        for context in contexts:
            if shows_it(context):
                shrunk(context, shows_it)
                break
        return smallest

    def _key(self, difference: Difference) -> Key:
        kind = kind_of(difference)
        if kind is Kind.ERROR:
            return Key(kind, f"{difference.old_error or 'none'} → {difference.new_error or 'none'}")
        if not difference.text:
            return Key(kind, "tokens that stand for no text")
        if kind is Kind.NORMALIZED and (related := normalization(spelt(difference.old), spelt(difference.new))):
            return Key(kind, related)
        if kind in (Kind.IDS, Kind.NORMALIZED):
            return Key(kind, "")
        lacking = self._lacking(difference) if kind is not Kind.OFFSETS else None
        return Key(kind, "; ".join(filter(None, [self._characters(kind, difference.text), lacking])))

    def _characters(self, kind: Kind, text: str) -> str:
        """The first character that shows such a difference by itself; if none does, all of the place."""
        culprit = next((char for char in text if kind in self._of_one(char)), None)
        return character(culprit) if culprit else characters(text)

    def _of_one(self, char: str) -> set[Kind]:
        if char not in self._alone:
            found = differences(char, *self.encoded(char))
            self._alone[char] = {kind_of(each) for each in found if each.text}
        return self._alone[char]

    def _lacking(self, difference: Difference) -> str | None:
        return vocabularies([self._lacks(self.new, difference.old), self._lacks(self.old, difference.new)])

    def _lacks(self, tokenizer: ReadyMade, tokens: Sequence[Token]) -> bool:
        """Whether its vocabulary is known to lack one of them."""
        which = "old" if tokenizer is self.old else "new"
        asked = [token.text for token in tokens if (which, token.text) not in self._known]
        answers = tokenizer.knows(asked) if asked else []
        self._known |= {(which, token): has for token, has in zip(asked, answers or [True] * len(asked), strict=True)}
        return not all(self._known[which, token.text] for token in tokens)


@dataclass
class _Place:
    """A text that differs, how often, and where it did first."""

    document: int
    start: int
    times: int = 0


@dataclass
class _Gathered:
    """What a group is made of."""

    differences: int = 0
    documents: int = 0
    tokens: tuple[int, int] = (0, 0)
    places: dict[str, _Place] = field(default_factory=dict)
    last: int = -1  # the last document

    def add(self, document: int, difference: Difference) -> None:
        self.differences += 1
        self.documents += document != self.last
        self.last = document
        self.tokens = (self.tokens[0] + len(difference.old), self.tokens[1] + len(difference.new))
        self.places.setdefault(difference.text, _Place(document, difference.start)).times += 1

    def contexts(self, documents: Sequence[str]) -> Iterator[str]:
        """The shortest text that differs, then its line, then its document: some differ only where they stand."""
        text, place = min(self.places.items(), key=lambda item: (len(item[0]), -item[1].times))
        yield text
        whole = documents[place.document]
        line_end = whole.find("\n", place.start + len(text))
        yield whole[whole.rfind("\n", 0, place.start) + 1 : line_end if line_end >= 0 else len(whole)]
        yield whole

    def group(self, key: Key, minimal: Minimal | None) -> Group:
        frequent = sorted(self.places.items(), key=lambda item: -item[1].times)
        texts = [(text, place.times) for text, place in frequent]
        return Group(key, self.differences, self.documents, *self.tokens, texts, minimal)
