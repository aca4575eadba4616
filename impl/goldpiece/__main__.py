"""`python -m goldpiece` is `goldpiece`."""


def main() -> None:
    """Runs the command. It is imported here: processes that count words import this module, too."""
    from goldpiece.cli import main as run  # noqa: PLC0415

    run()


if __name__ == "__main__":
    main()
