"""What spec/decoder.yaml defines of joining."""

from collections.abc import Sequence


def joined(tokens: Sequence[str], prefix: str = "##") -> str:
    """The definition: a mark before each token that begins a word, which a space takes the place of at the end."""
    marked = "".join(
        token[len(prefix) :] if place and token[: len(prefix)] == prefix else f"\x1e{token}"
        for place, token in enumerate(tokens)
    )
    return marked[1:].replace("\x1e", " ")
