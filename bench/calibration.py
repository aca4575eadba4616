"""What pass times are compared with where machines differ: work of the kind that tokenizers do, in plain Python.

It must stay as it is: ratios to it are what saved runs of two machines have in common.
"""

TEXT = "the quick brown fox jumps over the lazy dog and thanks it for all the fish "
STEPS = 3_000  # about a millisecond


def calibration() -> int:
    """Cuts words out of a text and counts them; how many different ones there are."""
    counts: dict[str, int] = {}
    length = len(TEXT)
    for step in range(STEPS):
        begin = step * 7 % length
        word = TEXT[begin : begin + 1 + step % 5]
        counts[word] = counts.get(word, 0) + 1
    return len(counts)
