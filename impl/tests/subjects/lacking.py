"""Subjects that lack something."""


class NoVocabulary:
    """Takes no vocabulary, so that no law can be put to it."""

    def tokenize(self, word: str) -> list[str]:
        return [word]


class NotYet:
    """Takes the parameters, and supports only the defaults."""

    def __init__(self, lowercase: bool = True) -> None:
        if not lowercase:
            raise NotImplementedError("anything but the default")

    def normalize(self, text: str) -> str:
        return text
