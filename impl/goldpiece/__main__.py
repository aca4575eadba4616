"""`python -m goldpiece` is `goldpiece`."""


def main() -> None:
    """Runs the command. What it takes is imported here: processes that count words import this module, and need none."""
    from goldpiece.cli import main as run  # noqa: PLC0415

    run()


if __name__ == "__main__":
    main()
