"""The former name of the portal, which is now the package `tidings_portal`."""

raise ImportError("tidings.news is now the package tidings_portal: pip install tidings-portal, import tidings_portal")
