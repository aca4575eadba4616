"""What moved since a lock file was recorded, for a person to read."""

from collections.abc import Iterator
from difflib import SequenceMatcher

from goldpiece.suite.golden.lock import Moved
from goldpiece.suite.golden.lock_file import Document, Lock, Row
from goldpiece.suite.values import show, visible

CONTEXT = 3  # tokens shown on either side of a difference


def account(recorded: Lock, moved: Moved, limit: int) -> Iterator[tuple[str, str]]:
    """Lines of text, each with a style; of the texts that moved no more than `limit` are shown."""
    header = recorded.header
    versions = header.version if header.version == moved.version else f"{header.version} → {moved.version}"
    yield f"{header.subject} {versions}, corpus {header.corpus}", "bold"
    yield from _of_documents(recorded, moved, limit)
    yield from _of_rows(recorded, moved, limit)


def _of_documents(recorded: Lock, moved: Moved, limit: int) -> Iterator[tuple[str, str]]:
    count = len(recorded.documents)
    if moved.without_corpus:
        yield f"documents   {count} not looked at: {moved.without_corpus}", "yellow"
        return
    before = sum(each.tokens for each in recorded.documents)
    tokens = f"{before:,} tokens" if before == moved.tokens else f"{before:,} → {moved.tokens:,} tokens"
    yield f"documents   {len(moved.documents)} of {count} moved; {tokens}", "red" if moved.documents else "green"
    for (was, now), beginning in list(zip(moved.documents, moved.beginnings, strict=True))[:limit]:
        yield f"  document {was.number}: {_what_moved(was, now)}; it begins {show(beginning)}", ""
    if len(moved.documents) > limit:
        yield f"  and {len(moved.documents) - limit} more", "dim"


def _what_moved(was: Document, now: Document) -> str:
    if was.tokens_digest != now.tokens_digest:
        return f"other tokens, {was.tokens} → {now.tokens}"
    if was.ids_digest != now.ids_digest:
        return "the same tokens with other ids"
    return "the same tokens at other offsets"


def _of_rows(recorded: Lock, moved: Moved, limit: int) -> Iterator[tuple[str, str]]:
    yield f"in full     {len(moved.rows)} of {len(recorded.rows)} texts moved", "red" if moved.rows else "green"
    for was, now in moved.rows[:limit]:
        yield f"  {was.what}: {show(was.text, 90)}", ""
        yield from _difference(was, now)
    if len(moved.rows) > limit:
        yield f"  and {len(moved.rows) - limit} more", "dim"


def _difference(was: Row, now: Row) -> Iterator[tuple[str, str]]:
    """The first place where the two part, with what stands around it."""
    if was.error or now.error:
        yield f"    - {_summary(was)}", "red"
        yield f"    + {_summary(now)}", "green"
    elif list(was.tokens) != list(now.tokens):
        matcher = SequenceMatcher(None, was.tokens, now.tokens, autojunk=False)
        _, start, end, new_start, new_end = next(each for each in matcher.get_opcodes() if each[0] != "equal")
        yield f"    - {_window(was, start, end)}", "red"
        yield f"    + {_window(now, new_start, new_end)}", "green"
    else:
        name = "ids" if was.ids != now.ids else "offsets"
        pairs = zip(was.tokens, getattr(was, name), getattr(now, name), strict=True)
        token, before, after = next((token, one, other) for token, one, other in pairs if one != other)
        yield f"    {name} of {show(token)}: {before} → {after}", "red"


def _summary(row: Row) -> str:
    return f"error: {visible(row.error)}" if row.error else f"{len(row.tokens)} tokens"


def _window(row: Row, start: int, end: int) -> str:
    first, last = max(0, start - CONTEXT), end + CONTEXT
    tokens = " ".join(map(visible, row.tokens[first:last]))
    return f"{'… ' if first else ''}{tokens}{' …' if last < len(row.tokens) else ''}"
