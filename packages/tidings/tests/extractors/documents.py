"""Pages to try extractors on: a plain article of any length, and small documents that are nasty in one way each."""

from __future__ import annotations

ENGLISH = (
    "The council voted on Tuesday to reopen the harbour bridge, which had been closed to traffic since the storm of "
    "last November. Engineers said that the repairs had taken longer than planned because the piers stood deeper in "
    "the mud than the old drawings showed. "
)
ARABIC = (
    "صوت المجلس يوم الثلاثاء على إعادة فتح جسر الميناء الذي أغلق أمام حركة المرور منذ العاصفة في نوفمبر الماضي. وقال "
    "المهندسون إن الإصلاحات استغرقت وقتا أطول من المخطط لها لأن الدعامات كانت أعمق مما أظهرته الرسوم القديمة. "
)
MENU = "".join(
    f'<li><a href="/section/{place}/index.html" class="nav-item">Topic {place}</a></li>' for place in range(30)
)


def article(paragraphs: int, sentence: str = ENGLISH) -> str:
    """A page as news sites have them: menu, headline, story, related links, footer."""
    story = "".join(f'<p class="story-{place}">{sentence * 2}</p>' for place in range(paragraphs))
    related = '<div class="rel"><a href="https://example.org/other-story-{}">Read this too</a></div>'
    return (
        "<!DOCTYPE html><html><head><title>Bridge reopens</title><script>var a = '<p>';</script></head><body>"
        f'<nav><ul>{MENU}</ul></nav><main><h1>Bridge reopens</h1><div class="story">{story}</div></main>'
        + "".join(related.format(place) for place in range(20))
        + "<footer><p>All rights reserved. <a href='/imprint'>Imprint</a></p></footer></body></html>"
    )


def link_rich(paragraphs: int, sentence: str = ENGLISH) -> str:
    """An encyclopaedia page: a link with a long address every few words."""
    words = (sentence * 2).split()
    linked = " ".join(
        f'<a href="/wiki/{"Some_long_title_" * 3}{place}" title="{word} (disambiguation)">{word}</a>'
        if place % 4 == 0
        else word
        for place, word in enumerate(words)
    )
    return f"<html><body><ul>{MENU}</ul>" + f"<p>{linked}</p>" * paragraphs + f"<ul>{MENU}</ul></body></html>"


NASTY: dict[str, str] = {
    "one character": "x",
    "one tag": "<p>",
    "no text": "<html><head><title>t</title></head><body><div></div></body></html>",
    "only hidden text": "<div hidden>" + ENGLISH + "</div>",
    "only a script": "<script>" + ENGLISH + "</script>",
    "only links": "<a href=x>" + "</a><a href=x>".join(ENGLISH.split()) + "</a>",
    "only white space in tags": "<p> </p><p>&nbsp;</p><td>\n</td>",
    "only entities": "&amp;&lt;&gt;&nbsp;&#1575;&#x627;",
    "only punctuation": "<p>. , ; – … !</p>" * 5,
    "no tags": ENGLISH * 5,
    "no tags, right to left": ARABIC * 5,
    "one long word": "<p>" + "x" * 5000,
    "no spaces": "<p>" + "市議会は火曜日に橋の再開を可決した。" * 40,
    "deep": "<div>" * 600 + ENGLISH + "</div>" * 600,
    "unclosed": "<div><p><b><a href=x><ul><li>" * 20 + ENGLISH,
    "stray ends": "</div></p></td></b>" * 20 + ENGLISH,
    "stray text in a table": "<table>" + ENGLISH + "<tr>" + ENGLISH + "<td>" + ENGLISH + "</table>",
    "line breaks only": "<br>".join(ENGLISH.split()),
    "preformatted": "<pre>  " + ENGLISH.replace(" ", "\n  ") + "</pre>",
    "hidden in the middle": "<p>"
    + ENGLISH
    + '<span style="display:none">secret '
    + ENGLISH
    + "</span>"
    + ENGLISH
    + "</p>",
    "hidden around": "<p hidden>secret</p><p>" + ENGLISH + "</p><p hidden>secret</p>",
    "right to left and English": "<p>" + ARABIC + "The Harbour Bridge Company " + ARABIC + "</p><p>" + ENGLISH + "</p>",
    "joiners and marks": "<p>" + "می‌خواهند کتاب‌های تازه را بخوانند \u200f(2024)\u200e " * 20 + "</p>",
    "beyond the basic plane": "<p>" + "𐤀𐤁𐤂 😀 𞤀𞤁 𝒳 " * 60 + "</p>",
    "picture and select": "<svg><text>no</text></svg><select><option>no</select>" + ENGLISH,
    "broken tag at the end": "<p>" + ENGLISH + '<a href="',
    "comment that never ends": "<p>" + ENGLISH + "<!-- " + ENGLISH,
    "link around everything": "<a href=x><div><p>" + ENGLISH + "</p><p>" + ENGLISH + "</p></div></a>",
}
