"""The language of a text by its stop words, detected by the core (`core/src/stop_words.rs`)."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tidings.core.native import CoreMemory, Handle, library, new

#: The number of words, and the detected language.
_OUT = ctypes.c_int64 * 2


class LanguageSample(NamedTuple):
    """The detected script of a text, and the number of its stop words by language. If only one language uses the
    script, the counts are not filled in.
    """

    script: int  # 0 if there is none
    words: int
    language: int  # the language that is clearly ahead, or -1
    scores: Iterable[float]  # by language
    known_words: Iterable[int]  # number of stop words, by language


class ScriptWords(NamedTuple):
    """The stop words of the languages of a script."""

    script: int
    words: Mapping[str, int]  # lower-case words with the number of their set of languages
    sets: Sequence[Sequence[tuple[int, float]]]  # languages and weights of each set


class LanguageDetector:
    """A language detector of the core with tables of scripts and stop words.

    Args:
        by_block: the script of every 16 characters of the basic plane.
        named: the numbers of Latin, Hangul, Kana and Han.
        parts: whether each character of the basic plane separates words.
        limits: thresholds for a clear language (Clearness in `core/src/stop_words.rs`).
        scripts: number of scripts.
        lower: lower case of each character of the basic plane.
        stop_words: stop words of each script with several languages.

    Raises:
        CoreMissing: there is no core.
        ValueError: the tables do not fit together.
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
    ) -> LanguageSample:
        """Classify the longest visible runs of a page.

        Args:
            page: the columns of the page.
            spans: starts and ends of the selected text; None for all text outside links.
            most: number of runs.
            length: number of characters per run.

        Raises:
            CoreError: the core failed on this page.
        """
        starts, ends = (b"", b"") if spans is None else (spans[0].tobytes(), spans[1].tobytes())
        return self._sample(page.handle, starts, ends, len(starts) // 8, most, length, None, 0)

    def of_text(self, text: str) -> LanguageSample:
        """Classify a text.

        Raises:
            CoreError: the core failed on this text.
        """
        return self._sample(None, None, None, 0, 0, 0, text.encode("utf-32-le", "surrogatepass"), len(text))

    def _sample(self, *arguments: int | bytes | None) -> LanguageSample:
        scores, known_words, out = self._scores(), self._known(), _OUT()
        script: int = self._find(self._memory.handle, *arguments, self._languages, scores, known_words, out)
        return LanguageSample(script, out[0], out[1], scores, known_words)
