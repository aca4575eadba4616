"""Text cut into words and punctuation marks."""

from goldpiece.reference.pre_tokenizer import PreTokenizer

__all__ = ["pre_tokenize"]


def pre_tokenize(text: str) -> tuple[list[str], list[tuple[int, int]]]:
    """The words of `text`, and where each begins and ends in it, in code points."""
    return PreTokenizer("google").pre_tokenize(text)
