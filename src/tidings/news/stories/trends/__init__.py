"""TrendFinder (DANA thesis ch. 6.6): how much documents are about named queries, period by period.

>>> from datetime import date
>>> query = TrendQuery("tides", ("tide", "ebb", "flood"))
>>> told = [DatedText(date(2020, 5, 1), "Tides: the ebb, the flood"), DatedText(date(2021, 1, 1), "Wind")]
>>> found = find_trends([query], told)
>>> [(point.period, round(point.mean, 3)) for point in found.trends[0].points]
[('2020', 1.0), ('2021', 0.0)]
"""

from tidings.news.stories.trends.finder import (
    DatedText,
    PeriodLength,
    Record,
    Trend,
    TrendChange,
    TrendFinder,
    TrendPoint,
    TrendQuery,
    Trends,
    Unusable,
    abrupt_changes,
    day_of,
    document,
    find_trends,
    read_queries,
)
from tidings.news.stories.trends.formats import as_csv, read_json_lines, read_ris, read_xml, wide, write_xml

__all__ = [
    "DatedText",
    "PeriodLength",
    "Record",
    "Trend",
    "TrendChange",
    "TrendFinder",
    "TrendPoint",
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
