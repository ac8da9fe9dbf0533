"""Ways that hide by a style sheet: selectors, at-rules, order and specificity, and the syntax of CSS."""

from __future__ import annotations

from base64 import b64encode
from urllib.parse import quote

from tests.hidden_text.way import Way, lines

#: The element that most style sheets are about; the page has `p.before` before it and `p.after` after it.
ELEMENT = '<p class="quay tide" id="q7" data-kind="Side-Note" lang="en-GB" title="harbour lights">{}</p>'
RULE = ".quay{display:none}"
_BREAD = "<li>Bread was baked in the old mill behind the church on Monday.</li>"
_SALT = "<li>Salt came by ship from the south and was sold on the market.</li>"
LIST = f'<ul class="pts">{_BREAD}<li>{{}}</li>{_SALT}</ul>'
ALONE = '<div class="grp"><p>{}</p></div>'
MIXED = '<div class="mix"><h3>The harbour</h3><p>{}</p><h3>The village</h3></div>'


def sheet(css: str, body: str = ELEMENT, *, is_visible: bool = False, policy: str = "", name: str = "") -> Way:
    """Return a way whose page has one style element."""
    return Way(name or css, body, f"<style>{css}</style>", is_visible, policy)


#: Selectors of ELEMENT.
_SELECTORS = r"""
*.quay
P.quay
.quay.tide
.tide.quay.quay
p#q7.quay.tide
*#q7
body .quay
html body .quay
html > body > div > div > .quay
.story-body .quay
.story-body > .quay
.story-body>.quay
div.story-body>p.quay
.columns .story-body > .quay
.columns > * > .quay
.columns * .quay
body * .quay
.headline ~ .quay
.byline ~ p ~ .quay
.before + .quay
.before+.quay
h1 ~ .before + .quay
.headline + .byline ~ .quay
p + p.quay
p+.quay
.columns .before~.quay
[class="quay tide"]
[class="QUAY tide" i]
[class^=quay]
[class^="qu"]
[class$=tide]
[class$="ide"]
[class*="ay ti"]
[class*='uay']
[class~=tide]
[class~="quay"]
[id=q7]
[id="q7"]
[id^=q]
[ID=q7]
p[id]
[data-kind]
[data-kind="Side-Note"]
[data-kind="side-note" i]
[data-kind="SIDE-NOTE"I]
[data-kind^="Side"]
[data-kind$="note"i]
[data-kind|="Side"]
[DATA-KIND=Side-Note]
[lang|=en].quay
p[lang|="en"]
[title~=lights]
[title="harbour lights"]
[title^="harbour "]
[ title = "harbour lights" ]
p[data-kind][title]
[data\-kind]
[title="h\61rbour lights"]
[*|title="harbour lights"]
*|p.quay
.quay:not(.zz)
.quay:not(.zz, #zz)
.quay:not(.zz):not(#zz)
p:not(.zz):not(:empty).tide
.quay:not(:first-child)
.quay:not(:last-child)
.quay:not(:not(p))
.quay:not(.a .quay)
.quay:not(h2 + *)
:is(.quay)
:is(.zz, .quay)
:is(p, div).quay
:is(.story-body) .quay
:is(.a, .story-body) > :is(.b, .quay)
:is(.story-body .quay)
:is(:is(:is(.quay)))
:is(.broken:nonsense, .quay)
:where(.quay)
:where(#q7)
p:where(.tide)
:-webkit-any(.zz, .quay)
.story-body:has(.quay) .quay
:has(> .quay) > .quay
.before:has(+ .quay) + .quay
div:has(.headline) > .quay
.quay:has(+ .after)
.quay:has(~ p)
.story-body:has(> .headline ~ .quay) .quay
body:has(#q7) #q7
.quay:not(:has(img))
p.quay:has(+ p.after:not(.zz))
.columns:has(.story-body .quay) .tide
.quay:has(:not(img)), .quay:not(:has(*))
:root .quay
html:root > body .quay
:scope .quay
.quay:nth-child(n)
.quay:nth-child(1n+0)
.quay:nth-child(n+2)
.quay:nth-last-child(n+2)
:nth-child(1 of .quay)
:nth-last-child(1 of .quay)
:nth-child(1 of p[title])
.quay:nth-child(odd), .quay:nth-child(even)
.quay:nth-of-type(n+2)
.quay:nth-last-of-type(-n+99)
.quay:lang(en)
:lang(en-GB)
.quay:dir(ltr)
.quay:defined
.quay:read-only
.quay:hover, .quay
.quay, ::-webkit-unheard-of
.\71 uay
.\000071uay
.qua\79
#\71 7
[id="\71 7"]
.quay/**/.tide
.story-body /**/ .quay
/**/.quay/**/
.story-body/* } */>/* { */.quay
"""

#: Selectors of the middle item of LIST.
_OF_LIST = """
.pts li:nth-child(2)
.pts li:nth-child(2n)
.pts li:nth-child( 2n + 0 )
.pts li:nth-child(even)
.pts li:NTH-CHILD(EVEN)
.pts li:nth-child(3n-1)
.pts li:nth-child(+2)
.pts li:nth-child(-n+2):nth-child(n+2)
.pts :nth-child(2 of li)
.pts li:nth-last-child(2)
.pts li:nth-of-type(2)
.pts li:nth-last-of-type(2n)
.pts li:not(:first-child):not(:last-child)
.pts li:not(:first-child, :last-child)
.pts li:first-child + li
.pts > li + li:not(:last-child)
.pts li:has(+ li:last-child)
ul li:not(:nth-child(odd))
"""
#: Selectors of the paragraph of ALONE.
_OF_ALONE = """
.grp :only-child
.grp > :first-child
.grp > :last-child
.grp>p:only-of-type
.grp p:first-of-type:last-of-type
.grp :nth-child(1)
.grp p:nth-last-of-type(1)
.grp > *
.grp *
.grp p
div.grp
.grp:has(p)
.grp:has(> p:only-child)
.grp:not(:has(h2)) p
.grp :not(h2)
.grp:not(:empty)
.before + div
.before ~ div p
.story-body > div > p
"""
_OF_MIXED = """
.mix p:only-of-type
.mix p:first-of-type
.mix p:last-of-type
.mix h3 + p
.mix h3 ~ p
.mix > :nth-child(2)
.mix > :not(h3)
.mix > :not(:first-child):not(:last-child)
.mix h3:first-child + p
"""

#: Whole style sheets that hide ELEMENT.
_SHEETS = r"""
@media (width >= 1px){.quay{display:none}}
@media (1px <= width <= 99999px){.quay{display:none}}
@media not print{.quay{display:none}}
@media screen and (min-width:1px) and (max-width:99999px){.quay{display:none}}
@media (orientation:landscape),(orientation:portrait){.quay{display:none}}
@media (hover:hover),(hover:none){.quay{display:none}}
@media only screen and (color){.quay{display:none}}
@media screen{@media (min-width:1px){.quay{display:none}}}
@media screen{@supports (display:grid){@layer x{.quay{display:none}}}}
@MEDIA SCREEN{.quay{display:none}}
@media/**/screen{.quay{display:none}}
@media{.quay{display:none}}
@media (min-width:calc(1px + 1px)){.quay{display:none}}
@supports (display:grid) and (not (display:nonsense)){.quay{display:none}}
@supports (display:nonsense) or (display:grid){.quay{display:none}}
@supports not (display:nonsense){.quay{display:none}}
@supports selector(:has(a)){.quay{display:none}}
@supports (--css:variables){.quay{display:none}}
@layer a,b;@layer b{.quay{display:none}}@layer a{.quay{display:block}}
@layer{.quay{display:none}}
@layer a{.quay{display:none!important}} .quay{display:block!important}
@layer a{@layer b{.quay{display:none}}}
@layer a.b{.quay{display:none}}
@layer a{#q7{display:block}} @layer b{.quay{display:none}}
.story-body{container-type:inline-size}@container (min-width:1px){.quay{display:none}}
.story-body{container:body / inline-size}@container body (width > 1px){.quay{display:none}}
.story-body{--hide:1}@container style(--hide:1){.quay{display:none}}
@scope (.story-body){.quay{display:none}}
@scope (.story-body) to (.zz){.quay{display:none}}
@scope (.story-body){:scope > .quay{display:none}}
@scope (.story-body){> .quay{display:none}}
@scope (.quay){:scope{display:none}}
@scope (.quay){& {display:none}}
.story-body{.quay{display:none}}
.story-body{& .quay{display:none}}
.story-body{& > .quay{display:none}}
.story-body{> .quay{display:none}}
.story-body{p{&.quay{display:none}}}
.quay{&{display:none}}
.quay{&.tide{display:none}}
.quay{.story-body &{display:none}}
.quay{.columns > .story-body > &{display:none}}
.before{+ .quay{display:none}}
.before{& + .quay{display:none}}
.headline{~ .quay{display:none}}
.story-body{:is(&) .quay{display:none}}
.story-body{color:black;.quay{display:none}}
.story-body{.quay{display:none} color:black}
.columns{.story-body{.quay{display:none}}}
.columns{.zz, .story-body{.zz, .quay{display:none}}}
.quay{@media screen{display:none}}
.quay{@media screen{&{display:none}}}
.quay{@supports (display:grid){display:none}}
.quay{@layer x{display:none}}
.quay{:not(&){color:black} display:none}
.columns{& :is(p).quay{display:none}}
.quay{&:not(.zz){display:none}}
.a{.b{&{color:red}}} .quay{display:none}
.quay{color:red;;;display:none}
.quay{nonsense;display:none}
.quay{nonsense:;display:none}
.quay{*zoom:1;display:none}
.quay{_height:1px;display:none}
.quay{filter:progid:DXImageTransform.Microsoft.Alpha(opacity=0);display:none}
.quay{background:url(data:image/png;base64,AA==);display:none}
.quay{background:url("a)b");display:none}
.quay{content:'a\'}';display:none}
.quay{content:"\"{";display:none}
.quay{--a:{b:c};display:none}
.quay{--a:[(;)];display:none}
.quay{--a:"}";display:none}
.quay{color:red;display:none
.quay{display:none;/* never closed
@media screen{.quay{display:none
.a{} } .quay{display:none} .quay{display:none}
.a{color:red;} ; .b{} .quay{display:none} .quay{display:none}
.a:nonsense(x){color:red} .quay{display:none}
.a::{color:red} .quay{display:none}
@unknown x{.quay{display:block}} .quay{display:none}
@unknown x; .quay{display:none}
@page{margin:1cm} .quay{display:none}
@font-face{font-family:"}"} .quay{display:none}
@property --x{syntax:"*";inherits:false} .quay{display:none}
@keyframes x{from{display:block}to{display:block}} .quay{display:none}
@namespace svg url(http://www.w3.org/2000/svg); .quay{display:none}
@counter-style x{system:cyclic;symbols:"{"} .quay{display:none}
@import "nowhere.css" layer(x); .quay{display:none}
@charset "{"; .quay{display:none}
<!-- .quay{display:none}
--> .quay{display:none}
.quay{DISPLAY:NONE}
.quay{display:none !IMPORTANT}
.quay{display:none!/**/important}
.quay{display:none!important;display:block!ie}
.quay{display:block;display:none}
.quay{display:none;display:inlineblock}
.quay{all:unset;display:none}
p.quay{display:none} .quay{display:block}
#q7{display:none} p.quay.tide[title]{display:block}
#q7{display:none} :where(#q7#q7.quay){display:block}
:is(#q7,.zz){display:none} p.quay.tide.quay{display:block}
.quay:not(#zz){display:none} p.quay.tide{display:block}
.story-body .quay{display:none} .quay{display:block}
.quay.tide{display:none} p.quay{display:block}
[class][id][title]{display:none} p.quay{display:block}
.quay{display:none!important} #q7#q7{display:block}
.quay{display:none!important} .quay{display:block}
html body .columns p.quay{display:none} .story-body .quay{display:block}
:nth-child(n of #q7){display:none} p.quay.tide{display:block}
.story-body:has(#q7) .tide{display:none} .quay.tide[id]{display:block}
.quay{display:none} @layer x{#q7{display:block}}
@layer a{.quay{display:none}} @layer a{:where(.quay){display:block}}
.quay{display:var(--x)} :root{--x:none}
.quay{display:var(--x)} .story-body{--x:none}
.quay{--x:none;display:var(--x)}
.quay{--x:var(--y);--y:none;display:var(--x)}
.quay{display:var(--x,none)}
.quay{display:var(--x,var(--y,none))}
.quay{display:var( --x , none )}
.quay{display:var(--X);--X:none;--x:block}
.quay{--x: none ;display:var(--x)}
.quay{visibility:var(--v)} body{--v:hidden}
.quay{opacity:var(--o)} :root{--o:0}
.quay{opacity:calc(var(--o)*1)} :root{--o:0}
.quay{font-size:var(--f)} :root{--f:0px}
.quay{color:var(--c);background:var(--c)} :root{--c:#fff}
.quay{color:rgb(var(--c) / 0)} :root{--c:0 0 0}
.quay{position:absolute;left:var(--l)} :root{--l:-9999px}
.quay{--x:block;display:var(--x)} #q7{--x:none}
:root{--x:none} @media screen{.quay{display:var(--x)}}
.story-body{visibility:hidden} .story-body > *{visibility:visible} .quay{visibility:inherit!important}
.story-body{visibility:hidden} .story-body > :not(.quay){visibility:visible}
.quay{visibility:visible} .quay{visibility:hidden}
.quay{opacity:1} .tide{opacity:0}
.quay{display:none;display:revert-layer}@layer x{.quay{display:none}}
.quay{overflow:hidden} .tide{height:0;padding:0;margin:0}
.quay{position:absolute} .tide{left:-9999px}
.quay{color:#fff}
.quay{color:white!important}
.story-body{background:#123456} .quay{color:#123456}
body{background:#222;color:#eee} .quay{color:#222}
html{background:black} body{color:#ddd} .quay{color:#000}
"""


def _hides(selectors: str, body: str) -> list[Way]:
    return [sheet(selector + "{display:none}", body) for selector in lines(selectors)]


def _linked(url: str, name: str, rest: str = "") -> Way:
    return Way(name, ELEMENT, f'<link rel=stylesheet href="{url}"{rest}>')


_BASE64 = b64encode(RULE.encode()).decode()
_DATA = f"data:text/css,{RULE}"

HIDDEN: list[Way] = [
    *_hides(_SELECTORS, ELEMENT),
    *_hides(_OF_LIST, LIST),
    *_hides(_OF_ALONE, ALONE),
    *_hides(_OF_MIXED, MIXED),
    *(sheet(css) for css in lines(_SHEETS)),
    sheet(".gap:empty + .quay{display:none}", '<p class="gap"></p><p class="quay">{}</p>'),
    sheet(".gap:empty ~ .quay{display:none}", '<p class="gap"><!-- a --></p><p class="quay">{}</p>'),
    sheet("aside p{display:none}", "<aside><p>{}</p></aside>"),
    sheet("x-note > p{visibility:hidden}", "<x-note><p>{}</p></x-note>"),
    sheet("[hidden-now]{display:none}", "<p hidden-now>{}</p>"),
    sheet("[data-x='']{display:none}", "<p data-x>{}</p>"),
    sheet("[style]{display:none}", "<p style='color:red'>{}</p>"),
    sheet("[style*='red']{display:none}", "<p style='color:red'>{}</p>"),
    sheet("p:not([class]):has(b){display:none}", "<p><b>{}</b></p>"),
    sheet("p b{display:none}", "<p>Nothing else was seen that day. <b>{}</b> The rest is known.</p>"),
    sheet("p > i:first-child{display:none}", "<p><i>{}</i> The rest of it is known to all.</p>"),
    sheet("a[href='/x']{display:none}", "<p>Nothing else. <a href='/x'>{}</a> The rest is known.</p>"),
    sheet("a[href$='.pdf' i]{display:none}", "<p>Nothing else. <a href='/x.PDF'>{}</a> The rest is known.</p>"),
    sheet("p:link, a:link{display:none}", "<p>Nothing else. <a href='/x'>{}</a> The rest is known.</p>"),
    sheet("a:any-link{display:none}", "<p>Nothing else. <a href='/x'>{}</a> The rest is known.</p>"),
    sheet("tr:nth-child(2){display:none}", "<table><tr><td>One</td></tr><tr><td>{}</td></tr></table>"),
    sheet("td + td{display:none}", "<table><tr><td>One</td><td>{}</td></tr><tr><td>Two</td></tr></table>"),
    sheet("tbody tr td:last-child{display:none}", "<table><tr><td>One</td><td>{}</td></tr></table>"),
    sheet("table>tr td, tbody>tr>td{visibility:hidden}", "<table><tr><td>{}</td></tr></table>"),
    sheet("dl dt + dd{display:none}", "<dl><dt>Harbour</dt><dd>{}</dd></dl>"),
    sheet("dt:first-of-type ~ dd{display:none}", "<dl><dt>Harbour</dt><dd>{}</dd></dl>"),
    sheet("details[open] > p{display:none}", "<details open><summary>More of it</summary><p>{}</p></details>"),
    sheet("input:checked ~ p.quay{display:none}", "<div><input type=checkbox checked><p class=quay>{}</p></div>"),
    sheet("input:not(:checked) ~ .quay{display:none}", "<div><input type=checkbox id=c1><p class=quay>{}</p></div>"),
    sheet("input:disabled + .quay{display:none}", "<div><input disabled><p class=quay>{}</p></div>"),
    sheet(".Quay{display:none}", "<p class='Quay'>{}</p>"),
    sheet(r".md\:gone{display:none}", "<p class='md:gone'>{}</p>"),
    sheet(r".\31 23{display:none}", "<p class='123'>{}</p>"),
    sheet(r".w-1\/2{display:none}", "<p class='w-1/2'>{}</p>"),
    sheet(r".a\.b{display:none}", "<p class='a.b'>{}</p>"),
    sheet(".été{display:none}", "<p class='été'>{}</p>"),
    sheet(".--x{display:none}", "<p class='--x'>{}</p>"),
    sheet("._x{display:none}", "<p class='_x'>{}</p>"),
    sheet(".quay{display:none}", "<p class='\n quay\ttide '>{}</p>", name="white space in the class"),
    sheet(".outer .inner p{display:none}", '<div class="outer"><div><div class="inner"><p>{}</p></div></div></div>'),
    sheet(".outer > div p{display:none}", '<div class="outer"><div><div class="inner"><p>{}</p></div></div></div>'),
    sheet(".outer p:not(.outer > p){display:none}", '<div class="outer"><div><p>{}</p></div></div>'),
    sheet("div div div div div p{display:none}", "<div><div><div><p>{}</p></div></div></div>"),
    sheet(".quay{display:none}", "<p class=quay CLASS=zz>{}</p>", name="a repeated class attribute"),
    sheet("p{visibility:hidden} p:not(.quay){visibility:visible}", name="all paragraphs but this"),
    Way("percent encoding", ELEMENT, f'<link rel=stylesheet href="data:text/css,{quote(RULE)}">'),
    _linked(_DATA, "data: link"),
    _linked(f"data:text/css;charset=utf-8,{RULE}", "data: link with a charset"),
    _linked(f"data:text/css;base64,{_BASE64}", "data: link in base64"),
    _linked(f"DATA:text/css;charset=utf-8;BASE64,{quote(_BASE64)}", "data: link in base64, large letters"),
    _linked("data:text/css,.quay%7Bdisplay%3Anone%7D", "data: link in percent encoding"),
    _linked(_DATA, "data: link for screens", " media=screen"),
    _linked(f"data:text/css,@import '{_DATA}';", "data: link that imports"),
    Way("rel in large letters", ELEMENT, f'<LINK REL="StyleSheet" HREF="{_DATA}">'),
    Way("rel of two words", ELEMENT, f'<link rel="preload stylesheet" as=style href="{_DATA}">'),
    Way("data: link in the body", f'<link rel=stylesheet href="{_DATA}">' + ELEMENT),
    sheet(f'@import "{_DATA}";', name="import of a data: string"),
    sheet(f"@import url({_DATA.replace('{', '%7B').replace('}', '%7D')});", name="import of a bare data: url"),
    sheet(f'@import url("{_DATA}") screen;', name="import for screens"),
    sheet(f"@import 'data:text/css;base64,{_BASE64}';", name="import in base64"),
    sheet(f'@import url("{_DATA}") layer(x);', name="import into a layer"),
    sheet(f'@import url("{_DATA}") supports(display:grid);', name="import under a condition"),
    sheet(f'@charset "utf-8"; @layer a; @import "{_DATA}";', name="import after a layer statement"),
    Way("style element with a type", ELEMENT, f"<style type='text/css'>{RULE}</style>"),
    Way("style element with media=all", ELEMENT, f"<style media=all>{RULE}</style>"),
    Way("style element at the end", ELEMENT + f"<div><style>{RULE}</style></div>"),
    Way("the later sheet", ELEMENT, f"<style>.quay{{display:block}}</style><style>{RULE}</style>"),
]
