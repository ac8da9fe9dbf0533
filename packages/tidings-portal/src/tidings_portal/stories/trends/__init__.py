"""TrendFinder (DANA thesis ch. 6.6): how much documents are about named queries, period by period.

>>> from datetime import date
>>> from tidings_portal.stories.trends.finder import DatedText, TrendQuery, find_trends
>>> query = TrendQuery("tides", ("tide", "ebb", "flood"))
>>> texts = [DatedText(date(2020, 5, 1), "Tides: the ebb, the flood"), DatedText(date(2021, 1, 1), "Wind")]
>>> result = find_trends([query], texts)
>>> [(point.period, round(point.mean, 3)) for point in result.trends[0].points]
[('2020', 1.0), ('2021', 0.0)]
"""
