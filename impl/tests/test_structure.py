"""The tree keeps the shape that CONTRIBUTING.md describes."""

from pathlib import Path

import pytest

from goldpiece.suite import rooms
from goldpiece.suite.loader import load_specs

ROOT = rooms.room("spec").parent


def modules() -> list[Path]:
    return [path for room in ("impl", "properties", "bench") for path in (ROOT / room).rglob("*.py")]


@pytest.mark.parametrize("path", modules(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_module_fits_in_the_head(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) < 400
    assert text.startswith('"""'), "it says first what it is for"


def test_every_component_is_in_its_rooms() -> None:
    for spec in load_specs():
        for room in ("impl/goldpiece/reference/{}.py", "properties/test_{}.py", "properties/mutants/{}.py"):
            assert (ROOT / room.format(spec.name)).is_file()
        assert (ROOT / f"bench/bench_{spec.name}.py").is_file()
