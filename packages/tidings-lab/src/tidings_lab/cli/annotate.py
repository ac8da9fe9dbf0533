"""`tidings lab annotate`: mark articles on pages in the browser."""

from __future__ import annotations

import signal
import threading
import webbrowser
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from tidings_lab.cli.problems import list_problems


def annotate(
    pages: Annotated[list[Path], typer.Argument(metavar="PAGE|DIR…", help="Pages, a folder of pages, or a corpus.")],
    out: Annotated[Path, typer.Option("--output", "-o", "--out", help="Folder for the gold and the journal.")] = Path(
        "annotations"
    ),
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="Port to listen on; 0 takes a free one.")] = 0,
    open_: Annotated[bool, typer.Option("--open/--no-open", help="Open the browser.")] = True,
    differences: Annotated[
        bool, typer.Option("--differences", help="Given two annotated folders, decide where the two differ.")
    ] = False,
) -> None:
    """Mark the texts of pages in the browser, by key or click, and record page type and language.

    Marks are title, heading, body, author, date, caption, comment, lead (the standfirst) and note (about an author).
    Scripts of the page do not run, and nothing is fetched. Initial marks are predicted. Every change is written to disk
    immediately, so you can continue after a crash with the same command. Saving writes --output as a corpus
    (pages.jsonl and the gzipped pages) with a .hra file for each page.
    """
    from tidings.errors import InputError
    from tidings_lab.annotate.double_annotation import Opinions, read_twice
    from tidings_lab.annotate.pages import find_pages
    from tidings_lab.annotate.project import Project
    from tidings_lab.annotate.server import AnnotationServer

    console = Console(stderr=True)
    opinions = None
    if differences:
        if len(pages) != 2:
            raise InputError(f"--differences needs two annotated folders, and {len(pages)} were named")
        twice, problems = read_twice(*pages)
        opinions = Opinions.of(twice)
        agreed = [one for one in twice if not one.differing]
        if agreed:
            # A page that the two agree on is ground truth as it is.
            both = Project([one.sample for one in agreed], out, Opinions({one.sample.id: one for one in agreed}))
            for number in range(len(agreed)):
                both.save(number)
            both.close()
            console.print(f"{len(agreed)} of {len(twice)} pages on which the two agree are in {out}", highlight=False)
        samples = [one.sample for one in opinions.pages.values()]
        if not samples:
            console.print(f"the two agree on all {len(twice)} pages: there is nothing to decide", highlight=False)
            raise typer.Exit
    else:
        samples, problems = find_pages(pages)
    list_problems(problems, console)
    project = Project(samples, out, opinions)
    for said in project.messages:
        console.print(said, highlight=False, markup=False, soft_wrap=True)
    try:
        server = AnnotationServer(project, port)
    except OSError as error:
        project.close()
        raise InputError(f"port {port} cannot be used: {error.strerror or error}; --port 0 takes a free one") from error
    with server:
        typer.echo(server.url)
        console.print("Ctrl+C ends it; every change is on disk.", highlight=False)
        if open_:
            webbrowser.open(server.url)
        if threading.current_thread() is threading.main_thread():
            # A shell has its background jobs ignore Ctrl+C; this one is ended by it wherever it runs.
            signal.signal(signal.SIGINT, signal.default_int_handler)
        with suppress(KeyboardInterrupt):
            server.serve_forever()
    project.close()
    saved = sum(project.state(number) == "saved" for number in range(len(samples)))
    console.print(f"{saved} of {len(samples)} pages saved in {out}", highlight=False, markup=False)
