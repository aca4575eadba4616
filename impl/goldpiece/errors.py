"""The errors that Goldpiece raises on purpose. Each names the input that caused it and what to do about it."""

from pathlib import Path

LONGEST = 300  # characters of what a file error says of the problem, and of the remedy


class GoldpieceError(Exception):
    """Every error that Goldpiece raises on purpose derives from it; all but HarnessError are for the user to mend."""

    def __reduce__(self) -> tuple[object, ...]:
        """As it is when it comes from another process: what it was made of is not kept, so it is not made anew."""
        return _restored, (type(self), self.args, vars(self))


def _restored(kind: type[GoldpieceError], arguments: tuple[object, ...], attributes: dict[str, object]) -> object:
    error = kind.__new__(kind, *arguments)
    vars(error).update(attributes)
    return error


class FileError(GoldpieceError):
    """A file that cannot be used: which, where in it, why, and what to do."""

    def __init__(self, path: Path | str, line: int | None, problem: str, remedy: str) -> None:
        self.path, self.line, self.problem, self.remedy = Path(path), line, _shortened(problem), _shortened(remedy)
        place = f"{path}:{line}" if line else f"{path}"
        super().__init__(f"{place}: {self.problem}. {self.remedy}")


def _shortened(message: str) -> str:
    """A message that shows what a file holds, without the middle where it holds very much."""
    return message if len(message) <= LONGEST else f"{message[: LONGEST // 2]} … {message[-LONGEST // 2 :]}"


class UsageError(GoldpieceError):
    """A command, option or subject that cannot be used as given."""


class HarnessError(GoldpieceError):
    """The harness itself is at fault: a law, strategy or oracle broke, and no verdict can be trusted."""
