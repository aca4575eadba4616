"""What spec/decoder.yaml defines of joining."""

from collections.abc import Sequence

# What cleanup seeks in a token with the space before it, in this order; with an underscore for each space.
SOUGHT = ("_.", "_?", "_!", "_,", "_'_", "_n't", "_'m", "_do_not", "_'s", "_'ve", "_'re")


def joined(tokens: Sequence[str], prefix: str = "##") -> str:
    """The definition: a mark before each token that begins a word, which a space takes the place of at the end."""
    marked = "".join(
        token[len(prefix) :] if place and token[: len(prefix)] == prefix else f"\x1e{token}"
        for place, token in enumerate(tokens)
    )
    return marked[1:].replace("\x1e", " ")


def cleaned(tokens: Sequence[str], prefix: str = "##") -> str:
    """The definition of cleanup: each token, with the space before it if there is one, is cleaned by itself."""
    text = ""
    for place, token in enumerate(tokens):
        continues = place > 0 and token[: len(prefix)] == prefix
        part = token[len(prefix) :] if continues else " " * (place > 0) + token
        part = part.replace(" ", "_")
        for sought in SOUGHT:
            part = ("_don't" if sought == "_do_not" else sought.strip("_")).join(part.split(sought))
        text += part.replace("_", " ")
    return text
