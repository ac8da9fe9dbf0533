"""The former name of the laboratory, which is now the package `tidings_lab`."""

raise ImportError("tidings.lab is now the package tidings_lab: pip install tidings-lab, import tidings_lab")
