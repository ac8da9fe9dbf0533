"""Ways to hide a sentence in a story, and ways that only look like it.

Each is a piece of HTML that stands between two paragraphs of a story, with `{}` where the sentence is, and what stands
in the head of the page.
"""

from __future__ import annotations

from tests.hidden_text.way import Way

_INLINE = """
display:none
display: none
DISPLAY:NONE
display:none!important
display:none ! important
display:/**/none
display/* a */:/* b */none/* c */
d\\69splay:none
\\64 isplay:none
display:n\\6fne
display:\\6e\\6f\\6e\\65
dis\\000070lay:none
display&#58;none
&#100;isplay:none
color:red;display:none
;;display:none
display:block;display:none
display:none!important;display:block
display:none;display:nonsense
display:none;display:
--d:none;display:var(--d)
display:var(--missing, none)
visibility:hidden
visibility:collapse
visibility : hidden
visibility:hidden;visibility:seen
content-visibility:hidden
opacity:0
opacity:.0
opacity:0.0
opacity:0%
opacity:00
opacity:0.001
opacity:calc(0)
opacity:0e3
filter:opacity(0)
filter:opacity(0%)
-webkit-filter:opacity(0)
font-size:0
font-size:0px
font-size:0!important
font-size:1px
font-size:.5px
font-size:0.01em
font-size:1%
font-size:calc(0px)
font:0/0 a
font:0px/1 serif
font:italic bold 0 serif
font:1px/1px monospace
text-indent:-9999px
text-indent:-100em
text-indent:100%;overflow:hidden;white-space:nowrap
position:absolute;left:-9999px
position:absolute;left:-10000px
position:fixed;top:-1000em
position:absolute;right:-9999px
position:absolute;bottom:-5000px
position:absolute;left:-200vw
position:absolute;left:9999px
position:absolute;left:calc(-1 * 9999px)
position:absolute;inset:-9999px auto auto -9999px
position:absolute;inset-inline-start:-9999px
margin-left:-9999px
margin:-9999px 0 0 -9999px
margin-top:-99999px
transform:translateX(-9999px)
transform:translate(-9999px,0)
transform:translate(0, -9999px)
transform:translate3d(-9999px, 0, 0)
transform:translateX(-1000vw)
transform:scale(0)
transform:scale(0,1)
transform:scaleY(0)
transform:scale3d(0,0,0)
transform:rotate(10deg) scale(0)
transform:matrix(0,0,0,0,0,0)
transform:rotateY(90deg)
-webkit-transform:scale(0)
scale:0
translate:-9999px
rotate:y 90deg
color:transparent
color:rgba(0,0,0,0)
color:rgb(0 0 0 / 0)
color:rgb(0 0 0 / 0%)
color:hsla(0,0%,0%,0)
color:#0000
color:#00000000
color:#ffffff00
-webkit-text-fill-color:transparent
color:white;background:white
color:#fff;background-color:#FFFFFF
color:rgb(255,255,255);background:#fff
color:#eee;background-color:#eeeeee
color:black;background:rgb(0,0,0)
height:0;overflow:hidden
height:0px;overflow:clip
max-height:0;overflow:hidden
max-height:0;overflow-y:hidden
width:0;overflow:hidden
max-width:0;overflow-x:hidden
height:1px;width:1px;overflow:hidden
width:1px;height:1px;overflow:hidden;position:absolute
block-size:0;overflow:hidden
height:0;overflow:auto
line-height:0;height:0;overflow:hidden
clip:rect(0,0,0,0);position:absolute
clip:rect(1px,1px,1px,1px);position:absolute
clip:rect(0 0 0 0);position:absolute
clip-path:inset(50%)
clip-path:inset(100%)
clip-path:inset(0 100% 0 0)
clip-path:circle(0)
clip-path:circle(0px at 50% 50%)
clip-path:ellipse(0 0)
clip-path:polygon(0 0,0 0,0 0)
-webkit-clip-path:inset(50%)
"""

_CLASSES = """
hidden
d-none
invisible
is-hidden
u-hidden
display-none
sr-only
SR-Only
visually-hidden
visuallyhidden
screen-reader-text
screen-reader-only
screenreader-only
element-invisible
show-for-sr
u-srOnly
usa-sr-only
govuk-visually-hidden
visually-hidden-focusable
sr-only focus:not-sr-only
d-none d-print-block
hidden print:block
"""

#: Style sheets, for an element `<p class="quay tide" id="q7">`.
_SHEETS = """
.quay{display:none}
.quay { display : none }
.QUAY,.quay{display:none}
#q7{display:none}
p#q7{display:none}
p.quay{display:none}
.quay.tide{display:none}
h6, .quay, .x{visibility:hidden}
.quay{opacity:0}
.quay{opacity:.0}
.quay{font:0/0 a}
.quay{font-size:0}
.quay{text-indent:-9999px}
.quay{position:absolute;left:-9999px}
.quay{transform:translateX(-9999px)}
.quay{transform:scale(0)}
.quay{color:transparent}
.quay{color:#fff;background:#fff}
.quay{height:1px;width:1px;overflow:hidden}
.quay{max-height:0;overflow:hidden}
.quay{clip-path:inset(50%)}
.quay{dis\\70lay:none}
.q\\75 ay{display:none}
.quay{/* } */display:none}
.quay{content:"}";display:none}
.a{content:"{"} .quay{display:none}
/* .quay{display:block} */ .quay{display:none}
<!-- .quay{display:none} -->
@charset "utf-8"; .quay{display:none}
@import url(x.css); .quay{display:none}
@media screen{.quay{display:none}}
@media all{.quay{display:none}}
@media only screen{.quay{display:none}}
@media (min-width:1px){.quay{display:none}}
@media print,screen{.quay{display:none}}
@supports (display:block){.quay{display:none}}
@layer base{.quay{display:none}}
.quay{display:block} .quay{display:none}
.quay{display:none!important} #q7{display:block}
p{display:block} .quay{display:none}
.quay{display:none} @media print{.quay{display:block}}
.quay{display:none} @media not all{.quay{display:block}}
.quay{display:none} .quay:hover{display:block}
.quay{display:none} .open .quay{display:block}
.quay{&:hover{color:red} display:none}
.quay{position:absolute;width:1px;height:1px;clip:rect(0 0 0 0);overflow:hidden}
"""


def _sheets(written: str) -> list[Way]:
    element = '<p class="quay tide" id="q7">{}</p>'
    return [Way(css, element, f"<style>{css}</style>") for css in written.split("\n") if css]


HIDDEN: list[Way] = [
    *(Way(style, f"<p style='{style}'>{{}}</p>") for style in _INLINE.split("\n") if style),
    *(Way(f"class {names}", f'<p class="{names}">{{}}</p>') for names in _CLASSES.split("\n") if names),
    *_sheets(_SHEETS),
    Way("div", "<div style='display:none'><p>{}</p></div>"),
    Way("span in a paragraph", "<p>Nothing else. <span style='display:/**/none'>{}</span> More.</p>"),
    Way("a class in a paragraph", "<p>Nothing else. <span class=sr-only>{}</span> More.</p>"),
    Way("no quotes", "<p style=display:none>{}</p>"),
    Way("large letters", "<P STYLE='Display:None'>{}</P>"),
    Way("a break in the value", "<p style='display:\n none'>{}</p>"),
    Way("hidden", "<p hidden>{}</p>"),
    Way("hidden with a value", "<p hidden=hidden>{}</p>"),
    Way("until found", "<p hidden=until-found>{}</p>"),
    Way("hidden section", "<section hidden><h2>Also</h2><p>{}</p></section>"),
    Way("aria-hidden", "<p aria-hidden=true>{}</p>"),
    Way("hidden list item", "<ul><li>The pier</li><li style='display:none'>{}</li><li>The lamp</li></ul>"),
    Way("hidden list", "<ul class='hidden'><li>{}</li></ul>"),
    Way("hidden quotation", "<blockquote hidden><p>{}</p></blockquote>"),
    Way("hidden cell", "<table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td hidden>{}</td></tr></table>"),
    Way("hidden row", "<table><tr><th>A</th><th>B</th></tr><tr hidden><td>{}</td><td>2</td></tr></table>"),
    Way("hidden heading", "<h2 class='visually-hidden'>{}</h2>"),
    Way("hidden link", "<p>See <a href='/x' style='opacity:0'>{}</a>.</p>"),
    Way("hidden code", "<pre style='display:none'>{}</pre>"),
    Way("template", "<template><p>{}</p></template>"),
    Way("noscript", "<noscript><p>{}</p></noscript>"),
    Way("dialog", "<dialog><p>{}</p></dialog>"),
    Way("hidden dialog", "<dialog open hidden><p>{}</p></dialog>"),
    Way("input", "<form><input type='hidden' value='{}'></form>"),
    Way("select", "<select><option>{}</option></select>"),
    Way("textarea", "<textarea hidden>{}</textarea>"),
    Way("hidden details", "<details hidden><summary>More</summary><p>{}</p></details>"),
    Way("comment", "<!-- {} -->"),
    Way("script", "<script type='text/plain'>{}</script>"),
    Way("hidden caption", "<figure><img src='/quay.jpg' alt='A quay'><figcaption hidden>{}</figcaption></figure>"),
    Way(
        "styled caption",
        "<figure><img src='/quay.jpg' alt='A quay'><figcaption style='opacity:.0'>{}</figcaption></figure>",
    ),
    Way(
        "part of a caption",
        "<figure><img src='/quay.jpg' alt=''><figcaption>A quay <span class=sr-only>{}</span></figcaption></figure>",
    ),
    Way("caption by name", "<div><img src='/quay.jpg' alt=''><p class='caption' hidden>{}</p></div>"),
    Way("alt text", "<p><img src='/quay.jpg' alt='{}' hidden></p>"),
    Way("alt text of a styled picture", "<p><img src='/quay.jpg' alt='{}' style='display:none'></p>"),
    Way(
        "alt text of a picture off screen",
        "<p><img src='/quay.jpg' alt='{}' style='position:absolute;left:-9999px'></p>",
    ),
    Way("alt text by class", "<p><img src='/quay.jpg' alt='{}' class='d-none'></p>"),
    Way(
        "alt text by sheet", "<p><img src='/quay.jpg' alt='{}' class='quay'></p>", "<style>.quay{display:none}</style>"
    ),
    Way("alt text in a hidden figure", "<figure hidden><img src='/quay.jpg' alt='{}'></figure>"),
    Way("alt text in a hidden box", "<div style='display:none'><p><img src='/quay.jpg' alt='{}'></p></div>"),
    Way("alt text in a dialog", "<dialog><img src='/quay.jpg' alt='{}'></dialog>"),
    Way("alt text in a template", "<template><img src='/quay.jpg' alt='{}'></template>"),
    Way("title of a picture", "<p><img src='/quay.jpg' alt='' title='{}' hidden></p>"),
    Way("two sheets", "<p class=quay>{}</p>", "<style>.a{color:red}</style><style>.quay{display:none}</style>"),
    Way("a sheet for screens", "<p class=quay>{}</p>", "<style media=screen>.quay{display:none}</style>"),
    Way("a sheet in the story", "<style>.quay{display:none}</style><p class=quay>{}</p>"),
    Way("a sheet in a drawing", "<svg><style>.quay{display:none}</style></svg><p class=quay>{}</p>"),
    Way("a tag by sheet", "<aside>{}</aside>", "<style>aside{display:none}</style>"),
    Way("a tag of its own by sheet", "<x-note>{}</x-note>", "<style>x-note{display:none}</style>"),
    Way("a reference in a class", "<p class='qu&#97;y'>{}</p>", "<style>.quay{display:none}</style>"),
    Way("a class in large letters", "<P CLASS='quay'>{}</P>", "<style>.quay{display:none}</style>"),
    Way("sheet and style", "<p class=quay style='height:0'>{}</p>", "<style>.quay{overflow:hidden}</style>"),
    Way("inside what is invisible", "<div style='visibility:hidden'><p style='color:red'>{}</p></div>"),
    Way("inside what is tiny", "<div style='font-size:0'><p style='font-size:2em'>{}</p></div>"),
    Way("inside what has no opacity", "<div style='opacity:0'><p style='opacity:1'>{}</p></div>"),
]

_SHOWN_INLINE = """
display:block
display:none;display:block
display:nonefoo
display:none none
display:block!important;display:none
/* display:none */
content:"display:none"
background:url(display:none)
*display:none
visibility:visible
visibility:hidden;visibility:visible
opacity:1
opacity:.5
opacity:0;opacity:1
opacity:0.05
font-size:.8em
font-size:12px
font:12px/0 serif
text-indent:2em
text-indent:-2em
position:absolute;left:-20px
position:relative;left:10px
text-indent:9999px
clip:rect(0,0,0,0)
clip:rect(1px,1px,1px,1px)
clip:rect(0px, 0px, 0px, 0px)
margin-left:-15px
margin-bottom:-99999px;padding-bottom:99999px
transform:translateX(-50%)
transform:scale(1)
transform:none
color:white;background:black
color:inherit;background:inherit
color:transparent;background:linear-gradient(red,blue);-webkit-background-clip:text
color:#fff;background:#fff url(night.jpg)
background:transparent
height:0
width:1px;min-width:100%;overflow:hidden
height:0;padding-bottom:56.25%;overflow:hidden
overflow:hidden
overflow:hidden;height:auto
flex:1;width:0;overflow:hidden
max-height:400px;overflow:hidden
clip:auto
clip-path:none
clip-path:inset(0)
z-index:-1
"""

_SHOWN_SHEETS = """
.other{display:none}
.quay2{display:none}
.quay:hover{display:none}
.quay::before{display:none}
.quay:not(.tide){display:none}
.open .quay{display:none}
.quay img{display:none}
.quay.other{display:none}
h6.quay{display:none}
.quay{display:none} .quay{display:block}
.quay{display:none} #q7{display:block}
.quay{display:none} p.quay{display:block}
.quay{display:none} .quay.tide{display:block}
.quay{display:none} .quay{display:block!important}
@media print{.quay{display:none}}
@media speech{.quay{display:none}}
@media not all{.quay{display:none}}
@media (max-width:600px){.quay{display:none}}
@media screen and (min-width:900px){.quay{display:none}}
@media (prefers-reduced-motion){.quay{display:none}}
.quay{display:none} @media (min-width:768px){.quay{display:block}}
@supports not (display:grid){.quay{display:none}}
/* .quay{display:none} */
.quay{opacity:0;animation:in 1s forwards} @keyframes in{to{opacity:1}}
@font-face{font-family:quay;src:url(a)} .quay{font-family:quay}
.quay{content:".quay{display:none}"}
"""

SHOWN: list[Way] = [
    *(Way(style, f"<p style='{style}'>{{}}</p>") for style in _SHOWN_INLINE.split("\n") if style),
    *_sheets(_SHOWN_SHEETS),
    Way("no attribute", "<p>{}</p>"),
    Way("responsive", '<p class="hidden md:block">{}</p>'),
    Way("responsive flex", '<div class="hidden lg:flex"><p>{}</p></div>'),
    Way("responsive bootstrap", '<p class="d-none d-md-block">{}</p>'),
    Way("hidden on phones", '<p class="md:hidden">{}</p>'),
    Way("hidden-xs", '<p class="hidden-xs">{}</p>'),
    Way("a gem", '<p class="hidden-gem">{}</p>'),
    Way("not sr-only", '<p class="not-sr-only">{}</p>'),
    Way("overflow-hidden", '<div class="overflow-hidden"><p>{}</p></div>'),
    Way("a label", '<div class="field--label-hidden"><p>{}</p></div>'),
    Way("aria-hidden=false", "<p aria-hidden=false>{}</p>"),
    Way("displayed though hidden", "<p hidden style='display:block'>{}</p>"),
    Way("data-hidden", "<p data-hidden>{}</p>"),
    Way("title", "<p title='display:none hidden sr-only'>{}</p>"),
    Way("details", "<details><summary>More</summary><p>{}</p></details>"),
    Way("open dialog", "<dialog open><p>{}</p></dialog>"),
    Way("visible again", "<div style='visibility:hidden'><p style='visibility:visible'>{}</p></div>"),
    Way("large again", "<div style='font-size:0'><p style='font-size:16px'>{}</p></div>"),
    Way("coloured again", "<div style='color:transparent'><p style='color:#222'>{}</p></div>"),
    Way("not indented", "<div style='text-indent:-9999px'><p style='text-indent:0'>{}</p></div>"),
    Way("style over sheet", "<p class=quay style='display:block'>{}</p>", "<style>.quay{display:none}</style>"),
    Way("a sheet for printers", "<p class=quay>{}</p>", "<style media=print>.quay{display:none}</style>"),
    Way("without scripts", "<p class=quay>{}</p>", "<noscript><style>.quay{display:none}</style></noscript>"),
    Way("a comment", "<p class=quay>{}</p>", "<!-- <style>.quay{display:none}</style> -->"),
    Way("another's name", "<p class=quay>{}</p>", "<style>.Quay{display:none}</style>"),
    Way("a picture among letters of no size", "<div style='font-size:0'><img src='/q.jpg' alt='{}'></div>"),
]
