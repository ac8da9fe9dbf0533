"""Controls: what looks like a way of hiding, and is visible."""

from __future__ import annotations

from tests.hidden_text.selectors import ALONE, ELEMENT, LIST, MIXED, RULE, sheet
from tests.hidden_text.way import Way, lines

#: Selectors that do not match ELEMENT, or are invalid.
_SELECTORS = r"""
.quays
.Quay
p.tide.zz
#Q7
#q
div.quay
h1 + .quay
.after + .quay
.after ~ .quay
.headline + .quay
.columns > .quay
body > .quay
.sidebar .quay
.story-body/**/.quay
.story-body > * > .quay
.quay .tide
.quay > *
.quay *
[class=quay]
[class^=tide]
[class$=quay]
[class*=zz]
[class~=qua]
[data-kind="side-note"]
[data-kind|="Side-N"]
[data-kind^=""]
[title*=""]
[title~="harbour lights"]
[data-other]
[data-kind="Side-Note" s]
[lang|=e]
.quay:not(.tide)
.quay:not(.zz, .tide)
.quay:not(p)
.quay:not(:is(p, div))
:is(.zz, div).quay
:is(.sidebar) .quay
:where(.zz).quay
.quay:has(img)
.quay:has(> *)
.quay:has(+ .zz)
.story-body:has(img) .quay
.story-body:not(:has(h1)) .quay
.quay:first-child
.quay:last-child
.quay:only-child
.quay:only-of-type
.quay:nth-child(1)
.quay:nth-child(-n+2)
.quay:nth-child(0)
.quay:nth-child(n+99)
:nth-child(2 of .quay)
.quay:empty
.quay:root
.quay:hover
.quay:focus
.quay:focus-within
.quay:active
.quay:target
.quay:visited
.quay:checked
.quay:fullscreen
.quay:popover-open
.quay:lang(de)
.quay:dir(rtl)
.quay::before
.quay::after
.quay::first-line
.quay::selection
.quay::marker
.quay, :nonsense
.quay, p::nonsense
.quay, .a..b
.quay, >
.quay,
,.quay
.7quay, .quay
.quay:nonsense
.quay:nth-child(x)
.quay:not()
.quay:is()
.quay[=x]
.quay &zz
#7q, .quay
"""

_SHEETS = r"""
@media print{.quay{display:none}}
@media speech{.quay{display:none}}
@media screen and (max-width:10px){.quay{display:none}}
@media (width < 10px){.quay{display:none}}
@media not screen{.quay{display:none}}
@media (min-width:99999px){.quay{display:none}}
@media screen{@media print{.quay{display:none}}}
@media print{@media screen{.quay{display:none}}}
@media (nonsense){.quay{display:none}}
@media (prefers-reduced-motion:reduce){.quay{display:none}}
@media (max-width:0){.quay{display:none}}
@supports (display:nonsense){.quay{display:none}}
@supports not (display:block){.quay{display:none}}
@supports (display:grid) and (display:nonsense){.quay{display:none}}
@supports selector(:nonsense){.quay{display:none}}
@container (min-width:99999px){.quay{display:none}}
.story-body{container-type:inline-size}@container (max-width:1px){.quay{display:none}}
@container style(--hide:1){.quay{display:none}}
@scope (.sidebar){.quay{display:none}}
@scope (.story-body) to (.quay){.quay{display:none}}
@starting-style{.quay{opacity:0}}
@unknown x{.quay{display:none}}
@unknown{.quay{display:none}} .quay{color:black}
@keyframes quay{.quay{display:none}}
@layer a,b;@layer b{.quay{display:block}}@layer a{.quay{display:none}}
@layer a{.quay{display:none}} .quay{display:block}
@layer a{.quay{display:block!important}} .quay{display:none!important}
.quay{display:none} p.quay{display:block}
.quay{display:none} #q7{display:inline}
#q7{display:none} p#q7{display:block}
.quay{display:none} .story-body .quay{display:block}
.quay{display:none} .quay:not(#zz){display:block}
.quay{display:none} :is(.quay,#zz){display:block}
.quay.tide{display:none} .quay.tide{display:flex}
:where(#q7){display:none} p{display:block}
p{display:none} .before,.after,.quay,p{display:block}
.quay{display:none} .quay{display:block!important}
.quay{display:none!important} #q7{display:block!important}
.quay{display:none} .quay{display:revert}
.quay{display:none} .quay{display:unset}
.quay{display:none} .quay{display:initial}
.quay{display:none} .quay{all:initial}
.quay{display:none} .quay{all:revert}
.quay{display:none;display:block}
.quay{display:nonexistent}
.quay{display:none none}
.quay{display:none!importan}
.quay{displays:none}
.quay{dis play:none}
.quay{display none}
.quay{display:"none"}
.quay{display=none}
.quay{-display:none}
.quay{--display:none}
.quay{//display:none}
.quay{/*display:none*/}
.quay{color:red /*;display:none*/}
.quay{background:url(x;display:none)}
.quay{content:"x;display:none;"}
.quay{--x:{display:none}}
.quay{--x:;display:var(--none,block)}
.quay{display:var(--missing)}
.quay{display:var(--x)} .sidebar{--x:none}
.quay{display:var(--x)} :root{--X:none}
.quay{display:var(--x,block)}
:root{--x:none} .quay{--x:block;display:var(--x)}
.quay{--x:var(--x);display:var(--x)}
.quay{opacity:var(--o,1)}
.quay{visibility:hidden} .quay{visibility:visible}
.quay{visibility:hidden} .quay{visibility:inherit}
.quay{opacity:0} .quay{opacity:1}
.quay{opacity:0} .tide{opacity:unset}
.quay{font-size:0} .quay{font-size:initial}
.quay{color:transparent} .quay{color:inherit}
.quay{height:0;overflow:hidden} .quay{height:auto}
.quay{height:0;overflow:hidden} .quay{overflow:visible}
.quay{position:absolute;left:-9999px} .quay{position:static}
.quay{position:absolute;left:-9999px} .quay{left:auto}
.quay{clip-path:inset(50%)} .quay{clip-path:none}
.quay{transform:scale(0)} .quay{transform:none}
.quay{.tide{display:none}}
.quay{& .tide{display:none}}
.quay{&.zz{display:none}}
.quay{.sidebar &{display:none}}
.quay{&:hover{display:none}}
.quay{@media print{display:none}}
.sidebar{.quay{display:none}}
.headline{.quay{display:none}}
.before{> .quay{display:none}}
.quay{opacity:0;animation:in 1s forwards} @keyframes in{to{opacity:1}}
.quay{animation:in 1s} @keyframes in{from{opacity:0}}
.quay{animation:in 1s both} @keyframes in{0%{visibility:hidden}100%{visibility:visible}}
.quay{transform:translateX(-9999px);animation:in 1s forwards} @keyframes in{to{transform:none}}
body{background:#111;color:#eee} .quay{color:#fff}
html{background:#111;color:#eee} .quay{color:#fff}
.story-body{background:#003;color:#ddd} .quay{color:white}
.columns{background:black;color:white}
.quay{color:#fff;background:#900}
.quay{color:#fff;background:linear-gradient(#900,#600)}
.quay{color:white;text-shadow:0 0 2px #000,1px 1px 1px #000}
.quay{color:#767676}
.quay{color:#555;background:#fff}
.quay{position:relative;left:-20px}
.quay{margin-left:-10px}
.quay{margin-top:-5px}
.quay{text-indent:-1em;padding-left:1em}
.quay{letter-spacing:-.02em}
.quay{word-spacing:-.1em}
.quay{line-height:0}
.quay{line-height:0;padding:20px 0}
.quay{font-size:9px}
.quay{zoom:.8}
.quay{transform:scale(.9)}
.quay{transform:translateX(-10px)}
.quay{transform:translate(-50%,0);margin-left:50%}
.quay{transform:rotate(180deg)}
.quay{transform:rotateY(180deg)}
.quay{transform:scale(-1,1)}
.quay{filter:opacity(.9)}
.quay{filter:blur(0)}
.quay{filter:grayscale(1)}
.quay{filter:opacity(0)} .quay{filter:none}
.quay{opacity:.6}
.quay{opacity:60%}
.quay{mask:linear-gradient(#000,#000)}
.quay{mask-image:linear-gradient(#000 50%,transparent)}
.quay{mask:none}
.quay{clip:rect(0,0,0,0)}
.quay{clip-path:inset(0)}
.quay{clip-path:inset(1px 2px)}
.quay{clip-path:circle(100%)}
.quay{clip-path:polygon(0 0,100% 0,100% 100%,0 100%)}
.quay{height:0}
.quay{max-height:0}
.quay{height:0;overflow:visible}
.quay{mix-blend-mode:lighten}
.quay{mix-blend-mode:screen}
.quay{filter:brightness(99);background:white}
.quay{display:none;display:var(--unset)}
.quay{text-indent:9999px}
.quay{height:0;min-height:40px;overflow:hidden}
.quay{max-height:0;min-height:50px;overflow:hidden}
.quay{overflow:hidden;max-height:500px}
.quay{width:0;min-width:300px;overflow:hidden}
.quay{display:inline;height:0;width:0;overflow:hidden}
.quay{overflow:hidden}
.quay{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.quay{left:-9999px}
.quay{position:static;left:-9999px;top:-9999px}
.quay{position:sticky;top:0}
.quay{position:relative;z-index:-1}
.quay{content-visibility:auto}
.quay{content-visibility:visible}
.quay{contain:layout}
.quay{backface-visibility:hidden}
.quay{pointer-events:none;user-select:none}
.quay{visibility:collapse} .quay{visibility:visible}
.quay{display:contents}
.quay{display:inline}
.quay{display:flow-root}
.quay{float:left;width:100%}
.quay{-webkit-text-fill-color:black;color:transparent}
.quay{-webkit-text-fill-color:initial}
.quay{background:linear-gradient(red,blue);-webkit-background-clip:text;color:transparent}
.quay{background:#00f;background-clip:text;color:transparent}
.quay{mix-blend-mode:multiply}
.quay{mix-blend-mode:difference}
.quay{text-transform:uppercase}
.quay{color:color-mix(in srgb,black 80%,white)}
.quay{color:rgb(0 0 0 / .7)}
.quay{color:currentColor}
.quay{writing-mode:vertical-rl;height:400px}
.quay{direction:rtl;text-indent:10px}
"""

_BODIES = """
<p>{}</p>
<p hidden style="display:block">{}</p>
<p hidden style="display:flex">{}</p>
<p data-hidden="true" data-display="none">{}</p>
<p class="hidden-gem">{}</p>
<p class="unhidden">{}</p>
<p class="visible-hidden">{}</p>
<p class="nothidden">{}</p>
<p class="overflow-hidden">{}</p>
<p class="hidden md:block">{}</p>
<p class="d-none d-md-block">{}</p>
<p id="hidden">{}</p>
<p aria-hidden="false">{}</p>
<p inert>{}</p>
<p popover style="display:block;position:static">{}</p>
<details open><summary>More of it</summary><p>{}</p></details>
<details><summary>{}</summary><p>The rest is known to all in the village.</p></details>
<dialog open style="position:static"><p>{}</p></dialog>
<dialog style="display:block;position:static"><p>{}</p></dialog>
<div style="line-height:0;overflow:hidden"><p>{}</p></div>
<fieldset><legend>{}</legend></fieldset>
<center>{}</center>
<font color="gray">{}</font>
<div style="visibility:hidden"><p style="visibility:visible">{}</p></div>
<div style="visibility:hidden"><p style="visibility:initial">{}</p></div>
<div style="visibility:collapse"><p style="visibility:visible">{}</p></div>
<div style="color:transparent"><p style="color:black">{}</p></div>
<div style="color:#fff"><p style="color:#333">{}</p></div>
<div style="font-size:0"><p style="font-size:16px">{}</p></div>
<div style="font-size:0"><p style="font-size:1rem">{}</p></div>
<div style="font-size:0"><p style="font-size:medium">{}</p></div>
<div style="text-indent:-9999px"><p style="text-indent:0">{}</p></div>
<div style="letter-spacing:-99px"><p style="letter-spacing:normal">{}</p></div>
<div style="line-height:0"><p style="line-height:1.4">{}</p></div>
<div style="background:#111"><p style="color:#fff">{}</p></div>
<div style="background:#111"><div><p style="color:white">{}</p></div></div>
<div style="background:#111;color:#fff"><p>{}</p></div>
<div style="background-color:navy"><p><span style="color:#fff">{}</span></p></div>
<div style="background:#fff;color:#000"><p style="background:inherit">{}</p></div>
<div style="background:linear-gradient(#111,#222)"><p style="color:#fff">{}</p></div>
<table bgcolor="#003366"><tr><td><p><font color="white">{}</font></p></td></tr></table>
<table><tr bgcolor="black"><td style="color:#fff">{}</td></tr></table>
<div style="height:0"><p>{}</p></div>
<div style="max-height:0;overflow:visible"><p>{}</p></div>
<div style="height:0;overflow:hidden"><p style="position:fixed;top:100px">{}</p></div>
<div style="position:relative;height:60px;overflow:hidden"><p style="margin:0">{}</p></div>
<div style="height:120px;overflow:auto"><p>{}</p></div>
<div style="position:relative;left:-500px"><p style="position:relative;left:500px">{}</p></div>
<div style="margin-left:-200px"><p style="margin-left:200px">{}</p></div>
<div style="opacity:.8"><p style="opacity:.9">{}</p></div>
<div style="display:contents"><p>{}</p></div>
<div style="clip-path:inset(0)"><p>{}</p></div>
<div style="filter:none"><p>{}</p></div>
<div style="display:flex"><p style="flex:1;width:0;overflow:hidden">{}</p></div>
<div style="display:grid;grid-template-columns:1fr"><p style="min-width:0;overflow:hidden">{}</p></div>
<div style="display:table;width:1px"><p style="white-space:nowrap">{}</p></div>
<div style="position:absolute;left:-9999px;display:none">The tide is high.</div><p>{}</p>
<div><template shadowrootmode="open"><slot></slot></template><p>{}</p></div>
<div><template shadowrootmode="open"><p>The tide is high.</p><slot name="a"></slot></template><p slot="a">{}</p></div>
<div><template shadowrootmode="open"><style>p{display:none}</style><slot></slot></template><p>{}</p></div>
<div><template shadowrootmode="nonsense"><p>The tide is high.</p></template><p>{}</p></div>
<svg width=9 height=9><style>.other{display:none}</style></svg><p class="quay">{}</p>
<p style="display:none">The tide is high.<p>{}</p>
<span style="display:none">The tide is high.</span>{}
<div style="display:none">The tide is high.</div><div>{}</div>
<p style="">{}</p>
<p style=";;">{}</p>
<p style="{display:none}">{}</p>
<p style="display:none}">{}</p>
<p style="a{display:none}">{}</p>
<p style="&amp;{display:none}">{}</p>
<p style="@media screen{display:none}">{}</p>
<p style="color:red}display:none">{}</p>
<p style='content:"' title='display:none"'>{}</p>
<p style="/*">{}</p>
<p style="/* display:none">{}</p>
<p styles="display:none">{}</p>
<p data-style="display:none">{}</p>
<p style="display:block" style="display:none">{}</p>
"""

_CLICK, _FADE = "a reader opens it", "a script ends the fade-in"


def _link(rel: str, attribute: str) -> str:
    return f'<link rel="{rel}" href="data:text/css,{RULE}"{attribute}>'


SHOWN: list[Way] = [
    *(sheet(selector + "{display:none}", is_visible=True) for selector in lines(_SELECTORS)),
    *(sheet(css, is_visible=True) for css in lines(_SHEETS)),
    *(Way(f"visible {body}", body, is_visible=True) for body in lines(_BODIES)),
    sheet(".pts li:nth-child(1){display:none}", LIST, is_visible=True),
    sheet(".pts li:nth-child(odd){display:none}", LIST, is_visible=True),
    sheet(".pts li:last-child{display:none}", LIST, is_visible=True),
    sheet(".pts > :nth-child(4){display:none}", LIST, is_visible=True),
    sheet("ol li{display:none}", LIST, is_visible=True),
    sheet(".grp > .grp{display:none}", ALONE, is_visible=True),
    sheet(".grp:empty{display:none}", ALONE, is_visible=True),
    sheet(".grp + p{color:black} .grp:has(h2){display:none}", ALONE, is_visible=True),
    sheet(".mix p + h3{display:none}", MIXED, is_visible=True),
    sheet(".mix h3 > p{display:none}", MIXED, is_visible=True),
    sheet(".mix p:nth-of-type(2){display:none}", MIXED, is_visible=True),
    sheet(".gap:empty + .quay{display:none}", '<p class="gap"> </p><p class="quay">{}</p>', is_visible=True),
    sheet(RULE, '<p class="quay" style="display:block">{}</p>', is_visible=True, name="inline style over a sheet"),
    sheet("#q7{display:none}", '<p id="q7" style="display:block">{}</p>', is_visible=True),
    sheet("[hidden]{display:block}", "<p hidden>{}</p>", is_visible=True),
    sheet("p{display:block}", "<p hidden>{}</p>", is_visible=True, name="hidden overridden by a rule for p"),
    sheet(":popover-open{display:block} .x{display:none}", "<p>{}</p>", is_visible=True),
    sheet(
        "details:not([open]) p{display:none}", "<details open><summary>A</summary><p>{}</p></details>", is_visible=True
    ),
    sheet("input:checked ~ p{display:none}", "<div><input type=checkbox><p>{}</p></div>", is_visible=True),
    sheet("p:not(.js){display:none} p{display:block!important}", is_visible=True),
    sheet(".js .quay{opacity:0}", is_visible=True),
    sheet(".no-js .quay{display:none}", is_visible=True),
    Way("style of another type", ELEMENT, f"<style type='text/x'>{RULE}</style>", True),
    Way("style for print", ELEMENT, f"<style media=print>{RULE}</style>", True),
    Way("style in a template", f"<template><style>{RULE}</style></template>" + ELEMENT, "", True),
    Way("style in noscript", ELEMENT, f"<noscript><style>{RULE}</style></noscript>", True),
    Way("style in a comment", ELEMENT, f"<!--<style>{RULE}</style>-->", True),
    Way("style in a script", ELEMENT, f"<script type=x><style>{RULE}</style></script>", True),
    Way("style in a textarea", ELEMENT + f"<textarea><style>{RULE}</style></textarea>", "", True),
    Way(
        "style in a shadow root",
        f"<div><template shadowrootmode=open><style>{RULE}</style></template></div>{ELEMENT}",
        "",
        True,
    ),
    Way("an earlier sheet", ELEMENT, f"<style>{RULE}</style><style>.quay{{display:block}}</style>", True),
    Way("link for print", ELEMENT, _link("stylesheet", " media=print"), True),
    Way("alternate link", ELEMENT, _link("alternate stylesheet", " title=x"), True),
    Way("disabled link", ELEMENT, _link("stylesheet", " disabled"), True),
    Way("preload link", ELEMENT, _link("preload", " as=style"), True),
    Way("link to plain text", ELEMENT, f'<link rel=stylesheet href="data:text/plain,{RULE}">', True),
    Way("link of a type of its own", ELEMENT, _link("stylesheet", ' type="text/x"'), True),
    sheet(f'.a{{}} @import "data:text/css,{RULE}";', is_visible=True, name="import after a rule"),
    sheet(f'@import url("data:text/css,{RULE}") print;', is_visible=True, name="import for print"),
    sheet(
        f'@import url("data:text/css,{RULE}") supports(display:nonsense);', is_visible=True, name="import not supported"
    ),
    Way(
        "behind the page",
        """<div style="background:#fff;isolation:isolate;position:relative;z-index:0"><div
style="background:#fff;position:relative;z-index:0"><p style="position:relative;z-index:-1">{}</p></div></div>""",
        "",
        True,
    ),
    # What Chromium does not paint at first, and a reader sees nevertheless.
    Way("closed details", "<details><summary>More of it</summary><p>{}</p></details>", "", True, _CLICK),
    sheet(".quay{opacity:0;transition:opacity .5s}", is_visible=True, policy=_FADE),
    sheet(".quay{opacity:0;transition:all 1s ease}", is_visible=True, policy=_FADE),
    sheet(".quay{opacity:0;transform:translateY(20px);transition:.4s}", is_visible=True, policy=_FADE),
    sheet(".tide{transition:opacity 1s} .quay{opacity:0}", is_visible=True, policy=_FADE),
    sheet(".quay{opacity:0;transition:opacity 1s} .quay.in{opacity:1}", is_visible=True, policy=_FADE),
    sheet(".quay{opacity:0} .quay.in{opacity:1;transition:opacity 1s}", is_visible=True, policy=_FADE),
    sheet(".quay{opacity:0} .in{animation:x 1s} @keyframes x{to{opacity:1}}", is_visible=True, policy=_FADE),
    sheet(".story-body{opacity:0;transition:opacity .3s}", is_visible=True, policy=_FADE),
    Way("inline fade-in", "<p style='opacity:0;transition:opacity 1s'>{}</p>", "", True, _FADE),
    sheet(
        ".quay{animation:in 1s infinite alternate} @keyframes in{from{opacity:0}to{opacity:1}}",
        is_visible=True,
    ),
    sheet("@media (min-width:700px){.quay{display:none}}", is_visible=True, policy="phones show it"),
    sheet(
        "@media (min-width:600px) and (max-width:2000px){.quay{display:none}}", is_visible=True, policy="phones show it"
    ),
]

#: Invisible, though it begins visible or looks as if it ended so.
FADED_OUT: list[Way] = [
    sheet(".quay{animation:out 1s forwards} @keyframes out{to{opacity:0}}"),
    sheet(".quay{animation:out .1s forwards} @keyframes out{to{visibility:hidden}}"),
    sheet(".quay{opacity:0;animation:x 1s forwards} @keyframes x{to{color:red}}"),
    sheet(".quay{opacity:0;transition:color 1s}"),
    sheet(".quay{opacity:0;transition:none}"),
    sheet(".quay{height:0;overflow:hidden;padding-top:60px}"),
    sheet(".quay{opacity:0;animation:nowhere 1s}"),
    sheet(".quay{display:none;transition:opacity 1s}"),
]
