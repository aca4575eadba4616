"""How far two tokenizers part, for a person to read."""

from collections.abc import Iterator

from goldpiece.suite.drift.groups import Drift, Group, Minimal
from goldpiece.suite.drift.kinds import Kind
from goldpiece.suite.ready_made import Encoded
from goldpiece.suite.values import code_points, show, visible

OTHERS = 6  # texts of a group that are named


def account(found: Drift, corpus: str, limit: int) -> Iterator[tuple[str, str]]:
    """Lines of text, each with a style; of the groups no more than `limit` are shown."""
    yield f"OLD {found.old}, NEW {found.new}, corpus {corpus}", "bold"
    style = "red" if found.moved else "green"
    yield f"documents   {found.moved:,} of {found.documents:,} moved{_share(found.moved, found.documents)}", style
    touched = sum(group.old_tokens for group in found.groups)
    tokens = f"{touched:,} of {found.old_tokens:,} moved{_share(touched, found.old_tokens)}"
    yield f"tokens      {tokens}; {found.old_tokens:,} → {found.new_tokens:,} in all", style
    for place, group in enumerate(found.groups[:limit], start=1):
        yield "", ""
        yield from _of_group(place, group, found)
    if len(found.groups) > limit:
        yield "", ""
        yield f"and {_count(len(found.groups) - limit, 'more group')} (--json FILE has them all)", "dim"


def _share(part: int, whole: int) -> str:
    return f" ({part / whole:.1%})" if whole else ""


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'s' * (number != 1)}"


def _of_group(place: int, group: Group, found: Drift) -> Iterator[tuple[str, str]]:
    about = f": {group.key.about}" if group.key.about else ""
    yield f"{place}. {group.key.kind.value}{about}", "bold"
    tokens = f"{group.old_tokens:,} → {group.new_tokens:,} tokens{_share(group.old_tokens, found.old_tokens)}"
    documents = f"{_count(group.documents, 'document')}{_share(group.documents, found.documents)}"
    yield f"   {_count(group.differences, 'place')}, {documents}, {tokens}", ""
    if group.minimal:
        yield from _of_minimal(group.minimal, group.key.kind)
    else:
        yield "   No smaller text was found: it did not come again, or calls gave no answer.", "yellow"
    frequent = [f"{show(text, 40)} {times:,}×" for text, times in group.texts[:OTHERS]]
    more = f" and {_count(len(group.texts) - OTHERS, 'other')}" if len(group.texts) > OTHERS else ""
    if group.texts[0][0]:
        yield f"     at  {', '.join(frequent)}{more}", "dim"


def _of_minimal(minimal: Minimal, kind: Kind) -> Iterator[tuple[str, str]]:
    explained = f"   ({code_points(minimal.text)})" if len(minimal.text) <= 4 and not minimal.text.isascii() else ""
    yield f"   text  {show(minimal.text)}{explained}", ""
    yield f"    OLD  {_row(minimal.old, kind)}", "red"
    yield f"    NEW  {_row(minimal.new, kind)}", "green"


def _row(encoded: Encoded, kind: Kind) -> str:
    """The tokens; where they are the same, with what is not."""
    if encoded.error:
        return f"error: {visible(encoded.error)}"
    tokens = [visible(token) for token in encoded.tokens]
    if kind is Kind.IDS:
        tokens = [f"{token}={number}" for token, number in zip(tokens, encoded.ids, strict=True)]
    if kind is Kind.OFFSETS:
        tokens = [f"{token}[{start}:{end}]" for token, (start, end) in zip(tokens, encoded.offsets, strict=True)]
    return " ".join(tokens) or "(no token)"
