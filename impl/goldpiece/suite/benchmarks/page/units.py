"""How the page writes a number: with the unit that it is read best in."""


def seconds(value: float) -> str:
    for unit, length in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if value >= length:
            return f"{three_digits(value / length)} {unit}"
    return f"{three_digits(value / 1e-9)} ns"


def size(value: float) -> str:
    """Bytes, by powers of ten."""
    for unit, length in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if value >= length:
            return f"{three_digits(value / length)} {unit}"
    return f"{value:.0f} B"


def three_digits(value: float) -> str:
    """As many digits as tell, and no more: 1.23, 12.3, 123."""
    return f"{value:,.{max(0, 2 - (value >= 10) - (value >= 100))}f}"


def ratio(value: float) -> str:
    """A ratio near 1 in thousandths, since a hundredth may be what is judged."""
    return f"{value:.3f}" if 0.5 <= value < 2 else f"{three_digits(value)}"
