"""The tables over code points in the package are what the rules make that they were made by."""

from __future__ import annotations

import runpy
import unicodedata

import numpy as np
import pytest

from tests.support import ROOT
from tidings.extractors.learned import look_tables
from tidings.extractors.published import shallow_features
from tidings.extractors.published.memory_based import features
from tidings.extractors.published.trained import trigrams
from tidings.page import counts

SCRIPT = ROOT / "scripts" / "character-tables"
MADE_BY = runpy.run_path(str(SCRIPT))
PLANE = [chr(code) for code in range(0x10000)]

on_the_unicode_of_the_tables = pytest.mark.skipif(
    unicodedata.unidata_version != MADE_BY["UNICODE"], reason=f"the tables are of Unicode {MADE_BY['UNICODE']}"
)


@on_the_unicode_of_the_tables
def test_the_files_are_what_the_script_makes() -> None:
    for name, table in MADE_BY["tables"]().items():
        held = np.load(MADE_BY["FOLDER"] / name, allow_pickle=False)
        assert held.dtype == table.dtype
        assert np.array_equal(held, table)


@on_the_unicode_of_the_tables
def test_lower_cases() -> None:
    assert counts.lower_cases().tolist() == [
        ord(low) if len(low := character.lower()) == 1 else ord(character) for character in PLANE
    ]


@on_the_unicode_of_the_tables
def test_word_characters() -> None:
    """Those of `str`, joiners and combining marks, and those that are a word each in scripts without spaces."""
    alone = [*range(0x3040, 0x3100), *range(0x3400, 0x4DC0), *range(0x4E00, 0xA000), *range(0xF900, 0xFB00)]
    inside = {0x200C, 0x200D, *range(0x300, 0x370)}
    classes = [int(character.isalnum() or character == "_" or ord(character) in inside) for character in PLANE]
    for code in alone:
        classes[code] *= 2
    assert counts.character_classes().tolist() == classes


@on_the_unicode_of_the_tables
def test_what_extractors_make_of_them() -> None:
    marks = look_tables.mark_kinds() & (look_tables._DIGIT | look_tables._UPPER)
    assert marks.tolist() == [
        look_tables._DIGIT if one.isdigit() else look_tables._UPPER if one.isupper() else 0 for one in PLANE
    ]
    assert trigrams._digits().tolist() == [one.isdigit() for one in PLANE]
    assert shallow_features._cases().tolist() == [one.isupper() + 2 * one.islower() for one in PLANE]
    letters = features._table()[:-1] & ~np.uint8(features._FINAL)
    assert letters.tolist() == [
        features._LETTER | features._UPPER * one.isupper() if one.isalpha() else features._SPACE * one.isspace()
        for one in PLANE[:-1]
    ]


def test_nobody_writes_to_them() -> None:
    for table in (counts.characters(), counts.character_classes(), counts.lower_cases()):
        with pytest.raises(ValueError, match="read-only"):
            table[0] = 1
