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


class NoSignature(dict):  # type: ignore[type-arg]
    """A class whose constructor does not say what it takes."""

    def tokenize(self, word: str) -> list[str]:
        return [word]


class Raising:
    """Every attribute of it raises."""

    def __getattr__(self, name: str) -> object:
        raise LookupError("not today")


raising = Raising()
