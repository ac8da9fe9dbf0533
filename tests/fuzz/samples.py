"""What mutation begins from: pages, feeds, rules and the rest, and the tokens of each small language."""

from __future__ import annotations

import gzip
from functools import cache
from random import Random
from typing import Final

from tests.sites import village
from tidings import extract, extractors, newspaper
from tidings.article import render
from tidings.sites import Reader, formats, site_of

HERE: Final = "https://www.harbour.example/news/2026/03/05/seals.html?id=1"


def _words(text: str) -> tuple[bytes, ...]:
    """Tokens with white space between them."""
    return tuple(one.encode() for one in text.split())


def _lines(text: str) -> tuple[bytes, ...]:
    """Tokens, one a line, in which ␤ is a line end."""
    return tuple(one.replace("␤", "\r\n").encode() for one in text.strip("\n").split("\n"))


# -- pages, feeds, sitemaps ----------------------------------------------------------------------------------------


@cache
def pages() -> tuple[bytes, ...]:
    """All pages of the newspaper."""
    return tuple(page.html for page in newspaper.pages())


@cache
def sites() -> tuple[tuple[bytes, ...], ...]:
    """Pages of sites that rules can be learned of."""
    outlets = [newspaper.pages(outlet) for outlet in ("gazette", "kiyi", "nahr")]
    stories = [tuple(page.html for page in found if page.page_type == "article") for found in outlets]
    return (tuple(village.page(number).encode() for number in range(12)), *stories)


@cache
def sources(*kinds: str) -> tuple[bytes, ...]:
    """Feeds, sitemaps or lists of feeds of the newspaper."""
    return tuple(one.content for one in newspaper.sources() if one.kind.startswith(kinds))


#: Pieces of style sheets. Selectors of tags and classes come from the page.
CSS_TOKENS: Final = (
    *_lines("""
*
#main
[hidden]
[class^=a]
[class*="x" i]
[id|=\\31 a]
:not(
:is(
:where(.a, p)
:has(> p)
:nth-child(2n+1)
:nth-last-of-type(-n+99999999999)
:first-child
:empty
:hover
::before
 >
 +
 ~
 ||
,
)
{display:none}
{display:none!important}
{display:block}
{visibility:hidden}
{opacity:0}
{opacity:1e-99999}
{color:#fff;background:white}
{color:rgba(0,0,0,0)}
{color:hsl(120deg 100% 50% / 0)}
{font-size:0}
{font:0/0 a}
{position:absolute;left:-9999px}
{position:fixed;clip:rect(0,0,0,0)}
{clip-path:inset(50%);width:1px;height:1px;overflow:hidden}
{text-indent:-99999999999999999999em}
{transform:scale(0)}
{height:calc(0px * var(--x));overflow:hidden}
{--x:none;display:var(--x, block)}
{--x:var(--y);--y:var(--x);display:var(--x)}
{all:unset}
{content:"\\10ffff\\d800 }"}
{
}
;
@media screen and (min-width:1px){
@media print{
@media not all and (max-width:1e99px){
@supports (display:grid) and (not (display:none)){
@supports selector(:has(a)){
@layer a, b;
@layer b{
@container (width>0){
@import url(data:text/css,p{display:none});
@import "//a.example/x.css" layer(a);
@charset "x";
@namespace svg url(x);
/*
*/
<!--
</style><style media=print>
</style><link rel=stylesheet href="data:text/css,.a{display:none}">
"""),
    b"\\",
    b"'",
    "漢{display:none}".encode(),
)
#: What the core reads more closely than text: pictures, lists, tables, links, notes, declarations.
MARKUP_TOKENS: Final = _lines("""
<img src=a.jpg width=640 height=480 alt="x &amp; y">
<img src="data:image/gif;base64,R0" data-src="/b.jpg?x=1&amp;y=2" srcset="c.jpg 1x, d.jpg 2x,,">
<img srcset="a.jpg 99999999999w, b,c.jpg 0.5x , " style="opacity:0" data-lazy-src=e.png>
<img alt src=/facebook.svg width=1e9 height=-1>
<picture><source srcset="a.webp 2x, b.webp" media="(min-width:1px)"><img src=a.png></picture>
<figure><img src="//b.example/a.jpg"><figcaption>Ann <span class=credit>Photo: X</span></figcaption></figure>
<div class="gallery slide"><img src=1.jpg><img src=2.jpg></div>
<ol start=-9223372036854775808 reversed><li value=99999999999999999999>a<li>b</ol>
<ul><li>a<ol type=i><li>b</ul>
<dl><dt>a<dd>b<dt><dd></dl>
<table><caption>c</caption><tr><th colspan=0 rowspan=65535>a<td colspan=1001>b<tr><td rowspan=-1>c<td>d</table>
<table><tr><td><table><tr><td>x</table></table>
<a href=" /a b?x=1&amp;&#x79;=2 ">read more</a>
<a href="#fn1"><sup>1</sup></a><ol class=footnotes><li id=fn1>note</ol>
<a href=javascript:x>x</a>
<a name=x></a>
<a href=song.mp3>a</a>
<sup>2</sup>
<pre> a  b <code>c </code></pre>
<blockquote><p>a<blockquote>b</blockquote></blockquote>
<ruby>漢<rp>(<rt>kan<rp>)</ruby>
<abbr title="x">a</abbr>
<del>a</del><ins>b</ins>
<math><mi>x</mi></math>
<details><summary>s</summary>t</details>
<iframe src="https://www.youtube.com/embed/x"></iframe>
<time datetime=2026-03-05>5 March</time>
<h1>Seals</h1><h1>Seals</h1>
<h2></h2>
<div class=comments><div class=comment id=comment-1>By Ann</div></div>
<meta property=og:title content="Seals">
<script type=application/ld+json>{"@type":"NewsArticle","articleBody":"Seals"}</script>
<base href=https://b.example/x/>
<body hidden>
<div hidden=until-found>x</div>
<p style="display:none">x
<p style="visibility:hidden">a<b style="visibility:visible">b</b>
<svg><text>a</text><p>b
<button class=anchor>¶</button>
<br><br>
<hr>
""")
#: Names of tags that the standard does not have, and beginnings of some that it has.
ODD_NAMES: Final = (
    *_words("x-a x-é xü ſpan X-İ custom-element-漢 h7 d:iv a:b d svg:path x\u0301 plaintex math-ml 1p p- x" + "y" * 70),
    b"x\xff",
    b"x\xed\xa0\x80",
    b"x\x00y",
)


XML_TOKENS: Final = _lines("""
<![CDATA[
]]>
<!DOCTYPE r [<!ENTITY x 'y'>]>
&x;
<?xml version='1.0' encoding='x'?>
<!--
<item><title>x</title></item>
<entry><id>1</id></entry>
<content type='xhtml'><div>
xmlns=''
<pubDate>Mon, 30 Feb 2026 25:00:00 +9999</pubDate>
<guid isPermaLink='x'>
<media:content url='
xml:base='//'
<outline xmlUrl='http://a.example/' text='
<sitemap><loc>http://a.example/</loc>
<lastmod>0000-00-00</lastmod>
""")
ROBOTS: Final = b"User-agent: *\nDisallow: /a*b$\nAllow: /\nCrawl-delay: 2\nSitemap: http://a.example/s.xml\n"

# -- rules, filters, expressions, queries ----------------------------------------------------------------------------


@cache
def rules() -> tuple[bytes, ...]:
    """What is learned of a site, in every format, and two files as people write them."""
    with Reader(learn_from=4) as reader:
        for number, page in enumerate(sites()[0][:6]):
            reader.extract(page, f"https://www.harbour.example/{number}")
        site = reader.memory.site(site_of(HERE))
    text = b"title: //h1[@class='headline']\nbody: //div[@id='story']\nstrip: //aside\nstrip_id_or_class: promo\n"
    text += b"author: //a[contains(@class, 'by')]\ndate: //time/@datetime\nnext_page_link: //a[@rel='next']/@href\n"
    small = b'<site name="a"><template name="b" pattern="/*"><main tag="div" class="story"/></template></site>'
    return (*(formats.write(site, form).encode() for form in formats.NAMES), text, small)


RULE_TOKENS: Final = (
    *_lines("""
<main tag='div'/>
<rule field='title' left='' right=''/>
<uninformative tag='p' id=''/>
json list
"rules"
"noise"
"expected"
"words": [0, 1e999]
//div[@class='x']
//*
contains(@id,'
strip:
body:
encoding='x'
valid_until='9999-99-99'
"\\ud800"
"""),
    b"\xed\xa0\x80",
    b"*" * 50,
)
CHAINS: Final = (
    b'[[filter]]\nname = "words"\nminimum = 4\n[[filter]]\nname = "address"\nreject = ["/tag/", "(a+)+$"]\n',
    b'[[filter]]\nname = "learned"\nchance = 0.5\nrescue = true\n[[filter]]\nname = "same-site"\nsisters = false\n',
    b'<filters><filter name="words" minimum="4"/><filter name="text" accept="more|mehr"/></filters>',
    b'<filters><filter name="site-name" similarity="0.6"/><filter name="sections" more="a b"/></filters>',
)
CHAIN_TOKENS: Final = _lines("""
[[filter]]␤
name = "home-pages"␤
minimum = nan␤
minimum = 0.5␤
chance = inf␤
chance = -1␤
accept = ["(?P<a>x)*", "[^", "\\\\1"]␤
reject = []␤
x = 1979-05-27␤
<filter/>
'''
{
[[
""")
PATTERN_TOKENS: Final = _words(
    r"a b . * + ? {2} {1,99999} {,3} ( ) (?: (?= [a-z] [^ ] | ^ $ \d \w \b \1 \x \\ (a+)+ 漢"
)


@cache
def expression_tokens() -> tuple[bytes, ...]:
    """Names of extractors, operators, and parameters that fit and do not."""
    names = [entry.name.encode() for entry in extractors.entries(laid_out=True)]
    more = _words("""
        ( ) & | - , ; = * vote serial union intersection fallback headline-bounded vote(dsc,bte;2) serial(lqf-50,dana)
        gap=30 links=filter_1 gap=0.5 gap=-1 seed=-1 size=1e999 threshold=nan model=x.npz preference=recall 2*dsc
        smoothing=3 " fallback(dana,danag;50) danag(gap= learned(preference= 0.5 true none
    """)
    return (*names, *more, b" - ", b" & ")


def parameters(rng: Random) -> bytes:
    """An extractor by name with a parameter it has, or has not, and a value of any kind."""
    entry = rng.choice(extractors.entries())
    names = [*getattr(entry.make(), "__dataclass_fields__", {}), "gap", "x"]
    values = '0 -1 1 2 0.5 -0.5 1e999 99999999999999999999 true none recall "" x 100'.split()
    return f"{entry.name}({rng.choice(names)}={rng.choice(values)})".encode()


QUERIES: Final = _words("""
    seals title:seals lang:tr since:2024-03 story:1 NOT(a) (a)OR(b) -x wild* on:2024 author:ann site:a.example
""")
QUERY_TOKENS: Final = (
    *_words("""
        seals "grey seal" " ( ) AND OR NOT - * title: text: author: source: site: lang:tr category: story:1 on:2024-03
        since: until:2024-02-30 before:9999-12-31 after:0001 on:2024-13 story:99999999999999999999 http://a.example
        ιού 狸 \\" \\ title:( author:" -( : seal* "a"* ' % _ ;-- NEAR( {a} ^a
    """),
    b" ",
)


def query(rng: Random) -> bytes:
    """Mostly whole parts, so that the databases are asked too."""
    parts = [rng.choice(QUERIES if rng.random() < 0.9 else QUERY_TOKENS) for _ in range(rng.randint(1, 8))]
    return rng.choice((b" ", b" ", b" OR ", b" AND ")).join(parts)


# -- articles, stories, records --------------------------------------------------------------------------------------


@cache
def articles() -> tuple[bytes, ...]:
    """Articles of the newspaper in JSON."""
    return tuple(render(extract(page, HERE), "json").encode() for page in pages()[:10])


#: A language, a title and a text; Greek has words whose stem is empty (HOSTILE 29).
STORIES: Final = tuple(
    one.encode()
    for one in (
        "el\nΟ ιός και η πανδημία\nέως εις ιού. Ο ιός του Ιού έως σήμερα εις την πόλη.",
        "tr\nKıyıda foklar\nFoklar körfeze döndü. İstanbul'da ıslak bir gün.",
        "en\nSeals are back\nGrey seals are back in the estuary. Wardens counted nine on Monday.",
        "zh\n海豹回来了\n灰海豹回到了河口。星期一数到九只。",
        "ar\nعادت الفقمات\nعادت الفقمات الرمادية إلى المصب.",
    )
)
RECORDS: Final = (
    b"<records><research><date>2001-02-03</date><title>Tides</title><abstract>The ebb</abstract></research></records>",
    b"TY  - JOUR\nTI  - Tides\nPY  - 2001/02/03/\nAB  - The ebb\nand the flood\nLA  - en\nER  - \n",
    b'{"title": "Tides", "date": "2001-02-03", "text": "The ebb and the flood", "language": "en"}\n',
    b'language = "en"\n[queries]\ntides = ["tide", "ebb"]\nwind = "gale"\n',
)
RECORD_TOKENS: Final = _lines("""
<research>
</research>
<date>
<abstract/>
ER  - ␤
TY  - JOUR␤
PY  - 99999␤
DA  - 0000/00/00␤
<?xml version='1.0' encoding='x-none'?>
encoding='utf-16'
{"date": 1e999}␤
{"title": {}}␤
[queries]␤
""")

# -- what comes over the wire ----------------------------------------------------------------------------------------


@cache
def archives() -> tuple[bytes, ...]:
    """A WARC file of three answers, packed record by record and not packed."""
    records = []
    for number, page in enumerate(pages()[:3]):
        head = b'HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nETag: "x"\r\n'
        head += (b"Content-Encoding: gzip\r\n", b"Transfer-Encoding: chunked\r\n", b"")[number]
        body = (gzip.compress(page, 1, mtime=0), b"5\r\nhello\r\n0\r\n\r\n", page[:2000])[number]
        message = head + b"\r\n" + body
        told = f"WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/{number}\r\n"
        told += f"WARC-Date: 2026-03-04T05:06:07Z\r\nContent-Length: {len(message)}\r\n\r\n"
        records.append(told.encode() + message + b"\r\n\r\n")
    return b"".join(records), b"".join(gzip.compress(record, 1, mtime=0) for record in records)


ARCHIVE_TOKENS: Final = (
    *_lines("""
WARC/1.0␤
WARC-Type: resource␤
Content-Length: -1␤
Content-Length: 99999999999␤
␤␤
WARC-Date: 9999-99-99␤
Content-Encoding: br, zstd, gzip␤
Transfer-Encoding: chunked␤
ffffffff␤
HTTP/1.1 99999 X␤
HTTP/9 x␤
Location: //[␤
WARC-Target-URI: <x>␤
"""),
    b"\x1f\x8b\x08\x00",
)
#: Content-Type, Content-Encoding, Retry-After; and dates of all sorts.
HEADERS: Final = _lines("""
text/html; charset=utf-8
text/html; charset="x-sjis"
application/xml;charset='utf-16'
gzip, br, zstd, deflate
Wed, 21 Oct 2026 07:28:00 GMT
120
2026-03-05T12:00:00Z
Thu, 30 Feb 2026 25:61:61 -9999
1.5
-5
5 Mart 2024
۱۴۰۲/۱۲/۱۵
٥ مارس ٢٠٢٤
March 4th, 2013 at 25:99 pm
Monday
""")
ADDRESS_TOKENS: Final = (
    *_words("""
        http:// https:// // / \\ @ : ? # & = . .. ./ % %00 %zz %25 [ ] [::1] [::ffff:127.0.0.1] [fd00::5efe:808:808]
        127.1 0x7f.1 2130706433 a.example www. xn-- xn--a 例え.example ß.example utm_source=x fbclid=1 id=1 index.html
        amp/ :99999 :0 javascript: data: file:/// mailto: user:secret@ ①②.example ..a -a- a_b 0177.1 256.256.256.256
        [fe80::1%25eth0] page=2 %c3%28 ［ ］ ［］ [:::1] 。 ： ／ ＠ ？ ＃ ％ #!/a | ^ { " <
    """),
    *(b" ", b"\t", b"\n", b"\r", b"a" * 300, b"@" * 500),
)


def url(rng: Random) -> bytes:
    """Half of them with a scheme and a host, so that the rest is read too."""
    begun = rng.choice((b"", b"", b"http://a.example", b"https://www.a.example/"))
    return begun + b"".join(rng.choice(ADDRESS_TOKENS) for _ in range(rng.randint(1, 10)))
