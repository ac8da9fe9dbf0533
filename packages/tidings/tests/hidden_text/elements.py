"""Ways that hide by an element or attribute of HTML, or by a class name whose style sheet is elsewhere."""

from __future__ import annotations

from tests.hidden_text.way import Way, lines

_BODIES = """
<p hidden>{}</p>
<p hidden="">{}</p>
<p HIDDEN>{}</p>
<p hidden="false">{}</p>
<p hidden="hidden" class="x">{}</p>
<p hidden="until-found">{}</p>
<p hidden=until-found style="display:block">{}</p>
<p hidden=UNTIL-FOUND>{}</p>
<div hidden><div><p>{}</p></div></div>
<div hidden=until-found><p>{}</p></div>
<section hidden="x"><h2>Harbour</h2><p>{}</p></section>
<p>Nothing else was said. <span hidden>{}</span> The rest is known.</p>
<p>Nothing else was said. <a href="/x" hidden>{}</a> The rest is known.</p>
<ul><li>Bread was baked in the old mill.</li><li hidden>{}</li></ul>
<div popover><p>{}</p></div>
<p popover>{}</p>
<p popover="manual">{}</p>
<p popover="hint">{}</p>
<div popover=auto id=pop1><p>{}</p></div><button popovertarget=pop1>Show</button>
<div POPOVER=nonsense><p>{}</p></div>
<dialog>{}</dialog>
<dialog><h2>Harbour</h2><p>{}</p></dialog>
<dialog id=d1 class="box"><p>{}</p></dialog>
<template>{}</template>
<template shadowrootmode="nonsense"><p>{}</p></template>
<div><template><div><p>{}</p></div></template></div>
<noscript>{}</noscript>
<p>Nothing else was said. <noscript>{}</noscript> The rest is known.</p>
<datalist><option>{}</option></datalist>
<datalist id=d2><p>{}</p></datalist>
<input list=d3><datalist id=d3><option value="{}"></option></datalist>
<meter value="0.5">{}</meter>
<p>The level is <meter min="0" max="10" value="3">{}</meter> today at the harbour.</p>
<progress value="3" max="10">{}</progress>
<progress value="1"><span>{}</span></progress>
<p>The work is <progress max="10" value="4">{}</progress> done at the harbour.</p>
<video width=200 height=60><p>{}</p></video>
<video src="/x.mp4">{}</video>
<audio controls>{}</audio>
<audio src="/x.mp3"><p>{}</p></audio>
<canvas width=100 height=40>{}</canvas>
<canvas><p>{}</p></canvas>
<canvas><ul><li>{}</li></ul></canvas>
<iframe src="about:blank" width=100 height=40>{}</iframe>
<iframe src="about:blank"><p>{}</p></iframe>
<object data="data:text/html,harbour" type="text/html" width=100 height=40><p>{}</p></object>
<map name=m1><area alt="{}" href="/x" shape=rect coords="0,0,1,1"></map>
<noembed>{}</noembed>
<noframes>{}</noframes>
<noembed><p>{}</p></noembed>
<svg width=20 height=20><title>{}</title><rect width=20 height=20 /></svg>
<svg width=20 height=20><desc>{}</desc><rect width=20 height=20 /></svg>
<svg width=20 height=20><metadata>{}</metadata></svg>
<svg width=20 height=20><defs><text id=t1 y=15>{}</text></defs></svg>
<svg width=600 height=20><symbol id=s1><text y=15>{}</text></symbol></svg>
<svg style="display:none"><text y=15>{}</text></svg>
<svg width=600 height=20><text y=15 fill="none">{}</text></svg>
<svg width=600 height=20><text y=15 fill="#fff">{}</text></svg>
<svg width=600 height=20><text y=15 fill="black" opacity="0">{}</text></svg>
<svg width=600 height=20><text y=15 visibility="hidden">{}</text></svg>
<svg width=600 height=20><text y=15 display="none">{}</text></svg>
<svg width=600 height=20><text y=-500>{}</text></svg>
<svg width=0 height=0><text y=15>{}</text></svg>
<svg width=600 height=20><clipPath id=c2><text y=15>{}</text></clipPath></svg>
<svg width=600 height=20><script type="text/x">{}</script></svg>
<math><semantics><mi>x</mi><annotation encoding="text/plain">{}</annotation></semantics></math>
<form><input type=hidden value="{}"></form>
<form><input type=hidden name=q value="{}" placeholder="{}"></form>
<form><textarea hidden>{}</textarea></form>
<form><select hidden><option>{}</option></select></form>
<form><select><option>Harbour</option><option>{}</option></select></form>
<form><select><option selected>Harbour</option><optgroup label="{}"><option>Wall</option></optgroup></select></form>
<form><button hidden>{}</button></form>
<form><label style="display:none">{}</label><input></form>
<form><fieldset hidden><legend>{}</legend></fieldset></form>
<ruby>water<rp>{}</rp><rt>mizu</rt></ruby>
<p>The harbour <ruby>water<rp>({})</rp><rt>mizu</rt></ruby> is cold this year.</p>
<script>/* {} */</script>
<script type="text/template"><p>{}</p></script>
<script type="text/html"><p>{}</p></script>
<style>/* {} */</style>
<style media=print>.a{content:"{}"}</style>
<!-- {} -->
<!--[if IE]><p>{}</p><![endif]-->
<!--[if lt IE 9]><p>{}</p><![endif]-->
<![CDATA[ {} ]]>
<?php echo "{}" ?>
<!doctype {}>
</p title="{}">
<p data-text="{}">Nothing else was said on the pier that day.</p>
<p title="{}">Nothing else was said on the pier that day.</p>
<p aria-label="{}">Nothing else was said on the pier that day.</p>
<p>Nothing else was <abbr title="{}">said</abbr> on the pier that day.</p>
<img src="/quay.jpg" alt="{}" hidden>
<img src="/quay.jpg" alt="{}" style="display:none">
<img src="/quay.jpg" alt="{}" style="visibility:hidden">
<img src="/quay.jpg" alt="{}" style="opacity:0">
<img src="/quay.jpg" alt="{}" style="position:absolute;left:-9999px">
<div hidden><figure><img src="/quay.jpg" alt=""><figcaption>{}</figcaption></figure></div>
<details hidden open><summary>More of it</summary><p>{}</p></details>
<details style="display:none" open><summary>More of it</summary><p>{}</p></details>
<details open><summary>More of it</summary><p hidden>{}</p></details>
<div><template shadowrootmode="open"><p>The tide is high.</p></template><p>{}</p></div>
<div><template shadowrootmode="closed"><p>The tide is high.</p></template><p>{}</p></div>
<x-card><template shadowrootmode="open"><p>The tide is high.</p></template>{}</x-card>
<div><template shadowrootmode="open"><slot name="a"></slot></template><p slot="b">{}</p></div>
<div><template shadowrootmode="open"><slot name="a"></slot></template><p>{}</p></div>
<div><template shadowrootmode="open"><slot hidden></slot></template><p>{}</p></div>
<table><caption hidden>{}</caption><tr><td>One</td></tr></table>
<table><col style="visibility:collapse"><tr><td>{}</td></tr></table>
<table hidden><tr><td>{}</td></tr></table>
<table><tbody hidden><tr><td>{}</td></tr></tbody></table>
<area alt="{}">
<param value="{}">
<link rel="prefetch" title="{}" href="/x">
<meta itemprop="x" content="{}">
<track label="{}">
<object><param name=x value="{}"></object>
"""

#: Classes of frameworks for hidden text; their style sheets are not on the page.
_CLASSES = """
sr-only
visually-hidden
visuallyhidden
screen-reader-text
u-visually-hidden
is-visually-hidden
is-sr-only
uk-hidden
d-none
hidden
invisible
element-invisible
govuk-visually-hidden
wp-block-screen-reader-text
screenreader
sr-only-focusable
a11y-hidden
assistive-text
offscreen
off-screen
u-offscreen
c-visually-hidden
mw-hidden-accessible
ui-helper-hidden-accessible
cdk-visually-hidden
ng-hide
"""

#: Painted by Chromium, hidden for the extractor, and why.
_POLICY = [
    Way("aria-hidden", '<p aria-hidden="true">{}</p>', policy="decoration by the page's own word"),
    Way("aria-hidden section", "<div aria-hidden=TRUE><p>{}</p></div>", policy="decoration by the page's own word"),
    Way("ruby text", "<p>The <ruby>water<rt>{}</rt></ruby> is cold this year.</p>", policy="a reading is not text"),
    Way("drawn text", "<svg width=700 height=20><text y=15>{}</text></svg>", policy="a drawing is not text"),
    Way("object without data", "<object><p>{}</p></object>", policy="what an object shows is not known"),
    Way("selected option", "<select><option>{}</option></select>", policy="a control is not text"),
]

HIDDEN: list[Way] = [
    *(Way(body, body) for body in lines(_BODIES)),
    *(
        Way(f"class {name} without its sheet", f'<p class="{name}">{{}}</p>', policy="its sheet is elsewhere")
        for name in lines(_CLASSES)
    ),
    *_POLICY,
]
