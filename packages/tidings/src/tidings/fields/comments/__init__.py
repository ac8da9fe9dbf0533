"""Reader comments on a page, and the posts of a forum or a blog."""

from tidings.fields.comments.search import MOST, Remark, Remarks, answering, find, own_text

__all__ = ["MOST", "Remark", "Remarks", "answering", "find", "own_text"]
