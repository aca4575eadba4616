"""What spec/truncation.yaml defines, one token and one window at a time."""


def kept_of_pair(first: int, second: int, room: int, profile: str | None) -> tuple[int, int]:
    """How many tokens of each sequence are left, if they are taken one by one from the one that is longer then.

    `google` takes them from the second where both are alike; `hf` from the one that was the shorter at first, and from
    the first if none was.
    """
    from_first = profile == "hf" and first <= second
    while first + second > room:
        if first > second or (first == second and from_first):
            first -= 1
        else:
            second -= 1
    return first, second


def windows(length: int, size: int, stride: int, side: str) -> list[list[int]]:
    """Windows of `size` positions, each going on with the last `stride` of the one before; from the end for `left`."""
    order = list(range(length))
    if side == "left":
        order.reverse()
    found = [order[:size]]
    rest = order[size:]
    while rest:
        shared = found[-1][len(found[-1]) - stride :]
        new = size - stride
        found.append(shared + rest[:new])
        rest = rest[new:]
    return [sorted(window) for window in found]
