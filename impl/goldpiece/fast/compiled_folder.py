"""Where what was compiled is kept."""

import os
from hashlib import sha256
from pathlib import Path


def folder_for(content: bytes, place: str | None) -> Path | None:
    """The folder of what is compiled from `content`, which its name tells; None where nothing can be written.

    It is in a place that the user named or else in the caches of the user, so that it is never where a package is
    installed, which may be read-only or shared.
    """
    own = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    folder = Path(place or own) / "goldpiece" / sha256(content).hexdigest()[:16]
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return folder if os.access(folder, os.W_OK) else None
