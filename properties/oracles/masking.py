"""Masking from its definition, by lists and look-ups and without units, budgets or replacements as objects.

It shares nothing with the reference but the definition, and so stands as a witness for its goldens.
"""

from collections.abc import Iterator, Sequence

WRAP = 2**64
STEP = 0x9E3779B97F4A7C15
MARKS = ("##", "Ġ", "▁", "</w>")
SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")


class RateOutOfRange(Exception):
    """An error that spec/masking.yaml names."""


def bert_target(length: int, rate: float, most: int | None = None) -> int:
    """How many tokens of a row the budget `bert` wants, half a token rounded to even."""
    exact = length * rate
    whole = int(exact)
    up = exact - whole > 0.5 or (exact - whole == 0.5 and whole % 2 == 1)
    target = max(1, whole + up)
    return target if most is None else min(target, most)


def stir(number: int) -> int:
    """The output function of SplitMix64."""
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        number = ((number ^ (number >> shift)) * factor) % WRAP
    return number ^ (number >> 31)


def state_of(seed: int, epoch: int, ids: Sequence[int], index: int | None) -> int:
    """Where the numbers of a row begin."""
    if index is None:
        weights = [stir(STEP * (place + 1) % WRAP) for place in range(len(ids))]
        last = [1, sum(weight * (number + 1) for weight, number in zip(weights, ids, strict=True))]
    else:
        last = [0, index]
    state = 0
    for number in [seed, epoch, *last]:
        state = stir(((state ^ (number % WRAP)) + STEP) % WRAP)
    return state


def numbers(seed: int, epoch: int, ids: Sequence[int], index: int | None) -> list[list[int]]:
    """The numbers of each token: the outputs of SplitMix64 from the state on, four for each."""
    counter, found = state_of(seed, epoch, ids, index), []
    for _ in ids:
        of_token = []
        for _ in range(4):
            counter = (counter + STEP) % WRAP
            of_token.append(stir(counter))
        found.append(of_token)
    return found


def groups(tokens: Sequence[str], mark: str, special: Sequence[str] = SPECIAL) -> list[list[int]]:
    """Where each word begins and ends."""
    found: list[list[int]] = []
    for place, token in enumerate(tokens):
        if token in special:
            continue
        before = tokens[place - 1] if place else None
        continues = {
            "##": token.startswith("##"),
            "Ġ": not token.startswith("Ġ"),
            "▁": not token.startswith("▁"),
            "</w>": before is not None and not before.endswith("</w>"),
        }[mark]
        if continues and before is not None and before not in special:
            found[-1][1] += 1
        else:
            found.append([place, place + 1])
    return found


def mark_of(vocab: Sequence[str]) -> str:
    """The mark of most entries."""
    counts = [
        sum((token.endswith(mark) if mark == "</w>" else token.startswith(mark)) and token != mark for token in vocab)
        for mark in MARKS
    ]
    return MARKS[counts.index(max(counts))]


def word_ids(offsets: Sequence[Sequence[int]], segments: Sequence[Sequence[int]]) -> list[int | None]:
    """Each token's word, by the segment in which it begins."""
    found: list[int | None] = []
    holders: list[object] = []
    for place, (start, end) in enumerate(offsets):
        inside = [each for each in range(len(segments)) if segments[each][0] <= start < segments[each][1]]
        holders.append(None if start == end else inside[0] if inside else f"alone {place}")
    word = -1
    for place, holder in enumerate(holders):
        if holder is not None and (place == 0 or holder != holders[place - 1]):
            word += 1
        found.append(None if holder is None else word)
    return found


class Masking:
    """The whole of it, row by row."""

    def __init__(  # noqa: PLR0917 (as many parameters as the spec has)
        self,
        vocab: Sequence[str],
        unit: str = "subword",
        budget: str = "bernoulli",
        rate: float = 0.15,
        max_predictions: int | None = None,
        mask_rate: float = 0.8,
        random_rate: float = 0.1,
        replace_per: str = "token",
        random_special: bool = False,
        span_p: float = 0.2,
        span_limit: int = 10,
        seed: int = 0,
    ) -> None:
        if not 0 <= rate <= 1:
            raise RateOutOfRange
        self.vocab, self.unit, self.budget, self.rate, self.most, self.seed = (
            vocab,
            unit,
            budget,
            rate,
            max_predictions,
            seed,
        )
        self.mask_rate, self.random_rate, self.per_unit = mask_rate, random_rate, replace_per == "unit"
        self.words = [number for number, token in enumerate(vocab) if random_special or token not in SPECIAL]
        self.span_p, self.span_limit = span_p, span_limit

    def mask(
        self,
        ids: list[list[int]],
        word_ids: list[list[int | None]] | None,
        attention_mask: list[list[int]] | None,
        indexes: list[int] | None,
        epoch: int,
    ) -> tuple[list[list[int]], list[list[int]]]:
        both = []
        for number, row in enumerate(ids):
            real = [place for place in range(len(row)) if attention_mask is None or attention_mask[number][place]]
            given = None if word_ids is None else [word_ids[number][place] for place in real]
            changes = self._row(
                [row[place] for place in real], given, None if indexes is None else indexes[number], epoch
            )
            changed = {real[place]: seen for place, seen in changes.items()}
            both.append(
                (
                    [changed.get(place, token) for place, token in enumerate(row)],
                    [token if place in changed else -100 for place, token in enumerate(row)],
                )
            )
        return [seen for seen, _ in both], [labels for _, labels in both]

    def _row(self, ids: list[int], given: list[int | None] | None, index: int | None, epoch: int) -> dict[int, int]:
        """What stands at each selected position."""
        lots = numbers(self.seed, epoch, ids, index)
        whole = stir(state_of(self.seed, epoch, ids, index))
        tokens = [self.vocab[number] for number in ids]
        units = list(self._units(tokens, given, lots))
        units.sort(key=lambda unit: lots[unit[0]][0])
        chosen = self._chosen(units, len(ids), lots, whole)
        return {place: self._seen(ids[place], place, unit, lots) for unit in chosen for place in unit}

    def _units(self, tokens: list[str], given: list[int | None] | None, lots: list[list[int]]) -> Iterator[list[int]]:
        ordinary = [
            token not in SPECIAL and (given is None or given[place] is not None) for place, token in enumerate(tokens)
        ]
        words: list[list[int]] = []
        if self.unit == "subword":
            words = [[place] for place, able in enumerate(ordinary) if able]
        elif given is None:
            words = [list(range(*span)) for span in groups(tokens, mark_of(self.vocab))]
        else:
            for place in (place for place, able in enumerate(ordinary) if able):
                if words and words[-1][-1] == place - 1 and given[place] == given[place - 1]:
                    words[-1].append(place)
                else:
                    words.append([place])
        while self.unit == "span" and words:
            most, length = self.span_limit, 1
            weights = [self.span_p * (1 - self.span_p) ** (size - 1) for size in range(1, most + 1)]
            lot = _share(lots[words[0][0]][3]) * sum(weights)
            while length < most and lot >= sum(weights[:length]):
                length += 1
            span, words = words[0], words[1:]
            for _ in range(length - 1):
                if words and words[0][0] == span[-1] + 1:
                    span, words = span + words[0], words[1:]
            yield span
        yield from words

    def _chosen(self, units: list[list[int]], length: int, lots: list[list[int]], whole: int) -> list[list[int]]:
        """Of units in their random order those that are selected."""
        if self.budget == "bernoulli":
            return [unit for unit in units if _share(lots[unit[0]][0]) < self.rate]
        if self.budget == "fraction":
            return units[: int(self.rate * len(units) + _share(whole))]
        target = bert_target(length, self.rate, self.most) if self.budget == "bert" else int(length * self.rate)
        spare = 0 if self.budget == "bert" else 2
        chosen: list[list[int]] = []
        for unit in units:
            total = sum(map(len, chosen))
            if total >= target:
                break
            if total + len(unit) <= target + spare:
                chosen.append(unit)
        return chosen

    def _seen(self, original: int, place: int, unit: list[int], lots: list[list[int]]) -> int:
        lot = _share(lots[unit[0] if self.per_unit else place][1])
        if lot < self.mask_rate:
            return list(self.vocab).index("[MASK]")
        if lot < self.mask_rate + self.random_rate:
            return self.words[(lots[place][2] // 2**32) * len(self.words) // 2**32]
        return original

    def identify_word_groups(self, tokens: list[str]) -> list[list[int]]:
        return groups(tokens, mark_of(self.vocab))

    def segment(self, offsets: list[list[int]], segments: list[list[int]]) -> list[int | None]:
        return word_ids(offsets, segments)

    def draws(self, ids: list[int], index: int | None, epoch: int) -> list[list[int]]:
        return numbers(self.seed, epoch, ids, index)


def _share(number: int) -> float:
    """The upper 53 bits as a fraction."""
    return number // 2**11 / 2**53
