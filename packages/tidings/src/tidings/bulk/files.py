"""Files by path: those of this machine, and those of all file systems of fsspec (s3://, gs://, hdfs://, memory://)."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import blake2b
from pathlib import Path
from secrets import token_hex
from typing import Any, BinaryIO, Final, cast

from tidings.errors import ExportError, InputError, NoRoom, needs

#: Errors of a full disk, an exceeded quota or file size limit.
_FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
_WEB: Final = ("http://", "https://", "ftp://")
PART: Final = ".part"
#: Bytes at each end of a file that its fingerprint covers.
_SAMPLE: Final = 64 * 1024
#: Chunk size for the digest of a whole file.
_PIECE: Final = 1024 * 1024


def is_remote(address: str) -> bool:
    """Return whether a path is a URL for fsspec."""
    return "://" in address


def resolved(address: str) -> str:
    """Return the normalised path, equal for all spellings of a local path."""
    return address if is_remote(address) else str(Path(address).resolve())


def join(address: str, *names: str) -> str:
    """Return the path of a file in a folder."""
    return "/".join([address.rstrip("/"), *names]) if is_remote(address) else str(Path(address, *names))


def _system(address: str) -> tuple[Any, str]:
    """Return the file system of a URL, and the path in it.

    Raises:
        MissingExtra: fsspec is not installed.
        InputError: fsspec does not support the URL.
    """
    if address.startswith(_WEB):
        raise InputError(
            f"{address} is on the web: only the archives that a CDX names are fetched from there, record by record"
        )
    with needs(f"to open {address}", "bulk"):
        import fsspec
    try:
        system, path = fsspec.core.url_to_fs(address)
    except (ImportError, ValueError) as error:
        raise InputError(f"{address} cannot be opened: {error}") from error
    return system, path


def open_file(address: str) -> BinaryIO:
    """Open a seekable file for reading.

    Raises:
        InputError: the file cannot be opened.
    """
    try:
        if not is_remote(address):
            return Path(address).open("rb")
        system, path = _system(address)
        return cast("BinaryIO", system.open(path, "rb", block_size=8 * 1024 * 1024))
    except OSError as error:
        raise InputError(f"{address} cannot be read: {error.strerror or error}") from error


def _etag(address: str) -> str:
    """Return the ETag and size of a remote file; an empty string if it has none."""
    if is_remote(address):
        system, path = _system(address)
        with suppress(OSError):
            info = system.info(path)  # free after a listing, which file systems cache
            if info.get("ETag"):
                return f"{info['ETag']} {info.get('size')}"
    return ""


def fingerprint(address: str) -> str:
    """Return a remote file's ETag, or a digest of a file's size and of its first and last 64 KiB.

    Raises:
        InputError: it cannot be read.
    """
    if etag := _etag(address):
        return etag
    with open_file(address) as stream:
        try:
            digest = blake2b(stream.read(_SAMPLE), digest_size=16)
            size = stream.seek(0, os.SEEK_END)
            stream.seek(max(0, size - _SAMPLE))
            digest.update(stream.read(_SAMPLE) + str(size).encode())
        except OSError as error:
            raise InputError(f"{address} cannot be read: {error.strerror or error}") from error
    return digest.hexdigest()


def content_digest(address: str) -> str:
    """Return a remote file's ETag, or a digest of all bytes of a file.

    Raises:
        InputError: it cannot be read.
    """
    if etag := _etag(address):
        return etag
    digest = blake2b(digest_size=16)
    with open_file(address) as stream:
        try:
            while piece := stream.read(_PIECE):
                digest.update(piece)
        except OSError as error:
            raise InputError(f"{address} cannot be read: {error.strerror or error}") from error
    return digest.hexdigest()


def read_bytes(address: str) -> bytes:
    """Return the content of a file.

    Raises:
        InputError: the file cannot be read.
    """
    with open_file(address) as stream:
        return stream.read()


def size_of(address: str) -> int | None:
    """Return the size of a file in bytes; None if it does not exist."""
    try:
        if not is_remote(address):
            path = Path(address)
            return path.stat().st_size if path.is_file() else None
        system, path_in_it = _system(address)
        return int(system.size(path_in_it)) if system.isfile(path_in_it) else None
    except OSError:
        return None


def is_folder(address: str) -> bool:
    """Return whether the path is a folder."""
    if not is_remote(address):
        return Path(address).is_dir()
    system, path = _system(address)
    return bool(system.isdir(path))


def files_in(address: str, *, deep: bool = False) -> list[str]:
    """Return the sorted paths of the files in a folder, including subfolders if `deep`."""
    if not is_remote(address):
        folder = Path(address)
        return sorted(str(entry) for entry in (folder.rglob("*") if deep else folder.glob("*")) if entry.is_file())
    system, path = _system(address)
    if not system.isdir(path):
        return []
    paths = (
        system.find(path)
        if deep
        else [entry["name"] for entry in system.ls(path, detail=True) if entry["type"] == "file"]
    )
    return sorted(str(system.unstrip_protocol(entry)) for entry in paths)


def matches(pattern: str) -> list[str]:
    """Return the sorted paths of the files that match a pattern."""
    if is_remote(pattern):
        system, path = _system(pattern)
        return sorted(str(system.unstrip_protocol(path_found)) for path_found in system.glob(path))
    import glob

    return sorted(path_found for path_found in glob.glob(pattern, recursive=True) if Path(path_found).is_file())  # noqa: PTH207


def make_folder(address: str) -> None:
    """Create a folder if it does not exist.

    Raises:
        ExportError: the folder cannot be created.
    """
    with _named(address):
        if not is_remote(address):
            Path(address).mkdir(parents=True, exist_ok=True)
        else:
            system, path = _system(address)
            system.makedirs(path, exist_ok=True)


def remove(address: str) -> None:
    """Remove a file if it exists."""
    with suppress(OSError):
        if not is_remote(address):
            Path(address).unlink(missing_ok=True)
        else:
            system, path = _system(address)
            if system.exists(path):
                system.rm(path)


@contextmanager
def whole_file(address: str) -> Iterator[BinaryIO]:
    """Open a file for writing under a temporary name, and rename it on success, so that it is never incomplete.

    Raises:
        NoRoom: the disk is full.
        ExportError: the file cannot be written.
    """
    folder, _, name = address.replace(os.sep, "/").rpartition("/")
    temporary = f"{folder}/.{name}.{token_hex(4)}{PART}" if folder else f".{name}.{token_hex(4)}{PART}"
    try:
        with _named(address):
            if not is_remote(address):
                with Path(temporary).open("wb") as stream:
                    yield stream
                    stream.flush()
                    os.fsync(stream.fileno())
                Path(temporary).replace(address)
            else:
                system, path = _system(temporary)
                with system.open(path, "wb") as remote:
                    yield remote
                system.mv(path, _system(address)[1])
    finally:
        remove(temporary)


@contextmanager
def _named(address: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno in _FULL:
            raise NoRoom(
                f"there is no room left for {address}; free some and run it again. No half file was left behind"
            ) from error
        raise ExportError(f"{address} cannot be written: {error.strerror or error}") from error
