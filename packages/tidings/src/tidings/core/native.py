"""The functions of the compiled core: their types, the loaded library, and its memory.

`core/` in the repository is Rust: a library with a plain C interface, loaded with ctypes on first use. If it is
missing, damaged, of another version or platform, or the interpreter is not CPython, `library` raises `CoreMissing`;
`state` has the reason. A panic in it raises `CoreError`.
"""

from __future__ import annotations

import ctypes
import platform
import zlib
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from enum import IntEnum
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tidings.errors import CoreError, CoreMissing

#: The interface version; a library of another version is not used. The same number is in `core/src/boundary.rs`.
#: Increase both when a function or a column changes.
INTERFACE: Final = 60


class Handle(IntEnum):
    """The type of a handle, so that `tidings_free` can free it (`core/src/boundary/handles.rs`)."""

    PAGE = 0
    ANSWER = 1
    RULES = 2
    SHEET = 3
    TAG_WORDS = 4
    LANGUAGE_DETECTOR = 5
    KIND_WORDS = 6
    EXPERT = 7
    LOOK_TABLES = 8
    TABLES = 9
    ARTICLE_TABLES = 10


class Fails(IntEnum):
    """The kind of return value with which a C function reports a failure. `library` converts it to `CoreError`."""

    NEVER = 0
    NONZERO = 1
    NEGATIVE = 2
    NULL = 3


class CFunction(NamedTuple):
    """The argument types, result type and failure value of a C function."""

    result: Any
    arguments: tuple[Any, ...]
    fails: Fails = Fails.NEVER


_POINTER, _BYTES, _SIZE = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t
_INT, _I64, _F64, _F32, _BOOL = ctypes.c_int, ctypes.c_int64, ctypes.c_double, ctypes.c_float, ctypes.c_bool
_BYTE = ctypes.c_uint8

#: Every function of the core, by its name without `tidings_`.
FUNCTIONS: Final = {
    "new": CFunction(_POINTER, (_INT, _POINTER, _SIZE)),
    "free": CFunction(None, (_INT, _POINTER)),
    "scan": CFunction(_INT, (_POINTER, _BYTES, _SIZE, _BYTE, *[_SIZE] * 2, _POINTER, _POINTER), Fails.NONZERO),
    "part": CFunction(_INT, (_POINTER, _POINTER, _POINTER, _SIZE, _POINTER), Fails.NONZERO),
    "tag_words": CFunction(_INT, (*[_POINTER] * 4, _I64, _POINTER, _POINTER), Fails.NONZERO),
    "names": CFunction(_INT, (_POINTER, _POINTER, _POINTER), Fails.NONZERO),
    "kind_facts": CFunction(_INT, (*[_POINTER] * 4, _SIZE, _BYTES, _SIZE, _POINTER, _POINTER), Fails.NONZERO),
    "look": CFunction(_I64, (*[_POINTER] * 3, _BYTES, _POINTER, _POINTER, _SIZE, _POINTER), Fails.NEGATIVE),
    "feature_table": CFunction(_BYTES, ()),
    "features": CFunction(_I64, (*[_POINTER] * 3, _BYTES, *[_POINTER] * 4), Fails.NEGATIVE),
    "cut": CFunction(_INT, (_POINTER, _POINTER, _BYTES, _SIZE, _INT, _BYTES, _SIZE, _POINTER), Fails.NONZERO),
    "fragment": CFunction(
        _INT, (_POINTER, _POINTER, _BYTES, _SIZE, _POINTER, _SIZE, _INT, _BYTES, _SIZE, _POINTER), Fails.NONZERO
    ),
    "blocks": CFunction(_INT, (_POINTER, _POINTER, _POINTER, _SIZE, _BYTES, _SIZE, _POINTER), Fails.NONZERO),
    "places": CFunction(_I64, (_POINTER, _BYTES, _SIZE, _SIZE, _POINTER), Fails.NEGATIVE),
    "story_places": CFunction(_INT, (*[_POINTER] * 3, _BYTES, _SIZE, _SIZE, _POINTER, _BOOL, _POINTER), Fails.NONZERO),
    "read_pictures": CFunction(_INT, (*[_POINTER] * 4, _SIZE, _POINTER), Fails.NONZERO),
    "clean": CFunction(_INT, (_BYTES, _SIZE, _BOOL, _POINTER), Fails.NONZERO),
    "elements_with_words": CFunction(_INT, (*[_POINTER] * 4, _BYTES, _SIZE, *[_POINTER] * 3), Fails.NONZERO),
    "language": CFunction(
        _I64,
        (_POINTER, _POINTER, _BYTES, _BYTES, *[_SIZE] * 3, _BYTES, *[_SIZE] * 2, *[_POINTER] * 3),
        Fails.NEGATIVE,
    ),
    "ways": CFunction(_INT, (_POINTER, _POINTER, _BYTES, _SIZE, _POINTER, _SIZE), Fails.NONZERO),
    "choose": CFunction(_F64, (_POINTER, _POINTER, _SIZE, _F64, _BOOL, _F64, _F64, _POINTER), Fails.NEGATIVE),
    "endings": CFunction(_I64, (*[_POINTER] * 5, _SIZE, *[_POINTER] * 3), Fails.NEGATIVE),
}

#: Python encodings by bytes per character.
ENCODINGS: Final = {1: "latin-1", 2: "utf-16-le", 4: "utf-32-le"}
#: Advice for a library that cannot be used.
INSTALL: Final = (
    "install a Tidings wheel for this platform, or install Rust (on Debian: apt install cargo) and then Tidings again"
)
#: Number of failures of each function in this process.
failures: Final[Counter[str]] = Counter()

_FILES: Final = {"Windows": "tidings_core.dll", "Darwin": "libtidings_core.dylib"}


class CoreState(NamedTuple):
    """Whether the compiled core is in use, and if not, the reason."""

    is_compiled: bool
    reason: str  # the file, or why the core cannot be used


@cache
def _library() -> tuple[ctypes.CDLL | None, str]:
    """Return the library, or None, with the file or the reason, which is logged once per process."""
    library, reason = _loaded()
    if library is None:
        import logging  # noqa: PLC0415  # not imported if the core is usable

        logging.getLogger("tidings.core").debug("no compiled core: %s", reason)
    return library, reason


def _loaded() -> tuple[ctypes.CDLL | None, str]:
    if platform.python_implementation() != "CPython":
        return None, f"this is {platform.python_implementation()}; run Tidings with CPython"
    path = Path(__file__).with_name(_FILES.get(platform.system(), "libtidings_core.so"))
    try:
        if not path.exists():
            return None, f"{path} is missing; {INSTALL}"
        _check(path)
        library = ctypes.CDLL(str(path))
        interface = library.tidings_interface()
        if interface != INTERFACE:
            return None, f"{path} is of another version (interface {interface}, not {INTERFACE}); {INSTALL}"
        _declare(library)
    except (OSError, AttributeError, ValueError) as error:
        return None, " ".join(f"{path} cannot be loaded ({error}); {INSTALL}".split())
    return library, str(path)


def _check(path: Path) -> None:
    """Check that the library file is complete, because loading a partial one can crash the process.

    Raises:
        OSError, ValueError: the file cannot be read, or differs from its checksum.
    """
    sum_path = path.with_suffix(".sum")  # written by `packages/tidings/hatch_build.py`
    if sum_path.exists():
        content = path.read_bytes()
        if sum_path.read_text(encoding="ascii") != f"{len(content)} {zlib.crc32(content):08x}\n":
            raise ValueError(f"it is damaged, or not the one that {sum_path.name} beside it was written for")


def _declare(library: ctypes.CDLL) -> None:
    """Declare the types of all functions, and the results that mean failure.

    Raises:
        AttributeError: the library lacks one.
    """
    for name, declared in FUNCTIONS.items():
        function = getattr(library, f"tidings_{name}")
        function.argtypes, function.restype = declared.arguments, declared.result
        if declared.fails:
            function.errcheck = _CHECKS[declared.fails](f"tidings_{name}")


def _nonzero_fails(name: str) -> Callable[..., int]:
    def check(result: int, *_: Any) -> int:
        if result:
            raise failed(name)
        return result

    return check


def _negative_fails(name: str) -> Callable[..., int]:
    def check(result: int, *_: Any) -> int:
        if result < 0:
            raise failed(name)
        return result

    return check


def _null_fails(name: str) -> Callable[..., int]:
    def check(result: int | None, *_: Any) -> int:
        if not result:
            raise failed(name)
        return result

    return check


_CHECKS: Final = {Fails.NONZERO: _nonzero_fails, Fails.NEGATIVE: _negative_fails, Fails.NULL: _null_fails}

_first_byte: Callable[[Any], ctypes.c_char] = ctypes.c_char.from_buffer


def address_of(array: NDArray[Any]) -> int:
    """Return the address of an array's data. Three times faster than `array.ctypes.data` for a writable array."""
    try:
        return ctypes.addressof(_first_byte(array))
    except (TypeError, ValueError):  # read-only or empty
        return array.ctypes.data


def give_back() -> None:
    """Return free memory to the system, if the C library supports it."""
    with suppress(OSError, AttributeError, TypeError):  # only in glibc
        ctypes.CDLL(None).malloc_trim(0)


@cache
def state() -> CoreState:
    """Return whether the compiled functions are in use, and why not."""
    library, reason = _library()
    return CoreState(library is not None, reason)


def library() -> ctypes.CDLL:
    """Return the compiled library.

    Raises:
        CoreMissing: the library is missing or cannot be used.
    """
    loaded, reason = _library()
    if loaded is None:
        raise CoreMissing(reason)
    return loaded


def failed(function: str) -> CoreError:
    """Count and log the failure of a core function, and return the error to raise."""
    import logging  # noqa: PLC0415  # imported only on failure

    failures[function] += 1
    logging.getLogger("tidings.core").error("%s failed (%d times in this process)", function, failures[function])
    return CoreError(function)


def free(kind: Handle, handle: int) -> None:
    """Free the memory that a handle refers to."""
    library().tidings_free(kind, handle)


class CoreMemory:
    """Memory of the core, freed when no array refers to it any more.

    Args:
        kind: the type of the handle.
        handle: the handle.
        source: an object that the memory depends on.
    """

    __slots__ = ("_free", "_kind", "_source", "handle")

    def __init__(self, kind: Handle, handle: int, source: object = None) -> None:
        self._kind, self.handle, self._source = kind, handle, source
        self._free = library().tidings_free  # at exit the module may be gone before its objects

    def __del__(self) -> None:
        self._free(self._kind, self.handle)

    def array(self, address: int, size: int, kind: str) -> NDArray[Any]:
        """Return a read-only array over a part of the memory."""
        return np.asarray(_View(self, address, size, kind))


class _View:
    """A range of the core's memory with NumPy's array interface."""

    __slots__ = ("__array_interface__", "_memory")

    def __init__(self, memory: CoreMemory, address: int, size: int, kind: str) -> None:
        self._memory = memory
        self.__array_interface__ = {"data": (address, True), "shape": (size,), "typestr": kind, "version": 3}


class _ArrayPart(ctypes.Structure):
    _fields_ = (("address", ctypes.c_void_p), ("size", ctypes.c_size_t))


def new(kind: Handle, *parts: NDArray[Any] | bytes) -> int:
    """Copy arrays into a new object of the core that serves many pages (`core/src/boundary/new.rs`). Return its handle.

    Raises:
        CoreMissing: there is no core.
        ValueError: the arrays do not fit together.
    """
    arrays = [
        np.frombuffer(part, np.uint8) if isinstance(part, bytes) else np.ascontiguousarray(part) for part in parts
    ]
    places = (_ArrayPart * len(arrays))(*(_ArrayPart(array.ctypes.data, array.size) for array in arrays))
    handle: int | None = library().tidings_new(kind, places, len(places))
    if not handle:
        raise ValueError(f"the arrays for {kind.name} do not fit together")
    return handle
