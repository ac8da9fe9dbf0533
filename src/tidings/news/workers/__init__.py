"""Several processes that serve one house (`tidings serve --workers N`), and what they share so that it stays one."""
