"""List the files that a page passes through, from traces of the sample newspaper, for docs/design/walks.md.

A file counts when one of its functions is called, in the order of first calls. What runs while modules are imported
does not count. The portal and httpx2 have to be installed.
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parent.parent
SOURCES: Final = [ROOT / "packages/tidings/src", ROOT / "packages/tidings-portal/src"]
#: Title and description of each trace, by its name.
TRACES: Final = {
    "extract": ("An unknown page", "`tidings.extract(html, url)`: scan, default extractor, fields, article."),
    "site": (
        "A page of a known site",
        "`tidings.Reader().extract(html, url)` after some pages of the site: its template cuts the fields out.",
    ),
    "watch": (
        "From polling to the portal",
        "`tidings watch --once` on the newspaper, then the front page and an article. Files above are left out.",
    ),
}


class Trace:
    """The files whose functions were called, in the order of their first calls."""

    def __init__(self) -> None:
        self.files: dict[str, None] = {}
        self._importing = threading.local()

    def __call__(self, frame: FrameType, event: str, _: Any) -> None:
        """Record a call, as `sys.setprofile` reports it."""
        if event not in ("call", "return"):
            return
        depth = getattr(self._importing, "depth", 0)
        if frame.f_code.co_name == "<module>":
            self._importing.depth = max(0, depth + (1 if event == "call" else -1))
        elif event == "call" and not depth and frame.f_code.co_filename.startswith(tuple(map(str, SOURCES))):
            self.files.setdefault(frame.f_code.co_filename)

    def of(self, work: Callable[[], object]) -> list[str]:
        """Return the files of some work, in all its threads."""
        threading.setprofile(self)
        sys.setprofile(self)
        try:
            work()
        finally:
            sys.setprofile(None)
            threading.setprofile(None)
        return [
            str(Path(name).relative_to(next(s for s in SOURCES if name.startswith(f"{s}/")))) for name in self.files
        ]


def extract() -> list[str]:
    """Trace the extraction of an unknown page."""
    import tidings
    from tidings import newspaper

    page = next(newspaper.pages("gazette", page_type="article"))
    html, url = page.html, page.url
    return Trace().of(lambda: tidings.extract(html, url))


def site() -> list[str]:
    """Trace the extraction of a page of a site whose template is no longer on trial."""
    import tidings
    from tidings import newspaper

    reader = tidings.Reader()
    for page in [*newspaper.pages("gazette", page_type="article")] * 5:
        html, url = page.html, page.url
        reader.extract(html, url)
    return Trace().of(lambda: reader.extract(html, url))


def watch() -> list[str]:
    """Trace how a store is filled with the newspaper and shown."""
    sys.path.insert(0, str(ROOT / "packages/tidings-portal"))
    from tests.portal import housed

    def work(folder: Path) -> None:
        store = housed.fill(folder / "news.tidings")
        with housed.app(store) as app:
            client = housed.client(app)
            for path in ("/", "/article/1"):
                client.get(path, follow_redirects=True).raise_for_status()

    with tempfile.TemporaryDirectory() as folder:
        return Trace().of(lambda: work(Path(folder)))


def traced(name: str) -> list[str]:
    """Return the files of a trace, made in a new process, in which no module has cached anything."""
    environment = {**os.environ, "PYTHONHASHSEED": "0", "PYTHONPATH": os.pathsep.join(map(str, SOURCES))}
    command = [sys.executable, __file__, name]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, cwd=ROOT, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr)
    return done.stdout.split()


def markdown() -> str:
    """Return a section for each trace: files with the first paragraph of their docstrings."""
    traces = {name: traced(name) for name in TRACES}
    above = {*traces["extract"], *traces["site"]}
    parts = []
    for name, (title, description) in TRACES.items():
        files = [path for path in traces[name] if name != "watch" or path not in above]
        lines = [f"{number}. `{path}`: {_summary(path)}" for number, path in enumerate(files, 1)]
        parts.append(f"## {title}\n\n{description}\n\n" + "\n".join(lines) + "\n")
    return "\n".join(parts)


def _summary(path: str) -> str:
    if not path.endswith(".py"):
        return "a template"
    source = next(source / path for source in SOURCES if (source / path).exists())
    text = ast.get_docstring(ast.parse(source.read_text(encoding="utf-8"))) or ""
    return " ".join(text.partition("\n\n")[0].split())


if __name__ == "__main__":
    sys.stdout.write("\n".join({"extract": extract, "site": site, "watch": watch}[sys.argv[1]]()))
