"""The parsed form of the specs, kept beside them as Python keeps bytecode: to parse them takes most of a start.

It lies in `__pycache__` (or under `sys.pycache_prefix`), and is used where it was made of these very bytes by this very
parser. Where it cannot be written, or is damaged, the specs are parsed.
"""

import hashlib
import marshal
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib.util import cache_from_source
from pathlib import Path

import yaml

from goldpiece.errors import FileError
from goldpiece.formats.atomic import write_atomically
from goldpiece.suite import strict_yaml
from goldpiece.suite.strict_yaml import Document

DIGEST = hashlib.sha256().digest_size


def parsed(paths: Sequence[Path], parse: Callable[[Path], Document], depends_on: Sequence[Path]) -> list[Document]:
    """The documents at `paths`, as `parse` makes them. What they are depends on the files of `depends_on` as well."""
    try:
        place = Path(cache_from_source(str(paths[0].with_name("specs.py")))).with_suffix(".parsed")
        key = _key([*paths, *depends_on, Path(strict_yaml.__file__)])
    except (NotImplementedError, OSError):  # a Python that keeps no bytecode, or files that `parse` will speak of
        return [parse(path) for path in paths]
    if (content := _content(place, key)) is None:
        documents = [parse(path) for path in paths]
        _keep(place, key, documents)
        return documents
    kept = marshal.loads(content)  # noqa: S302 (_keep wrote it, as its digest says)
    return [Document(path, *each) for path, each in zip(paths, kept, strict=True)]


def _key(paths: Sequence[Path]) -> bytes:
    digest = hashlib.sha256(f"{yaml.__version__} {sys.version}".encode())
    for path in paths:
        content = path.read_bytes()
        digest.update(f"{path.name} {len(content)} ".encode() + content)
    return digest.digest()


def _content(place: Path, key: bytes) -> bytes | None:
    with suppress(OSError):
        kept = place.read_bytes()
        content = kept[2 * DIGEST :]
        if kept[: 2 * DIGEST] == key + hashlib.sha256(content).digest():
            return content
    return None


def _keep(place: Path, key: bytes, documents: Sequence[Document]) -> None:
    if sys.dont_write_bytecode:
        return
    with suppress(OSError, FileError, ValueError):  # ValueError: of a value that only YAML knows, such as a date
        content = marshal.dumps([(each.data, each.lines, each.written) for each in documents])
        place.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(place, key + hashlib.sha256(content).digest() + content)
