# ruff: noqa: E501  # markup stands as tools write it, on one line
"""More pages: notes, callouts, quotes, details, definitions, tables, figures, embeds, headings, lists, words in lines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.lab.structure.written import WrittenPage, page

NOTES = ("The count of 2019 was repeated in autumn.", "See the yearbook of the harbour, page 12.")
TEXT = "<p>The seals came back{0} after the ban on nets, and with them came the fishers who remember them{1} well.</p>"


def _kramdown() -> tuple[str, str]:
    refs = [
        f'<sup id="fnref:{n}"><a href="#fn:{n}" class="footnote" rel="footnote" role="doc-noteref">{n}</a></sup>'
        for n in (1, 2)
    ]
    items = "".join(
        f'<li id="fn:{n}"><p>{text} <a href="#fnref:{n}" class="reversefootnote" role="doc-backlink">&#8617;</a></p></li>'
        for n, text in enumerate(NOTES, 1)
    )
    return TEXT.format(*refs), f'<div class="footnotes" role="doc-endnotes"><ol>{items}</ol></div>'


def _gfm() -> tuple[str, str]:
    refs = [
        f'<sup><a href="#user-content-fn-{n}" id="user-content-fnref-{n}" data-footnote-ref="" aria-describedby="footnote-label">{n}</a></sup>'
        for n in (1, 2)
    ]
    items = "".join(
        f'<li id="user-content-fn-{n}"><p>{text} <a href="#user-content-fnref-{n}" data-footnote-backref="" aria-label="Back to reference {n}" class="data-footnote-backref">↩</a></p></li>'
        for n, text in enumerate(NOTES, 1)
    )
    return TEXT.format(*refs), f'<section data-footnotes="" class="footnotes"><ol>{items}</ol></section>'


def _pandoc() -> tuple[str, str]:
    refs = [
        f'<a href="#fn{n}" class="footnote-ref" id="fnref{n}" role="doc-noteref"><sup>{n}</sup></a>' for n in (1, 2)
    ]
    items = "".join(
        f'<li id="fn{n}"><p>{text}<a href="#fnref{n}" class="footnote-back" role="doc-backlink">↩︎</a></p></li>'
        for n, text in enumerate(NOTES, 1)
    )
    return (
        TEXT.format(*refs),
        f'<section id="footnotes" class="footnotes footnotes-end-of-document" role="doc-endnotes"><hr /><ol>{items}</ol></section>',
    )


def _wikipedia() -> tuple[str, str]:
    refs = [
        f'<sup id="cite_ref-{n}" class="reference"><a href="#cite_note-{n}"><span class="cite-bracket">[</span>{n}<span class="cite-bracket">]</span></a></sup>'
        for n in (1, 2)
    ]
    items = "".join(
        f'<li id="cite_note-{n}"><span class="mw-cite-backlink"><b><a href="#cite_ref-{n}" aria-label="Jump up">^</a></b></span> <span class="reference-text">{text}</span></li>'
        for n, text in enumerate(NOTES, 1)
    )
    return TEXT.format(*refs), f'<div class="reflist"><ol class="references">{items}</ol></div>'


def _word() -> tuple[str, str]:
    refs = [
        f'<a style="mso-footnote-id:ftn{n}" href="#_ftn{n}" name="_ftnref{n}" title=""><span class="MsoFootnoteReference"><span>[{n}]</span></span></a>'
        for n in (1, 2)
    ]
    items = "".join(
        f'<div style="mso-element:footnote" id="ftn{n}"><p class="MsoFootnoteText"><a style="mso-footnote-id:ftn{n}" href="#_ftnref{n}" name="_ftn{n}" title=""><span class="MsoFootnoteReference">[{n}]</span></a> {text}</p></div>'
        for n, text in enumerate(NOTES, 1)
    )
    return TEXT.format(*refs), f'<div style="mso-element:footnote-list"><br clear="all"><hr>{items}</div>'


def _google() -> tuple[str, str]:
    refs = [f'<sup><a href="#ftnt{n}" id="ftnt_ref{n}">[{n}]</a></sup>' for n in (1, 2)]
    items = "".join(
        f'<div><p class="c1"><a href="#ftnt_ref{n}" id="ftnt{n}">[{n}]</a><span>&nbsp;{text}</span></p></div>'
        for n, text in enumerate(NOTES, 1)
    )
    return TEXT.format(*refs), f"<hr>{items}"


def _libre() -> tuple[str, str]:
    refs = [
        f'<a class="sdfootnoteanc" name="sdfootnote{n}anc" href="#sdfootnote{n}sym"><sup>{n}</sup></a>' for n in (1, 2)
    ]
    items = "".join(
        f'<div id="sdfootnote{n}"><p class="sdfootnote"><a class="sdfootnotesym" name="sdfootnote{n}sym" href="#sdfootnote{n}anc">{n}</a>{text}</p></div>'
        for n, text in enumerate(NOTES, 1)
    )
    return TEXT.format(*refs), items


def _sup_list() -> tuple[str, str]:
    refs = [f'<sup><a href="#n{n}" id="r{n}">{n}</a></sup>' for n in (1, 2)]
    items = "".join(f'<li id="n{n}">{text} <a href="#r{n}">back</a></li>' for n, text in enumerate(NOTES, 1))
    return TEXT.format(*refs), f"<h3>Notes</h3><ol>{items}</ol>"


def _asciidoctor() -> tuple[str, str]:
    refs = [
        f'<sup class="footnote">[<a id="_footnoteref_{n}" class="footnote" href="#_footnotedef_{n}" title="View footnote.">{n}</a>]</sup>'
        for n in (1, 2)
    ]
    items = "".join(
        f'<div class="footnote" id="_footnotedef_{n}"><a href="#_footnoteref_{n}">{n}</a>. {text}</div>'
        for n, text in enumerate(NOTES, 1)
    )
    return TEXT.format(*refs), f'<div id="footnotes"><hr>{items}</div>'


def _docutils() -> tuple[str, str]:
    refs = [
        f'<a class="footnote-reference brackets" href="#id{n + 10}" id="id{n}" role="doc-noteref"><span class="fn-bracket">[</span>{n}<span class="fn-bracket">]</span></a>'
        for n in (1, 2)
    ]
    items = "".join(
        f'<aside class="footnote brackets" id="id{n + 10}" role="doc-footnote"><span class="label"><span class="fn-bracket">[</span><a role="doc-backlink" href="#id{n}">{n}</a><span class="fn-bracket">]</span></span><p>{text}</p></aside>'
        for n, text in enumerate(NOTES, 1)
    )
    return TEXT.format(*refs), f'<aside class="footnote-list brackets">{items}</aside>'


def _easy_footnotes() -> tuple[str, str]:
    refs = [
        f'<sup class="modern-footnotes-footnote"><a href="#easy-footnote-bottom-{n}" class="easy-footnote-to-top">{n}</a></sup><span id="easy-footnote-{n}"></span>'
        for n in (1, 2)
    ]
    items = "".join(
        f'<li class="easy-footnote-single"><span id="easy-footnote-bottom-{n}" class="easy-footnote-margin-adjust"></span>{text} <a class="easy-footnote-to-top" href="#easy-footnote-{n}">↑</a></li>'
        for n, text in enumerate(NOTES, 1)
    )
    return TEXT.format(*refs), f'<ol class="easy-footnotes-wrapper">{items}</ol>'


def _tufte() -> tuple[str, str]:
    refs = [
        f'<label for="sn-{n}" class="margin-toggle sidenote-number"></label><input type="checkbox" id="sn-{n}" class="margin-toggle"/><span class="sidenote">{text}</span>'
        for n, text in enumerate(NOTES, 1)
    ]
    return TEXT.format(*refs), ""


NOTE_WRITERS = {
    "kramdown": _kramdown, "gfm": _gfm, "pandoc": _pandoc, "wikipedia": _wikipedia, "word": _word, "google docs": _google,
    "libreoffice": _libre, "sup and list": _sup_list, "asciidoctor": _asciidoctor, "docutils": _docutils,
    "wordpress": _easy_footnotes, "tufte": _tufte,
}  # fmt: skip


def note_pages() -> Iterator[WrittenPage]:
    """Each way to write notes, at the end of the text."""
    for name, write in NOTE_WRITERS.items():
        text, below = write()
        gold = [("note", (str(n), one)) for n, one in enumerate(NOTES, 1)]
        yield WrittenPage(f"note: {name}", page(text, "", below), gold)
        yield WrittenPage(f"note: {name}, in a list", page(f"<ul><li>{text}</li></ul>", "", below), gold)


SAID = "Keep away from the sandbanks while the young are there."
CALLOUTS = {
    "github": '<div class="markdown-alert markdown-alert-{sort}" dir="auto"><p class="markdown-alert-title" dir="auto"><svg></svg>{title}</p><p dir="auto">{said}</p></div>',
    "docusaurus": '<div class="theme-admonition theme-admonition-{sort} admonition alert alert--{sort}"><div class="admonitionHeading">{title}</div><div class="admonitionContent"><p>{said}</p></div></div>',
    "mkdocs": '<div class="admonition {sort}"><p class="admonition-title">{title}</p><p>{said}</p></div>',
    "bootstrap": '<div class="alert alert-{sort}" role="alert"><h4 class="alert-heading">{title}</h4><p>{said}</p></div>',
    "obsidian": '<div data-callout="{sort}" class="callout {sort}"><div class="callout-title"><div class="callout-title-inner">{title}</div></div><div class="callout-content"><p>{said}</p></div></div>',
    "mdn": '<div class="notecard {sort}"><p class="callout-title"><strong>{title}</strong></p><p>{said}</p></div>',
    "vuepress": '<div class="custom-block {sort}"><p class="custom-block-title">{title}</p><p>{said}</p></div>',
    "starlight": '<aside aria-label="{title}" class="starlight-aside starlight-aside--{sort}"><p class="starlight-aside__title" aria-hidden="true">{title}</p><div class="starlight-aside__content"><p>{said}</p></div></aside>',
    "hugo book": '<blockquote class="book-hint {sort}"><p>{said}</p></blockquote>',
    "gitbook": '<div class="hint hint-{sort}"><p>{said}</p></div>',
}  # fmt: skip


def callout_pages() -> Iterator[WrittenPage]:
    """Each way to write callouts, in two sorts."""
    for name, form in CALLOUTS.items():
        for sort, title in (("warning", "Warning"), ("tip", "A tip from the wardens")):
            html = form.format(sort=sort, title=title, said=SAID)
            yield WrittenPage(f"callout: {name}, {sort}", page(html), [("callout", (sort, SAID))])


QUOTED = "We had not seen so many of them since my grandfather was a boy."
QUOTES = {
    "footer": '<blockquote><p>{said}</p><footer>— <cite>{by}</cite></footer></blockquote>',
    "figure": "<figure><blockquote><p>{said}</p></blockquote><figcaption>{by}</figcaption></figure>",
    "cite": "<blockquote><p>{said}</p><cite>{by}</cite></blockquote>",
    "dash": "<blockquote><p>{said}</p><p>— {by}</p></blockquote>",
    "wordpress": '<blockquote class="wp-block-quote"><p>{said}</p><cite>{by}</cite></blockquote>',
    "bootstrap": '<figure><blockquote class="blockquote"><p>{said}</p></blockquote><figcaption class="blockquote-footer">{by}</figcaption></figure>',
    "xenforo": '<blockquote data-quote="{by}" class="bbCodeBlock bbCodeBlock--expandable bbCodeBlock--quote"><div class="bbCodeBlock-title"><a href="/goto/post?id=1" class="bbCodeBlock-sourceJump">{by} said:</a></div><div class="bbCodeBlock-content"><div class="bbCodeBlock-expandContent">{said}</div></div></blockquote>',
    "phpbb": "<blockquote><div><cite>{by} wrote:</cite>{said}</div></blockquote>",
    "discourse": '<aside class="quote" data-username="{by}"><div class="title"><div class="quote-controls"></div>{by}:</div><blockquote><p>{said}</p></blockquote></aside>',
    "vbulletin": '<div class="bbcode_container"><div class="bbcode_quote"><div class="quote_container"><div class="bbcode_postedby">Originally posted by <strong>{by}</strong></div><div class="message">{said}</div></div></div></div>',
    "plain": "<blockquote><p>{said}</p></blockquote>",
}  # fmt: skip


def quote_pages() -> Iterator[WrittenPage]:
    """Yield a page for each form of a quotation."""
    for name, form in QUOTES.items():
        by = "" if name == "plain" else "Anna Petersen"
        yield WrittenPage(f"quote: {name}", page(form.format(said=QUOTED, by=by)), [("quote", (QUOTED, by))])


ROWS = (("Boat", "Seals", "Hours"), ("Anna", "12", "3"), ("Bert", "40", "5"), ("Clara", "7", "2"))


def _table(cell: str = "{}", head: str = "th", attributes: str = "") -> str:
    rows = "".join(
        "<tr>"
        + "".join(f"<{head if n == 0 else 'td'}>{cell.format(one)}</{head if n == 0 else 'td'}>" for one in row)
        + "</tr>"
        for n, row in enumerate(ROWS)
    )
    return f"<table{attributes}><tbody>{rows}</tbody></table>"


def _flat(rows: tuple[tuple[str, ...], ...]) -> list[list[str]]:
    return [list(row) for row in rows]


def table_pages() -> Iterator[WrittenPage]:
    """Tables of data as pages write them, and tables that only lay out."""
    gold = [("table", _flat(ROWS))]
    forms = {
        "plain": _table(),
        "no header": _table(head="td"),
        "paragraphs in cells": _table("<p>{}</p>"),
        "divisions in cells": _table("<div class='c'>{}</div>"),
        "wordpress": f'<figure class="wp-block-table">{_table()}</figure>',
        "caption": _table().replace("<tbody>", "<caption>Seals by boat</caption><tbody>"),
        "thead": _table().replace("<tbody><tr>", "<thead><tr>", 1).replace("</tr>", "</tr></thead><tbody>", 1),
        "scroller": f'<div class="table-wrapper" style="overflow-x:auto">{_table(attributes=" class=responsive")}</div>',
        "links in cells": _table("<a href='/b'>{}</a>"),
        "breaks at the ends": _table("{}<br>"),
        "word": _table(
            "<p class=MsoNormal><span>{}<o:p></o:p></span></p>", attributes=' class="MsoTableGrid" border=1'
        ),
        "heading in the head": _table().replace("<th>Boat</th>", "<th><h4>Boat</h4></th>"),
    }
    for name, html in forms.items():
        yield WrittenPage(f"table: {name}", page(html), gold)
    two = (("Weight", "90 kg"), ("Length", "1.8 m"), ("Age", "25 years"))
    spec = "<table>" + "".join(f"<tr><th scope=row>{a}</th><td>{b}</td></tr>" for a, b in two) + "</table>"
    yield WrittenPage("table: two columns", page(spec), [("table", _flat(two))])
    lists = "<table><tr><th>Boat</th><th>Crew</th></tr><tr><td>Anna</td><td><ul><li>Ole</li><li>Pia</li></ul></td></tr></table>"
    yield WrittenPage("table: list in a cell", page(lists), [("table", [["Boat", "Crew"], ["Anna", "Ole Pia"]])])
    code = "<table><tr><th>Name</th><th>What</th></tr><tr><td><code>count</code></td><td>Counts</td></tr><tr><td><code>stop</code></td><td>Stops</td></tr></table>"
    yield WrittenPage(
        "table: code in cells", page(code), [("table", [["Name", "What"], ["count", "Counts"], ["stop", "Stops"]])]
    )
    spans = "<table><tr><th colspan=2>Boats</th><th>Seals</th></tr><tr><td rowspan=2>North</td><td>Anna</td><td>12</td></tr><tr><td>Bert</td><td>40</td></tr></table>"
    yield WrittenPage(
        "table: spans", page(spans), [("table", [["Boats", "Seals"], ["North", "Anna", "12"], ["Bert", "40"]])]
    )
    layout = "<table><tr><td><p>The first column of the page holds a long paragraph about the harbour and its boats.</p><p>And one more of them, which is long as well.</p></td><td><p>The second tells of the seals, at length, as columns do.</p></td></tr></table>"
    yield WrittenPage("table: layout", page(layout), [])
    empty = "<table><tr><th></th><th>2023</th><th>2024</th></tr><tr><td>North</td><td></td><td>12</td></tr></table>"
    yield WrittenPage("table: empty cells", page(empty), [("table", [["", "2023", "2024"], ["North", "", "12"]])])


def figure_pages() -> Iterator[WrittenPage]:
    """Pictures with captions, however late they are loaded."""
    caption = "A seal on the northern sandbank in May."
    src = "https://img.example.org/seal-large.jpg"
    pixel = "data:image/gif;base64,R0lGODlhAQABAAAAACw="
    forms = {
        "figure": f'<figure><img src="{src}" alt="A seal"><figcaption>{caption}</figcaption></figure>',
        "picture": f'<figure><picture><source srcset="{src} 1200w"><img src="{src}" alt="A seal"></picture><figcaption>{caption}</figcaption></figure>',
        "srcset": f'<figure><img srcset="https://img.example.org/seal-small.jpg 300w, {src} 1200w" src="https://img.example.org/seal-small.jpg" alt="A seal"><figcaption>{caption}</figcaption></figure>',
        "lazy": f'<figure><img src="{pixel}" data-src="{src}" class="lazyload" alt="A seal"><figcaption>{caption}</figcaption></figure>',
        "lazy wordpress": f'<figure class="wp-caption"><img data-lazy-src="{src}" src="{pixel}" alt="A seal"><figcaption class="wp-caption-text">{caption}</figcaption></figure>',
        "data-srcset": f'<figure><img data-srcset="https://img.example.org/s.jpg 300w, {src} 1400w" src="{pixel}" alt="A seal"><figcaption>{caption}</figcaption></figure>',
        "noscript": f'<figure><img src="{pixel}" alt="A seal" class="lazy"><noscript><img src="{src}" alt="A seal"></noscript><figcaption>{caption}</figcaption></figure>',
        "division": f'<div class="wp-caption alignnone"><img src="{src}" alt="A seal"><p class="wp-caption-text">{caption}</p></div>',
        "linked": f'<figure><a href="{src}"><img src="{src}" alt="A seal"></a><figcaption>{caption}</figcaption></figure>',
        "credit": f'<figure><img src="{src}" alt="A seal"><figcaption>{caption} <span class="credit">Photo: Pia Holm</span></figcaption></figure>',
    }
    for name, html in forms.items():
        said = caption + (" Photo: Pia Holm" if name == "credit" else "")
        yield WrittenPage(f"figure: {name}", page(html), [("figure", (src, said))])


def gallery_pages() -> Iterator[WrittenPage]:
    """Pictures that a page shows in one box, each with its caption, as the tools of weblogs and wikis write it."""
    shown = [
        (f"https://img.example.org/{n}.jpg", f"Seal number {n} on the {where} bank.")
        for n, where in enumerate(("northern", "eastern", "southern"), 1)
    ]
    figures = "".join(
        f'<figure><img src="{src}" alt="A seal"><figcaption>{said}</figcaption></figure>' for src, said in shown
    )
    forms = {
        "wordpress blocks": '<figure class="wp-block-gallery has-nested-images columns-3">' + "".join(f'<figure class="wp-block-image size-large"><img src="{src}" alt="" class="wp-image-1"><figcaption class="wp-element-caption">{said}</figcaption></figure>' for src, said in shown) + "</figure>",
        "wordpress list": '<figure class="wp-block-gallery columns-3"><ul class="blocks-gallery-grid">' + "".join(f'<li class="blocks-gallery-item"><figure><img src="{src}" alt=""><figcaption class="blocks-gallery-item__caption">{said}</figcaption></figure></li>' for src, said in shown) + "</ul></figure>",
        "wordpress shortcode": '<div id="gallery-1" class="gallery galleryid-7 gallery-columns-3">' + "".join(f'<dl class="gallery-item"><dt class="gallery-icon landscape"><a href="/a"><img src="{src}" class="attachment-thumbnail" alt=""></a></dt><dd class="wp-caption-text gallery-caption">{said}</dd></dl>' for src, said in shown) + '<br style="clear: both"></div>',
        "jetpack": '<div class="tiled-gallery type-rectangular"><div class="gallery-row"><div class="gallery-group">' + "".join(f'<div class="tiled-gallery-item"><a href="/a"><img src="{src}" alt=""></a><div class="tiled-gallery-caption">{said}</div></div>' for src, said in shown) + "</div></div></div>",
        "mediawiki": '<ul class="gallery mw-gallery-traditional">' + "".join(f'<li class="gallerybox" style="width: 155px"><div class="thumb"><span><a href="/wiki/File:S.jpg" class="mw-file-description"><img src="{src}" width="120" height="90" class="mw-file-element"></a></span></div><div class="gallerytext">{said}</div></li>' for src, said in shown) + "</ul>",
        "swiper": '<div class="swiper"><div class="swiper-wrapper">' + "".join(f'<div class="swiper-slide"><img src="{src}" alt="" loading="lazy"><p class="slide-caption">{said}</p></div>' for src, said in shown) + '</div><div class="swiper-pagination"></div></div>',
        "bootstrap": '<div id="c1" class="carousel slide">' + '<div class="carousel-inner">' + "".join(f'<div class="carousel-item"><img src="{src}" class="d-block w-100" alt=""><div class="carousel-caption"><p>{said}</p></div></div>' for src, said in shown) + "</div></div>",
        "counted": '<div class="slideshow-container">' + "".join(f'<div class="mySlides"><div class="numbertext">{n} / 3</div><img src="{src}" style="width:100%"><div class="text">{said}</div></div>' for n, (src, said) in enumerate(shown, 1)) + "</div>",
        "figure of figures": f"<figure>{figures}</figure>",
        "one row": '<div class="photo-gallery">' + "".join(f'<img src="{src}" alt=""><p class="caption">{said}</p>' for src, said in shown) + "</div>",
        "newspaper": '<section class="article-gallery" data-module="gallery"><h3>The banks in May</h3><ol>' + "".join(f'<li><figure><picture><source srcset="{src} 1200w"><img src="{src}" alt=""></picture><figcaption><span>{said}</span></figcaption></figure></li>' for src, said in shown) + "</ol></section>",
    }  # fmt: skip
    for name, html in forms.items():
        title = "The banks in May" if name == "newspaper" else ""
        gold = [("gallery", (title, tuple(shown))), *(("figure", one) for one in shown)]
        yield WrittenPage(f"gallery: {name}", page(html), gold)
    plain = "".join(
        f'<div class="kg-gallery-image"><img src="{src}" width="900" height="600" alt=""></div>' for src, _ in shown
    )
    ghost = f'<figure class="kg-card kg-gallery-card kg-card-hascaption"><div class="kg-gallery-container"><div class="kg-gallery-row">{plain}</div></div><figcaption>Seals of the three banks.</figcaption></figure>'
    bare = tuple((src, "") for src, _ in shown)
    yield WrittenPage("gallery: ghost", page(ghost), [("gallery", ("Seals of the three banks.", bare))])
    silent = (
        '<div class="wp-block-jetpack-slideshow">' + "".join(f'<img src="{src}" alt="">' for src, _ in shown) + "</div>"
    )
    yield WrittenPage("gallery: without captions", page(silent), [("gallery", ("", bare))])


def embed_pages() -> Iterator[WrittenPage]:
    """What other sites show inside a page."""
    tweet = '<blockquote class="twitter-tweet"><p lang="en">The seals are back.</p>&mdash; Anna (@anna) <a href="https://twitter.com/anna/status/1">May 1, 2024</a></blockquote><script async src="https://platform.twitter.com/widgets.js"></script>'
    forms = {
        "youtube": ('<iframe width="560" src="https://www.youtube.com/embed/dQw4w9WgXcQ" allowfullscreen></iframe>', "YouTube", "https://www.youtube.com/watch?v=dQw4w9WgXcQ"),
        "youtube figure": ('<figure class="wp-block-embed"><div class="wp-block-embed__wrapper"><iframe src="https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ"></iframe></div></figure>', "YouTube", "https://www.youtube.com/watch?v=dQw4w9WgXcQ"),
        "lite youtube": ('<lite-youtube videoid="dQw4w9WgXcQ"></lite-youtube>', "YouTube", "https://www.youtube.com/watch?v=dQw4w9WgXcQ"),
        "vimeo": ('<iframe src="https://player.vimeo.com/video/76979871"></iframe>', "Vimeo", "https://vimeo.com/76979871"),
        "spotify": ('<iframe src="https://open.spotify.com/embed/episode/x1"></iframe>', "Spotify", "https://open.spotify.com/embed/episode/x1"),
        "late iframe": ('<iframe data-src="https://player.vimeo.com/video/76979871" src="about:blank"></iframe>', "Vimeo", "https://vimeo.com/76979871"),
        "video": ('<video controls><source src="https://v.example.org/a.mp4" type="video/mp4"></video>', "video", "https://v.example.org/a.mp4"),
        "audio": ('<audio controls src="https://v.example.org/a.mp3"></audio>', "audio", "https://v.example.org/a.mp3"),
        "tweet": (tweet, "X", "https://twitter.com/anna/status/1"),
    }  # fmt: skip
    for name, (html, provider, url) in forms.items():
        yield WrittenPage(f"embed: {name}", page(html), [("embed", (provider, url))])


HEADINGS = {
    "plain": '<h2 id="m">{}</h2>',
    "sphinx": '<h2 id="m">{}<a class="headerlink" href="#m" title="Link to this heading">¶</a></h2>',
    "docusaurus": '<h2 class="anchor" id="m">{}<a href="#m" class="hash-link" aria-label="Direct link to m" title="Direct link">\u200b</a></h2>',
    "github": '<div class="markdown-heading"><h2 class="heading-element">{}</h2><a id="m" class="anchor" href="#m"><svg></svg></a></div>',
    "rehype": '<h2 id="m"><a aria-hidden="true" tabindex="-1" href="#m"><span class="icon icon-link"></span></a>{}</h2>',
    "mkdocs": '<h2 id="m">{}<a class="headerlink" href="#m" title="Permanent link">&para;</a></h2>',
    "wikipedia": '<div class="mw-heading"><h2 id="m">{}</h2><span class="mw-editsection"><span>[</span><a href="/e"><span>edit</span></a><span>]</span></span></div>',
    "hash": '<h2 id="m">{} <a href="#m">#</a></h2>',
    "vitepress": '<h2 id="m" tabindex="-1">{} <a class="header-anchor" href="#m" aria-label="Permalink">\u200b</a></h2>',
    "button": '<h2 id="m">{}<button class="copy-link" title="Copy link">Copy link</button></h2>',
}  # fmt: skip


def heading_pages() -> Iterator[WrittenPage]:
    """Headings with what sites put beside them."""
    for name, form in HEADINGS.items():
        for title in ("How the count is made", "What the boats bring home"):
            yield WrittenPage(f"heading: {name}, {title}", page(form.format(title)), [("heading", title)])


def list_pages() -> Iterator[WrittenPage]:
    """Lists, definitions, details."""
    items = ("Go out at low tide with two boats.", "Keep two hundred metres away.", "Note what you see at once.")
    forms = {
        "bullets": "<ul>" + "".join(f"<li>{one}</li>" for one in items) + "</ul>",
        "numbers": "<ol>" + "".join(f"<li>{one}</li>" for one in items) + "</ol>",
        "paragraphs": "<ul>" + "".join(f"<li><p>{one}</p></li>" for one in items) + "</ul>",
        "unclosed": "<ul>" + "".join(f"<li>{one}" for one in items) + "</ul>",
        "nested": f"<ul><li>{items[0]}<ul><li>{items[1]}</li><li>{items[2]}</li></ul></li></ul>",
        "start": '<ol start="4">' + "".join(f"<li>{one}</li>" for one in items) + "</ol>",
        "tasks": '<ul class="contains-task-list">'
        + "".join(f'<li class="task-list-item"><input type="checkbox" disabled> {one}</li>' for one in items)
        + "</ul>",
        "links": "<ul>" + "".join(f'<li><a href="/x">{one}</a></li>' for one in items) + "</ul>",
    }
    for name, html in forms.items():
        yield WrittenPage(f"list: {name}", page(html), [("item", one) for one in items])
    terms = (("Haul-out", "The place where seals leave the water."), ("Pup", "A seal in its first year."))
    definitions = "".join(f"<dt>{a}</dt><dd>{b}</dd>" for a, b in terms)
    yield WrittenPage("list: definitions", page(f"<dl>{definitions}</dl>"), [("term", one) for one in terms])
    grouped = "".join(f"<div><dt>{a}</dt><dd>{b}</dd></div>" for a, b in terms)
    yield WrittenPage("list: grouped definitions", page(f"<dl>{grouped}</dl>"), [("term", one) for one in terms])
    for state in ("", " open"):
        html = f"<details{state}><summary>How boats are chosen</summary><p>{SAID}</p></details>"
        yield WrittenPage(f"details:{state or ' closed'}", page(html), [("details", ("How boats are chosen", SAID))])


def line_pages() -> Iterator[WrittenPage]:
    """Yield pages with links, ruby, subscripts, changes and breaks inside lines."""
    forms: dict[str, tuple[str, list[tuple[str, Any]]]] = {
        "link": (
            '<p>The <a href="https://example.org/report">full report of the office</a> has all the figures of the year.</p>',
            [("link", ("full report of the office", "https://example.org/report"))],
        ),
        "two links": (
            '<p>See <a href="https://example.org/a">the first part</a> and <a href="https://example.org/b">the second part</a> of the report on seals.</p>',
            [
                ("link", ("the first part", "https://example.org/a")),
                ("link", ("the second part", "https://example.org/b")),
            ],
        ),
        "ruby": (
            "<p>In Japan the seal is called <ruby>海豹<rp>(</rp><rt>あざらし</rt><rp>)</rp></ruby> and is liked by everybody there.</p>",
            [("ruby", ("海豹", "あざらし"))],
        ),
        "subscript": (
            "<p>The water of the bay holds more CO<sub>2</sub> than it did ten years ago, the office says.</p>",
            [("subscript", "2")],
        ),
        "superscript": (
            "<p>Each sandbank has an area of about 12 km<sup>2</sup> when the tide is at its lowest point.</p>",
            [("superscript", "2")],
        ),
        "deleted": (
            "<p>The office counted <del>four hundred</del> <ins>five hundred</ins> seals in the first week of May alone.</p>",
            [("deleted", "four hundred"), ("inserted", "five hundred")],
        ),
        "struck": (
            "<p>The office counted <s>four hundred</s> five hundred seals in the first week of the month of May.</p>",
            [("deleted", "four hundred")],
        ),
        "poem": (
            "<p>The tide goes out,<br>the seals come in,<br>and nobody knows<br>where they have been.</p>",
            [("lines", "The tide goes out,\nthe seals come in,\nand nobody knows\nwhere they have been.")],
        ),
        "address": (
            "<address>Harbour Office<br>Quay 1<br>12345 Northport</address>",
            [("lines", "Harbour Office\nQuay 1\n12345 Northport")],
        ),
        "inline code": (
            "<p>The figures are read by the program <code>count --all</code> that everybody on the coast may use.</p>",
            [("inline code", "count --all")],
        ),
    }
    for name, (html, gold) in forms.items():
        yield WrittenPage(f"line: {name}", page(html), gold)
