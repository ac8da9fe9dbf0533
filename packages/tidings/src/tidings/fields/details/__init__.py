"""Prices, e-mail addresses, telephone numbers and products of a page."""

from tidings.fields.details.search import MOST, Details, Product, ProductDetail, details_of, find

__all__ = ["MOST", "Details", "Product", "ProductDetail", "details_of", "find"]
