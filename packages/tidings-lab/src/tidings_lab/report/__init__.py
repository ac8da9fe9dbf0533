"""Reports of a run: an HTML file with charts and the worst pages, and tables as Markdown, CSV and JSON."""

from tidings_lab.report.html import html_report
from tidings_lab.report.tables import as_json, rows_csv, summary_csv, tables, throughput_tables
from tidings_lab.report.worst import worst_table

__all__ = ["as_json", "html_report", "rows_csv", "summary_csv", "tables", "throughput_tables", "worst_table"]
