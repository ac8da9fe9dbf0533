"""What the document says of a field, and which values it takes: written beside the field's type, as `Annotated`."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Final

#: SQLite and PostgreSQL count no further.
LARGEST: Final = (1 << 63) - 1
#: Items in one answer.
MOST_ITEMS: Final = 100


@dataclass(frozen=True, slots=True)
class About:
    """A sentence on a field, and its bounds."""

    text: str
    least: int | None = None  # of a number, or of how many there are
    most: int | None = None
    shortest: int = 0  # in characters
    longest: int | None = None
    format: str = ""  # as JSON Schema names formats
    example: str | int | None = None


Number = Annotated[int, About("Its number in the store.", least=1, most=LARGEST)]
Limit = Annotated[int, About("How many to give.", least=1, most=MOST_ITEMS)]
Cursor = Annotated[str | None, About("`next` of the list before, for what follows it.", longest=200)]
Category = Annotated[str | None, About("Only this category.", longest=200)]
Language = Annotated[str | None, About("Only this language: en, tr, ar …", longest=35)]
Since = Annotated[datetime | None, About("Not older than this: a day or a moment in ISO 8601; UTC where no zone is.")]
Until = Annotated[datetime | None, About("Not newer than this; a day counts whole.")]
Site = Annotated[str | None, About("Only this host, without www.", longest=300)]
Author = Annotated[str | None, About("Only this author.", longest=300)]
SourceNumber = Annotated[int | None, About("Only what this source brought, by its number.", least=1, most=LARGEST)]
StoryNumber = Annotated[int | None, About("Only articles of this story, by its number.", least=1, most=LARGEST)]
Muted = Annotated[bool, About("Also what is muted.")]
