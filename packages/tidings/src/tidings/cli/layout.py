"""`tidings layout`: render a page in Chromium and extract the article from the boxes of its layout."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from tidings.cli.fetch_options import FetchOptions, is_url
from tidings.cli.inputs import STDIN, Input

if TYPE_CHECKING:
    from tidings.browser_layout import LaidOut
    from tidings.extractors.published.layout.choice import BoxChoice
    from tidings.page import Page


def layout(
    page: Annotated[
        str,
        typer.Argument(
            help="The page: a file, a URL, - for standard input, or the ID of a page of the sample newspaper."
        ),
    ],
    png: Annotated[
        Path | None, typer.Option("--png", metavar="FILE", help="Write a screenshot with the boxes drawn over it.")
    ] = None,
    with_: Annotated[str, typer.Option("--with", "-w", metavar="NAME", help="The layout extractor.")] = "layout-lbnest",
    as_json: Annotated[bool, typer.Option("--json", help="Print boxes and text as JSON.")] = False,
    relations: Annotated[
        bool, typer.Option("--relations", help="For a front page: print each headline with its picture and teaser.")
    ] = False,
    web: FetchOptions = FetchOptions(),
) -> None:
    """Render a page in Chromium, find the box of the article, and print its text.

    A saved page loads nothing from the web. Without a browser, or if it fails, the default extractor is used.
    """
    from tidings.browser_layout import NOT_SHOWN
    from tidings.errors import InputError
    from tidings.extractors import entries, extractor
    from tidings.extractors.published.layout.choice import Choosing

    method = extractor(with_)
    if not isinstance(method, Choosing):
        known = ", ".join(entry.name for entry in entries(laid_out=True) if entry.needs_layout)
        raise InputError(f"{with_} is not a layout extractor; use one of {known}")
    if png is not None and not png.parent.is_dir():
        raise InputError(f"{png} cannot be written: there is no folder {png.parent}")
    source = _DrawnSource(page, web)
    console = Console(stderr=True, soft_wrap=True)
    try:
        with console.status("rendering the page"):
            rendered = source.laid_out(screenshot=png is not None)
    except NOT_SHOWN as error:
        console.print(f"{error}\nthe default extractor is used instead", highlight=False, markup=False)
        _read_without(source, as_json=as_json)
        raise typer.Exit(1) from None
    if relations:
        _relate(rendered.page, as_json=as_json)
        return
    choice = method.choose(rendered.page)
    if png is not None:
        _draw(rendered, choice, with_, png, page)
    typer.echo(_as_json(with_, rendered.page, choice) if as_json else choice.spans.text(rendered.page))
    words, total = (len(spans.words(rendered.page)) for spans in (choice.spans, rendered.page.visible))
    drawn = f"; drawn in {png}" if png else ""
    console.print(f"{with_}: {choice.reason}; {words} of {total} words{drawn}", highlight=False, markup=False)


@dataclass(frozen=True, slots=True)
class _DrawnSource:
    """A file or URL of a page to render."""

    name: str
    web: FetchOptions

    def laid_out(self, *, screenshot: bool) -> LaidOut:
        """Return the rendered page."""
        from tidings.browser_layout import laid_out, lay_out
        from tidings.fetch import Browser
        from tidings.fetch.live import run

        if not is_url(self.name):
            page = self.plain()
            return laid_out(page.source, page.url, screenshot=screenshot)

        async def once() -> LaidOut:
            async with self.web.live() as live, Browser(live, pictures=True) as browser:
                return await lay_out(browser, self.name, screenshot=screenshot)

        return run(once())

    def plain(self) -> Page:
        """Return the page without rendering it."""
        from tidings import Page, newspaper

        if self.name != STDIN and not is_url(self.name) and not Path(self.name).exists():
            for sample in newspaper.pages():
                if sample.id == self.name:
                    return Page(sample.html, sample.url)
        return Input(self.name, self.web).page()


def _relate(page: Page, *, as_json: bool) -> None:
    from dataclasses import asdict

    from tidings.cli.output import print_table
    from tidings.extractors.published.layout.relations import relations

    cards = relations(page)
    if as_json:
        typer.echo(json.dumps([asdict(card) for card in cards], ensure_ascii=False, indent=2))
        return
    rows = ((card.headline, card.teaser, card.picture, card.address) for card in cards)
    print_table(("headline", "teaser", "picture", "URL"), rows)


def _read_without(source: _DrawnSource, *, as_json: bool) -> None:
    from tidings.extractors import DEFAULT, extractor

    page = source.plain()
    text = extractor(DEFAULT)(page).text(page)
    typer.echo(json.dumps({"method": DEFAULT, "text": text}, ensure_ascii=False, indent=2) if as_json else text)


def _draw(rendered: LaidOut, choice: BoxChoice, name: str, png: Path, title: str) -> None:
    from tidings.browser_layout import pictured
    from tidings.errors import InputError
    from tidings.extractors.published.layout.figure import STRIP, figure, size_of

    screenshot = rendered.screenshot or b""
    width, height = size_of(screenshot)
    picture = pictured(figure(choice, name, screenshot, title), width, height + STRIP)
    try:
        png.write_bytes(picture)
    except OSError as error:
        raise InputError(f"{png} cannot be written: {error.strerror}") from error


def _as_json(name: str, page: Page, choice: BoxChoice) -> str:
    """Return the selected boxes as JSON. A box is left, top, right and bottom, in pixels from the top left corner."""
    layout = page.hints.layout
    record = {
        "method": name,
        "url": page.url,
        "page": None if layout is None else [layout.page_width, layout.page_height],
        "why": choice.reason,
        "chosen": [_rounded(box) for box in choice.chosen],
        "others": [_rounded(box) for box in choice.candidates],
        "text": choice.spans.text(page),
    }
    return json.dumps(record, ensure_ascii=False, indent=2)


def _rounded(box: tuple[float, ...]) -> list[float]:
    return [round(edge, 1) for edge in box]
