"""Adapters for other frameworks and libraries, one module each, imported on demand."""
