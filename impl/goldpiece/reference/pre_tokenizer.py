"""BERT pre-tokenizer: text cut into words and punctuation marks. Spec: spec/pre_tokenizer.yaml."""

from dataclasses import dataclass

from goldpiece.reference.unicode import UnicodeProfile, characters


@dataclass(frozen=True)
class PreTokenizer:
    """Cuts at white space, and around every punctuation mark."""

    profile: UnicodeProfile = "hf"

    def pre_tokenize(self, text: str) -> tuple[list[str], list[tuple[int, int]]]:
        """The words of `text`, and where each begins and ends: `text[start:end]`, in code points."""
        known = characters(self.profile)
        spans: list[tuple[int, int]] = []
        is_open = False  # whether a word is being read
        for place, char in enumerate(text):
            if char in known.white_space:
                is_open = False
            elif char in known.punctuation:
                spans.append((place, place + 1))
                is_open = False
            elif is_open:
                spans[-1] = (spans[-1][0], place + 1)
            else:
                spans.append((place, place + 1))
                is_open = True
        return [text[start:end] for start, end in spans], spans
