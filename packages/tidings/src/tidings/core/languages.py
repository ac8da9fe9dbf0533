"""The language of a text by its stop words, as the core finds it (`core/src/stop_words.rs`)."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tidings.core.native import CoreMemory, Handle, library, new

#: The number of words, and the language that is clear.
_OUT = ctypes.c_int64 * 2


class Sound(NamedTuple):
    """What a text sounds like. For a script that a single language uses, only the script is known."""

    script: int  # 0 if there is none
    words: int
    language: int  # the one that is clear from the others, or -1
    scores: Iterable[float]  # by language
    known: Iterable[int]  # words of it, by language


class ScriptWords(NamedTuple):
    """The stop words of the languages of a script."""

    script: int
    words: Mapping[str, int]  # each in lower case, with the number of the set of languages that have it
    sets: Sequence[Sequence[tuple[int, float]]]  # the languages of each set, and what such a word weighs for each


class Listener:
    """Scripts and stop words, by which the core finds out the language of a text.

    Args:
        by_block: the script of each 16 characters of the basic plane.
        named: the numbers of Latin, Hangul, Kana and Han.
        parts: for each character of the basic plane whether it separates words.
        limits: when a language is clear from the others (`Clearness` in `core/src/stop_words.rs`).
        scripts: how many there are.
        lower: the lower case of each character of the basic plane.
        stop_words: those of each script that several languages use.

    Raises:
        CoreMissing: there is no core.
        ValueError: these do not fit together.
    """

    def __init__(
        self,
        by_block: NDArray[np.uint8],
        named: Sequence[int],
        parts: NDArray[np.uint8],
        limits: Sequence[float],
        scripts: int,
        lower: NDArray[np.uint16],
        stop_words: Iterable[ScriptWords],
    ) -> None:
        arrays: list[NDArray[Any]] = [by_block, np.array(named, np.int64), parts, np.array(limits, np.float64)]
        arrays += [np.array([scripts]), lower]
        languages = 0
        for script in stop_words:
            pairs = [pair for some in script.sets for pair in some]
            numbers = np.array([language for language, _ in pairs], np.int64)
            languages = max(languages, int(numbers.max(initial=-1)) + 1)
            arrays += [
                np.array([script.script]),
                np.frombuffer("\n".join(script.words).encode("utf-16-le"), np.uint16),
                np.array(list(script.words.values()), np.int64),
                np.cumsum([0, *map(len, script.sets)], dtype=np.int64),
                numbers,
                np.array([weight for _, weight in pairs], np.float64),
            ]
        self._memory = CoreMemory(Handle.LANGUAGE_DETECTOR, new(Handle.LANGUAGE_DETECTOR, *arrays))
        self._languages, self._find = languages, library().tidings_language
        self._scores, self._known = ctypes.c_double * languages, ctypes.c_int64 * languages

    def of_page(
        self, page: CoreMemory, spans: tuple[NDArray[np.int64], NDArray[np.int64]] | None, most: int, length: int
    ) -> Sound:
        """Return what the longest visible runs of a page sound like.

        Args:
            page: the columns of the page.
            spans: starts and ends of the selected text; None selects all that is not in a link.
            most: how many runs are read.
            length: how many characters of each are read.

        Raises:
            CoreError: the core failed on this page.
        """
        starts, ends = (b"", b"") if spans is None else (spans[0].tobytes(), spans[1].tobytes())
        return self._sound(page.handle, starts, ends, len(starts) // 8, most, length, None, 0)

    def of_text(self, text: str) -> Sound:
        """Return what a text sounds like.

        Raises:
            CoreError: the core failed on this text.
        """
        return self._sound(None, None, None, 0, 0, 0, text.encode("utf-32-le", "surrogatepass"), len(text))

    def _sound(self, *arguments: int | bytes | None) -> Sound:
        scores, known, out = self._scores(), self._known(), _OUT()
        script: int = self._find(self._memory.handle, *arguments, self._languages, scores, known, out)
        return Sound(script, out[0], out[1], scores, known)
