"""Stories: which articles tell the same, which are copies, what is new, what it is about, and how topics come and go.

Pure: plain records in, frozen records out, no network, no files, no SQL. What grows keeps its state as bytes.

>>> tracker = Tracker()
>>> tracker.add(Report(1, "Seals return to the harbour", "Grey seals were seen in Norport harbour.", "en")).is_first
True
"""

from tidings.news.stories.duplicates import Copy, DuplicateIndex, Signature, original
from tidings.news.stories.report import Report
from tidings.news.stories.story_index import Span, StoryPlacement, Tracking
from tidings.news.stories.summary import (
    Addition,
    StoryTerms,
    SummarySentence,
    story_title,
    summarise,
    what_each_adds,
)
from tidings.news.stories.topics import OTHER, Topic, TopicModel, declared, section_topic, topic_names
from tidings.news.stories.tracker import EventAge, TrackedStory, Tracker
from tidings.news.stories.weights import TermWeights

__all__ = [
    "OTHER",
    "Addition",
    "Copy",
    "DuplicateIndex",
    "EventAge",
    "Report",
    "Signature",
    "Span",
    "StoryPlacement",
    "StoryTerms",
    "SummarySentence",
    "TermWeights",
    "Topic",
    "TopicModel",
    "TrackedStory",
    "Tracker",
    "Tracking",
    "declared",
    "original",
    "section_topic",
    "story_title",
    "summarise",
    "topic_names",
    "what_each_adds",
]
