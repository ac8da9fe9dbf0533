"""Ways that hide by the value of a property, in a `style` attribute or on several elements."""

from __future__ import annotations

from tests.hidden_text.way import Way, lines

#: Inline styles of a paragraph. What `tests.hidden_ways` has is not repeated.
_INLINE = r"""
display:none/**/!important
display:NONE
dISPLAY:nOnE
visibility:HIDDEN
visibility:hidden!important;visibility:visible
content-visibility:hidden;height:40px
opacity:-1
opacity:0;opacity:nonsense
opacity:0.0000
opacity:1e-9
opacity:calc(1 - 1)
opacity:calc(0.5 * 0)
opacity:min(0,1)
opacity:max(0,0)
opacity:clamp(0,0,1)
opacity:-0.5
opacity:+0
filter:opacity(0) blur(1px)
filter:blur(2px) opacity(0.0)
filter:opacity(calc(0))
filter:brightness(1) opacity(0)
mask:linear-gradient(transparent,transparent)
mask-image:linear-gradient(transparent,transparent)
-webkit-mask-image:linear-gradient(transparent,transparent)
-webkit-mask:linear-gradient(#0000,#0000)
mask:linear-gradient(rgba(0,0,0,0),rgba(0,0,0,0))
mask:linear-gradient(#000,#000) no-repeat;mask-size:0 0
mask-image:linear-gradient(#000,#000);mask-size:0;mask-repeat:no-repeat
mask:url(#none)
clip:rect(0,0,0,0);position:fixed
clip:rect(0 0 0 0);position:absolute
clip:rect(1px 1px 1px 1px);position:absolute
clip:rect(0,auto,0,auto);position:absolute
clip:rect(auto,0,auto,0);position:absolute
clip-path:inset(50% 0)
clip-path:inset(0 0 100% 0)
clip-path:inset(100% 0 0 0)
clip-path:inset(0 50%)
clip-path:circle(0%)
clip-path:ellipse(0px 100px)
clip-path:polygon(0px 0px,0px 0px,0px 0px,0px 0px)
clip-path:polygon(0 0)
clip-path:rect(0 0 0 0)
clip-path:xywh(0 0 0 0)
clip-path:path("M0 0")
clip-path:inset(9999px)
clip-path:polygon(-999px -999px,-998px -999px,-998px -998px)
transform:scale(0.001)
transform:scaleX(0)
transform:scale(1,0)
transform:rotateX(90deg)
transform:rotateY(-90deg)
transform:rotateX(0.25turn)
transform:translateY(-9999px)
transform:translate(-200vw)
transform:translateX(-5000%)
transform:translate3d(0,-9999px,0)
transform:matrix(1,0,0,1,-9999,0)
transform:matrix(0,0,0,1,0,0)
transform:skewX(90deg) scale(0)
transform:scale(0) translate(10px)
transform:translate(-9999px) rotate(10deg)
transform:scale3d(0,1,1)
transform:scale(0%)
scale:0 1
scale:0.0
scale:0%
scale:1 0
translate:0 -9999px
translate:-200vw 0
rotate:x 90deg
rotate:1 0 0 90deg
offset-path:none;translate:-3000px
zoom:0.0001
zoom:.001
zoom:0.01
zoom:.01%
zoom:1%
font-size:0em
font-size:0rem
font-size:0%
font-size:.1px
font-size:0.5pt
font-size:calc(1px - 1px)
font-size:min(0px,1em)
font-size:clamp(0px,0px,16px)
font-size:0vw
font-size:0.01px
font-size:0.2mm
font:0 a
font:normal 0px/16px a
font:bold 0/1 sans-serif
FONT-SIZE:0
font-size:0;line-height:1.5
line-height:0;overflow:hidden
line-height:0px;overflow:clip
line-height:0;overflow:hidden;padding:0
line-height:.01;overflow:hidden
letter-spacing:-1em
letter-spacing:-2em
letter-spacing:-100px
letter-spacing:-9999px
letter-spacing:-1em;white-space:nowrap
letter-spacing:-50px;overflow:hidden
word-spacing:-9999px;letter-spacing:-99px
text-indent:-9999px;white-space:nowrap
text-indent:-999em
text-indent:-200vw
text-indent:-150%;white-space:nowrap;overflow:hidden
text-indent:200%;white-space:nowrap;overflow:hidden
text-indent:calc(-1 * 9999px)
text-indent:110%;overflow:hidden;white-space:nowrap
position:absolute;top:-9999px
position:absolute;top:-999em
position:absolute;left:-100vw;width:50vw
position:absolute;left:-3000%
position:fixed;left:-9999px
position:fixed;right:100%
position:absolute;right:100vw
position:absolute;bottom:200vh;top:auto;transform:translateY(-9000px)
position:relative;left:-9999px
position:relative;top:-9999px
position:relative;right:9999px
position:absolute;clip-path:inset(100%)
position:absolute;inset:0 100vw auto auto
position:absolute;left:-99999rem
position:absolute;left:calc(-100vw - 900px)
position:absolute;left:calc(0px - 9999px)
position:absolute;left:max(-9999px,-8888px)
position:absolute;left:-5e3px
position:absolute;left:-80in
position:absolute;left:-500cm
position:absolute;inset-block-start:-9999px
position:absolute;inset:-9999px auto auto auto
position:absolute;width:1px;height:1px;overflow:hidden
position:absolute;width:1px;height:1px;padding:0;margin:-1px;overflow:hidden;clip:rect(0,0,0,0);border:0
position:absolute;width:0;height:0;overflow:hidden
position:absolute!important;clip:rect(1px,1px,1px,1px)
position:absolute;overflow:hidden;clip:rect(0 0 0 0);height:1px;width:1px;margin:-1px;padding:0;border:0
margin-left:-9999px;width:500px
margin-left:-300vw
margin-right:9999px;margin-left:-9999px
margin:0 0 0 -9999px
margin-inline-start:-9999px
margin-inline:-9999px 9999px
height:0;overflow:hidden;padding:0
height:0;overflow:clip
height:0;overflow-y:hidden
height:0;overflow-y:clip
height:0;overflow:scroll
height:0!important;overflow:hidden!important
height:0em;overflow:hidden
height:0%;max-height:0;overflow:hidden
height:calc(0px);overflow:hidden
height:min(0px,10px);overflow:hidden
max-height:0px;overflow:clip
max-height:0;overflow:auto
max-height:0%;max-height:0;overflow:hidden
max-block-size:0;overflow:hidden
block-size:0;overflow:clip
inline-size:0;overflow:hidden
max-inline-size:0;overflow:hidden
width:0;overflow:clip
width:0;overflow-x:hidden;white-space:nowrap
width:0;height:0;overflow:hidden;display:inline-block
width:0;overflow:hidden;display:inline-block
width:1px;overflow:hidden;white-space:nowrap
max-width:0;overflow:hidden;white-space:nowrap
max-width:1px;max-height:1px;overflow:hidden
height:0;overflow:hidden;display:flex
height:0;overflow:hidden;display:block
height:1px;overflow:hidden
height:0;contain:paint
height:0;contain:strict
width:0;contain:content
width:0;height:0;contain:paint
contain:strict
contain:size;overflow:hidden
contain:size paint
display:grid;grid-template-rows:0fr;overflow:hidden;height:0
width:0;overflow:hidden;text-overflow:ellipsis;white-space:nowrap
color:transparent;text-shadow:none
color:TRANSPARENT
color:rgba(0,0,0,0.0)
color:rgba(0 0 0 / 0%)
color:rgb(0,0,0,0)
color:hsl(0 0% 0% / 0)
color:hwb(0 0% 0% / 0)
color:lab(0 0 0 / 0)
color:lch(0% 0 0 / 0)
color:oklch(0 0 0 / 0)
color:color(srgb 0 0 0 / 0)
color:#FFF0
color:#12345600
color:rgb(0 0 0/0)
color:rgb(0 0 0 / none)
color:color-mix(in srgb,black 0%,transparent)
color:color-mix(in srgb,red,transparent 100%)
color:color-mix(in srgb,transparent,transparent)
color:color-mix(in oklab,black,white 100%)
color:red;color:transparent
color:transparent;color:nonsense
color:transparent!important;color:black
-webkit-text-fill-color:#0000
-webkit-text-fill-color:rgba(0,0,0,0)
-webkit-text-fill-color:white
color:black;-webkit-text-fill-color:transparent
color:white
color:#fff
color:#FFFFFF
color:#ffff
color:#fefefe
color:#fffffe
color:#fdfdfd
color:rgb(255,255,255)
color:rgb(255 255 255)
color:rgb(100%,100%,100%)
color:rgba(255,255,255,1)
color:rgba(255,255,255,.5)
color:hsl(0,0%,100%)
color:hsl(0 0% 100%)
color:hsl(120deg 100% 100%)
color:hwb(0 100% 0%)
color:lab(100 0 0)
color:color(srgb 1 1 1)
color:snow
color:Canvas
color:rgba(0,0,0,0.004)
color:rgba(0,0,0,.01)
color:#00000001
color:#fefefe;background:#fff
color:#fff;background:#fefefe
color:navy;background:navy
color:navy;background-color:#000080
color:#123;background:#112233
color:hsl(240,100%,50%);background:blue
color:#333;background:#343434
color:currentColor;background:currentColor
background:black
color:black;background:linear-gradient(#000,#000)
color:#000;background:#000 none
color:red;background:no-repeat red
color:#fff;background:rgba(255,255,255,.5)
color:#fff;background-color:transparent
color:#fff;background:none
color:#fff;opacity:.9
color:white;background:initial
mix-blend-mode:screen;color:#000;background:#000
color:white;mix-blend-mode:multiply
background:red;color:transparent;background-clip:content-box
filter:opacity(0%)!important
filter:contrast(0) brightness(9)
backdrop-filter:blur(1px);opacity:0
animation:none;opacity:0
transition:none;opacity:0
position:absolute;opacity:0;pointer-events:none
position:fixed;visibility:hidden
columns:2;height:0;overflow:hidden
float:left;width:0;height:0;overflow:hidden
display:inline-block;height:0;width:0;overflow:hidden
display:block;font-size:0;color:transparent
all:unset;display:none
text-size-adjust:none;font-size:0
writing-mode:vertical-rl;width:0;overflow:hidden
"""

#: Hidden by what is around the sentence.
_AROUND = """
<div style="display:none"><div style="display:block"><p style="display:block!important">{}</p></div></div>
<div style="visibility:hidden"><div><p>{}</p></div></div>
<div style="opacity:0"><div style="opacity:1"><p>{}</p></div></div>
<div style="opacity:0"><p style="visibility:visible;color:red">{}</p></div>
<div style="content-visibility:hidden"><p style="content-visibility:visible">{}</p></div>
<div style="height:0;overflow:hidden"><p>{}</p></div>
<div style="height:0;overflow:hidden"><div style="height:100px"><p>{}</p></div></div>
<div style="max-height:0;overflow:hidden"><div><p style="overflow:visible">{}</p></div></div>
<div style="width:0;overflow:hidden"><p style="width:500px">{}</p></div>
<div style="width:1px;height:1px;overflow:hidden"><p>{}</p></div>
<div style="position:absolute;left:-9999px"><p>{}</p></div>
<div style="position:absolute;left:-9999px"><p style="position:relative;left:10px">{}</p></div>
<div style="position:fixed;top:-5000px"><p>{}</p></div>
<div style="transform:scale(0)"><p style="transform:scale(1)">{}</p></div>
<div style="transform:translateX(-9999px)"><p>{}</p></div>
<div style="clip-path:inset(100%)"><p>{}</p></div>
<div style="clip-path:circle(0)"><p style="clip-path:none">{}</p></div>
<div style="position:absolute;clip:rect(0,0,0,0)"><p>{}</p></div>
<div style="font-size:0"><p>{}</p></div>
<div style="font-size:0"><p style="font-size:100%">{}</p></div>
<div style="font-size:0"><p style="font-size:2em">{}</p></div>
<div style="font-size:0"><p style="font-size:smaller">{}</p></div>
<div style="font-size:0"><p style="font-size:inherit">{}</p></div>
<div style="color:transparent"><p>{}</p></div>
<div style="color:transparent"><p style="color:inherit">{}</p></div>
<div style="color:transparent"><p style="color:currentColor">{}</p></div>
<div style="color:transparent"><p style="color:unset">{}</p></div>
<div style="color:white"><p>{}</p></div>
<div style="background:black"><p style="color:black">{}</p></div>
<div style="background:black"><p style="color:#000">{}</p></div>
<div style="background:#333"><div><p style="color:#333">{}</p></div></div>
<div style="background:#333;color:#333"><p>{}</p></div>
<div style="color:#fff"><p style="background:#fff">{}</p></div>
<div style="background:#222"><p style="background:#fff;color:#fff">{}</p></div>
<div style="background:#000;color:#fff"><p style="color:#000">{}</p></div>
<div style="text-indent:-9999px"><p>{}</p></div>
<div style="letter-spacing:-99px"><p>{}</p></div>
<div style="-webkit-text-fill-color:transparent"><p style="color:black">{}</p></div>
<div style="zoom:.001"><p>{}</p></div>
<div style="filter:opacity(0)"><p>{}</p></div>
<div style="mask:linear-gradient(#0000,#0000)"><p>{}</p></div>
<div style="line-height:0;overflow:hidden"><p style="margin:0">{}</p></div>
<p>Nothing else was said. <span style="font-size:0">{}</span> The rest is known.</p>
<p>Nothing else was said. <span style="position:absolute;left:-9999px">{}</span> The rest is known.</p>
<p>Nothing else was said. <span style="color:#fff">{}</span> The rest is known.</p>
<p>Nothing else was said. <span style="color:transparent">{}</span> The rest is known.</p>
<p>Nothing else was said. <span style="visibility:hidden"><b>{}</b></span> The rest is known.</p>
<p>Nothing else was said. <font color="white">{}</font> The rest is known.</p>
<p>Nothing else was said. <font color="#ffffff" size="1">{}</font> The rest is known.</p>
<p>Nothing else was said. <span style="display:inline-block;width:0;overflow:hidden;white-space:nowrap">{}</span></p>
<ul style="list-style:none;color:#fff"><li>{}</li></ul>
<table style="visibility:hidden"><tr><td>{}</td></tr></table>
<table><tr style="visibility:collapse"><td>{}</td></tr><tr><td>Two</td></tr></table>
<table bgcolor="black"><tr><td style="color:black">{}</td></tr></table>
<table><tr><td bgcolor="#000000"><font color="#000000">{}</font></td></tr></table>
<div style="display:flex;width:0;overflow:hidden"><p>{}</p></div>
<div style="position:relative;height:0;overflow:hidden"><p style="position:absolute;top:20px">{}</p></div>
<div style="position:relative;overflow:hidden;height:50px"><p style="position:absolute;top:200px">{}</p></div>
<div style="position:relative;overflow:hidden;height:50px"><p style="position:absolute;left:-3000px">{}</p></div>
<div style="overflow:hidden;height:30px"><p style="margin-top:500px">{}</p></div>
<div style="overflow:hidden;height:30px"><p style="transform:translateY(400px)">{}</p></div>
<div style="overflow:hidden;width:300px"><p style="margin-left:400px;width:300px">{}</p></div>
<div style="overflow:hidden;width:300px;text-indent:400px;white-space:nowrap"><p>{}</p></div>
<div style="--gone:none"><div><p style="display:var(--gone)">{}</p></div></div>
<div style="--c:#fff"><p style="color:var(--c)">{}</p></div>
<div style="display:none"><p style="display:revert">{}</p></div>
<div style="visibility:hidden"><p style="visibility:inherit">{}</p></div>
<div style="visibility:hidden"><p style="visibility:unset">{}</p></div>
<div style="visibility:hidden"><p style="visibility:revert">{}</p></div>
<div style="color:transparent"><p><a href="/x" style="color:inherit">{}</a></p></div>
<div style="opacity:.1"><div style="opacity:.1"><p style="opacity:.1">{}</p></div></div>
<div style="perspective:100px"><p style="transform:rotateY(90deg)">{}</p></div>
<section style="height:0;overflow:hidden"><h2>Harbour</h2><p>{}</p></section>
<blockquote style="opacity:0"><p>{}</p></blockquote>
<figure style="opacity:0"><figcaption>{}</figcaption></figure>
"""

HIDDEN: list[Way] = [
    *(Way(f"inline {style}", f"<p style='{style}'>{{}}</p>") for style in lines(_INLINE)),
    *(Way(body, body) for body in lines(_AROUND)),
    Way(
        "z-index behind a box",
        """<div style="position:relative"><p style="position:relative;z-index:1">{}</p>
<div style="position:absolute;inset:0;background:#fff;z-index:2"></div></div>""",
    ),
    Way(
        "covered by a picture's box",
        """<div style="position:relative;height:60px"><p>{}</p><div
style="position:absolute;left:0;top:0;width:100%;height:100%;background:#eee"></div></div>""",
    ),
]
