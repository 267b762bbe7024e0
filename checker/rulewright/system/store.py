"""Keeps what is dear to compute in a folder, under a name for all that it was computed from.

An entry is one file of JSON with a checksum of its key and its content. Whatever does not fit its
checksum or has another shape than its reader expects is thrown away and computed anew, so damage
heals by itself. An entry is written under a name of its own and then put in its place, whole or not
at all: two processes, an end in the middle and a full disk leave nothing half done. A folder that
belongs to somebody else, or that others may write to, is not used.

A store never raises: one that cannot be read has nothing, one that cannot be written keeps nothing.
"""

from __future__ import annotations

import os
import sys

from rulewright.resources import cache_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

MARK = "rulewright"
LARGEST = 256 << 20
"""Bytes of an entry; nothing that we write comes near."""
NEW = "new"
"""The folder in which entries are written before they are put in their place."""
ABANDONED = 3600.0
"""Seconds after which what is still being written was abandoned."""
OTHERS_WRITE, OTHERS_READ = 0o022, 0o055

_told: set[str] = set()
"""Folders of which was said that they are not used."""


class Store:
    """Entries under a folder; None keeps nothing."""

    def __init__(self, folder: str | None) -> None:
        self._folder = folder
        self._swept = False

    def load(self, key: str, read: Callable[[Any], Any] = lambda kept: kept) -> Any:
        """What `read` makes of what is kept under a key; None if there is nothing, or if it is
        damaged or not what the reader expects: then it is thrown away."""
        path = self._path(key)
        if path is None or not self._is_ours():
            return None
        try:
            content = _content(path)
        except OSError:
            return None
        try:
            return read(_body(key, content))
        except Exception:  # whatever is wrong with it: it can be made anew
            _remove(path)
            return None

    def save(self, key: str, content: Any) -> None:
        """Keeps something under a key, whole or not at all."""
        path = self._path(key)
        if path is None or self._folder is None:
            return
        import json

        body = json.dumps(content, separators=(",", ":")).encode()
        try:
            _make(self._folder)
            if not self._is_ours():
                return
            _make(os.path.dirname(path))
            self._put(path, _head(key, body) + b"\n" + body)
        except OSError:
            return

    def _put(self, path: str, content: bytes) -> None:
        assert self._folder is not None
        place = os.path.join(self._folder, NEW)
        _make(place)
        if not self._swept:
            self._swept = True
            _sweep(place)
        temporary = os.path.join(place, f"{os.getpid()}-{os.urandom(8).hex()}")
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            try:
                left = memoryview(content)
                while left:
                    left = left[os.write(handle, left) :]
            finally:
                os.close(handle)
            os.replace(temporary, path)
        except BaseException:
            _remove(temporary)
            raise

    def _path(self, key: str) -> str | None:
        if self._folder is None:
            return None
        name = digest(key.encode())
        return os.path.join(self._folder, name[:2], name[2:])

    def _is_ours(self) -> bool:
        """Whether nobody else can have put anything into the folder; if not, that is said once."""
        folder, root = self._folder, cache_path()
        while folder is not None:
            try:
                found = os.stat(folder)
            except OSError:
                return False
            why = _distrusted(found)
            if why is not None:
                _tell(folder, why)
                return False
            if found.st_mode & OTHERS_READ:
                _close(folder)
            inside = folder != root and folder.startswith(root + os.sep)
            folder = os.path.dirname(folder) if inside else None
        return True


def digest(content: bytes) -> str:
    """A name for a content. `hashlib` would take longer to load than a spec takes to read."""
    try:
        from _sha2 import sha256  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        try:
            from _sha256 import sha256  # type: ignore[import-not-found,unused-ignore,no-redef]
        except ImportError:
            from hashlib import sha256
    found: str = sha256(content).hexdigest()
    return found


def _body(key: str, content: bytes | None) -> Any:
    """What an entry says; raises where it is damaged."""
    import json

    head, _, body = (content or b"").partition(b"\n")
    if head != _head(key, body):
        raise ValueError(key)
    return json.loads(body)


def _head(key: str, body: bytes) -> bytes:
    """The first line of an entry."""
    checksum = digest(key.encode() + b"\n" + body)
    return f"{MARK} {checksum}".encode()


def _content(path: str) -> bytes | None:
    """The bytes of an entry, None where they are not ours or too many."""
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
    with open(handle, "rb") as file:
        found = os.fstat(handle)
        if _distrusted(found) is not None or found.st_size > LARGEST:
            return None
        return file.read(LARGEST)


def _distrusted(found: os.stat_result) -> str | None:
    """Why something may have been put there by somebody else."""
    if not hasattr(os, "geteuid"):
        return None
    if found.st_uid != os.geteuid():
        return "it belongs to somebody else"
    return "others may write to it" if found.st_mode & OTHERS_WRITE else None


def _tell(folder: str, why: str) -> None:
    if folder not in _told:
        _told.add(folder)
        sys.stderr.write(
            f"warning: the cache `{folder}` is not used: {why}\n"
            "help: remove it, or name another place with XDG_CACHE_HOME\n"
        )


def _make(folder: str) -> None:
    """Makes a folder that is for its owner only, and those above it."""
    if not os.path.isdir(folder):
        _make_above(folder)
        try:
            os.mkdir(folder, 0o700)
        except FileExistsError:  # somebody else was quicker
            return


def _make_above(folder: str) -> None:
    above = os.path.dirname(folder)
    if above.startswith(cache_path()):
        _make(above)
    elif above:
        os.makedirs(above, exist_ok=True)


def _close(folder: str) -> None:
    """Has a folder of ours be for us only, as older versions did not."""
    try:
        os.chmod(folder, 0o700)
    except OSError:
        return


def _sweep(place: str) -> None:
    """Removes what was never finished."""
    import time

    for each in os.scandir(place):
        if time.time() - each.stat(follow_symlinks=False).st_mtime > ABANDONED:
            _remove(each.path)


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except OSError:
        return
