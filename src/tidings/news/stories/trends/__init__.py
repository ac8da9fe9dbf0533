"""TrendFinder (DANA thesis ch. 6.6): how much documents are about named queries, period by period.

>>> from datetime import date
>>> query = TrendQuery("tides", ("tide", "ebb", "flood"))
>>> told = [Document(date(2020, 5, 1), "Tides: the ebb, the flood"), Document(date(2021, 1, 1), "Wind")]
>>> found = find_trends([query], told)
>>> [(point.period, round(point.mean, 3)) for point in found.trends[0].points]
[('2020', 1.0), ('2021', 0.0)]
"""

from tidings.news.stories.trends.changes import Change, abrupt_changes
from tidings.news.stories.trends.document import Document, Record, Unusable, day_of, document
from tidings.news.stories.trends.finder import By, Point, Trend, TrendFinder, Trends, find_trends
from tidings.news.stories.trends.json_lines import read_json_lines
from tidings.news.stories.trends.queries import TrendQuery, read_queries
from tidings.news.stories.trends.ris import read_ris
from tidings.news.stories.trends.table import as_csv, wide
from tidings.news.stories.trends.xml_records import read_xml, write_xml

__all__ = [
    "By",
    "Change",
    "Document",
    "Point",
    "Record",
    "Trend",
    "TrendFinder",
    "TrendQuery",
    "Trends",
    "Unusable",
    "abrupt_changes",
    "as_csv",
    "day_of",
    "document",
    "find_trends",
    "read_json_lines",
    "read_queries",
    "read_ris",
    "read_xml",
    "wide",
    "write_xml",
]
