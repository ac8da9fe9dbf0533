"""Build the sample newspaper: stories put into templates, written to `packages/tidings/src/tidings/newspaper/`.

`python newspaper/build.py` writes the pages, feeds and pictures. With `--check` it writes nothing and exits 1
when the shipped files are not what it would write.
"""

from __future__ import annotations

import argparse
import json
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

import press
import syndicate
from press import CODECS, RIGHT_TO_LEFT, Newspaper, Outlet
from storyfile import Story, read_story

HERE = Path(__file__).resolve().parent
SHIPPED = HERE.parent / "packages/tidings/src/tidings/newspaper"
PICTURES = "../../pictures/"  # as seen from a page; also right for every address an outlet uses


@dataclass(frozen=True, slots=True)
class BuiltPage:
    """A page as bytes, and its line in `pages.jsonl`."""

    record: dict[str, Any]
    html: bytes


def read_newspaper() -> Newspaper:
    """Read everything under `stories/` and the descriptions of the outlets."""
    folders = sorted(path.parent for path in (HERE / "templates").glob("*/outlet.toml"))
    outlets = {folder.name: press.read_outlet(folder) for folder in folders}
    stories = [read_story(path) for path in sorted((HERE / "stories").glob("*/*.md"))]
    phrases = tomllib.loads((HERE / "stories" / "phrases.toml").read_text(encoding="utf-8"))
    return Newspaper(outlets, stories, phrases)


def environment() -> Environment:
    """The template engine, with the few functions that templates need."""
    engine = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    engine.filters["slug"] = press.slugify
    engine.filters["number"] = press.number
    engine.filters["token"] = press.token
    engine.filters["sloppy"] = lambda words: Markup(press.sloppy(words))  # noqa: S704  # our own words, made sloppy on purpose
    engine.filters["author_nodes"] = author_nodes
    engine.filters["clock"] = press.clock
    engine.filters["spoken_day"] = press.spoken_day
    engine.filters["rfc822"] = syndicate.rfc822
    engine.filters["rfc3339"] = syndicate.rfc3339
    engine.globals["PICTURES"] = PICTURES
    return engine


def author_nodes(story: Story) -> list[dict[str, str]]:
    """The authors as JSON-LD names them."""
    return [{"@type": "Person", "name": name} for name in story.authors]


def article_page(paper: Newspaper, story: Story, engine: Environment) -> BuiltPage:
    """Draw the page of one story."""
    outlet, phrases = paper.outlets[story.outlet], paper.phrases[story.lang]
    surroundings, mark = paper.surroundings(story), outlet.mark_of(story)
    template = "article-old.html" if mark == "old" else "article.html"
    charset = outlet.charset_of(story)
    html = engine.get_template(f"{outlet.slug}/{template}").render(
        **shared(outlet, phrases, story.lang, charset),
        story=story,
        around=surroundings,
        traps=story.traps,
        url=outlet.url_of(story),
        appended_url=paper.teaser(surroundings.appended).url if surroundings.appended else "",
        day=press.spoken_day(story.published, story.lang),
    )
    record = {
        "id": f"{outlet.slug}/{story.slug}",
        "outlet": outlet.slug,
        "url": outlet.url_of(story),
        "lang": story.lang,
        "page_type": story.kind,
        "html_file": f"html/{outlet.slug}/{story.slug}.html",
        "charset": charset,
        "codec": CODECS[charset],
        "event": story.event,
        "redesign": mark,
        "traps": list(story.traps),
        "noise": surroundings.noise(story, phrases),
        "gold": story.gold,
    }
    return BuiltPage(record, encode(html, charset))


def front_page(paper: Newspaper, outlet: Outlet, lang: str, engine: Environment) -> BuiltPage:
    """Draw a front page. Every third story is reached by its "read more" anchor only."""
    main, phrases = lang == outlet.langs[0], paper.phrases[lang]
    stories = paper.stories_of(outlet, lang if outlet.front_by_lang else None)
    teasers = [paper.teaser(story, more=place % 3 == 2) for place, story in enumerate(stories)]
    charset = outlet.charsets.get("front", outlet.charset)
    url = f"https://{outlet.host}/" if main else f"https://{outlet.host}/{lang}/"
    html = engine.get_template(f"{outlet.slug}/front.html").render(
        **shared(outlet, phrases, lang, charset),
        teasers=teasers,
        url=url,
        ads=press.pick(phrases["ad_texts"], 3, f"{outlet.slug} front {lang}"),
        day=press.spoken_day(syndicate.BUILT, lang),
    )
    name = "index" if main else f"index-{lang}"
    links = [
        {
            "url": teaser.url,
            "title": teaser.title,
            "page": f"{story.outlet}/{story.slug}",
            "anchor": "more" if teaser.more else "headline",
        }
        for teaser, story in zip(teasers, stories, strict=True)
    ]
    record: dict[str, Any] = {
        "id": f"{outlet.slug}/{name}",
        "outlet": outlet.slug,
        "url": url,
        "lang": lang,
        "page_type": "front",
        "html_file": f"html/{outlet.slug}/{name}.html",
        "charset": charset,
        "codec": CODECS[charset],
        "event": None,
        "redesign": None,
        "traps": [],
        "noise": {},
        "gold": {"title": outlet.title, "links": links},
    }
    return BuiltPage(record, encode(html, charset))


def shared(outlet: Outlet, phrases: press.Phrases, lang: str, charset: str) -> dict[str, Any]:
    """What every template knows."""
    direction = "rtl" if lang in RIGHT_TO_LEFT else "ltr"
    feed_url = f"https://{outlet.host}" + outlet.feed_path.format(lang=lang)
    return {
        "outlet": outlet,
        "p": phrases,
        "lang": lang,
        "dir": direction,
        "charset": charset,
        "home": f"https://{outlet.host}",
        "feed_url": feed_url,
        "feed_type": syndicate.MEDIA_TYPES[outlet.feed],
    }


def encode(html: str, charset: str) -> bytes:
    """The bytes of a page; letters that the encoding lacks become character references, as editors did it."""
    return html.encode(CODECS[charset], "xmlcharrefreplace")


def all_pages(paper: Newspaper, engine: Environment) -> Iterator[BuiltPage]:
    """Every page, outlet by outlet, its front pages first."""
    for outlet in paper.outlets.values():
        for lang in outlet.langs if outlet.front_by_lang else outlet.langs[:1]:
            yield front_page(paper, outlet, lang, engine)
        for story in sorted(paper.stories_of(outlet), key=lambda s: s.slug):
            yield article_page(paper, story, engine)


def build() -> dict[str, bytes]:
    """Everything that ships: path under `packages/tidings/src/tidings/newspaper/` → bytes."""
    paper, engine = read_newspaper(), environment()
    pages = list(all_pages(paper, engine))
    sources = syndicate.sources(paper, engine)
    files = {page.record["html_file"]: page.html for page in pages}
    pictures = sorted((HERE / "pictures").glob("*.svg"))
    files |= {f"pictures/{picture.name}": picture.read_bytes() for picture in pictures}
    files |= {source.file: source.content for source in sources}
    files["pages.jsonl"] = json_lines(page.record for page in pages)
    files["sources.jsonl"] = json_lines(source.record for source in sources)
    missing = wanted_pictures(paper) - files.keys()
    if missing:
        raise SystemExit(f"not in newspaper/pictures but in a story: {', '.join(sorted(missing))}; draw them")
    return files


def wanted_pictures(paper: Newspaper) -> set[str]:
    """The pictures that stories show."""
    return {f"pictures/{name}" for story in paper.stories for name in story.gold["pictures"]}


def json_lines(records: Iterable[Mapping[str, Any]]) -> bytes:
    """One JSON object a line."""
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records).encode()


def shipped() -> dict[str, bytes]:
    """What lies under `packages/tidings/src/tidings/newspaper/` now, apart from code and the agency's reports."""
    found = (path for path in SHIPPED.rglob("*") if path.is_file())
    return {
        path.relative_to(SHIPPED).as_posix(): path.read_bytes()
        for path in found
        if path.suffix not in (".py", ".pyc", ".toml", ".typed")
    }


def main() -> int:
    """Write the files, or compare them."""
    parser = argparse.ArgumentParser(description="Build the sample newspaper.")
    parser.add_argument("--check", action="store_true", help="compare only, exit 1 on a difference")
    check = parser.parse_args().check
    wanted, present = build(), shipped()
    changed = sorted(name for name in wanted.keys() | present.keys() if wanted.get(name) != present.get(name))
    if check:
        for name in changed:
            print(f"differs: {name}", file=sys.stderr)
        if changed:
            print("run python newspaper/build.py", file=sys.stderr)
        return 1 if changed else 0
    for name in changed:
        target = SHIPPED / name
        if name in wanted:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(wanted[name])
        else:
            target.unlink()
    print(f"{len(wanted)} files, {len(changed)} changed")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
