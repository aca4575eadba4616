"""What parts two tokenizers, as JSON. The form is drift.schema.json beside this file."""

from dataclasses import asdict
from pathlib import Path

import goldpiece
from goldpiece.suite.drift.groups import Drift, Group

SCHEMA = Path(__file__).with_name("drift.schema.json")


def drift_to_json(found: Drift, corpus: str) -> dict[str, object]:
    """All groups, and of each all texts."""
    return {
        "schema": 1,
        "goldpiece": goldpiece.__version__,
        "old": found.old,
        "new": found.new,
        "corpus": corpus,
        "documents": found.documents,
        "moved": found.moved,
        "old_tokens": found.old_tokens,
        "new_tokens": found.new_tokens,
        "groups": [_group(group) for group in found.groups],
    }


def _group(group: Group) -> dict[str, object]:
    return {
        "kind": group.key.kind.value,
        "about": group.key.about,
        "differences": group.differences,
        "documents": group.documents,
        "old_tokens": group.old_tokens,
        "new_tokens": group.new_tokens,
        "minimal": asdict(group.minimal) if group.minimal else None,
        "texts": [{"text": text, "times": times} for text, times in group.texts],
    }
