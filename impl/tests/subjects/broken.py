"""A module that cannot be imported."""

1 / 0  # noqa: B018 (that is what it is for)
