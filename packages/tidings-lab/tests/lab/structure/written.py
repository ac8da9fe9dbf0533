# ruff: noqa: ARG005, E501  # markup stands as tools write it, on one line
"""Pages as highlighters, typesetters and converters write them, made of a few samples, with the units that they hold.

A page is an ordinary article with one pattern in its middle. Gold is a list of units: kind, what it says, and what else
is told of it (language, label, rows).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from html import escape
from typing import Any, NamedTuple


class WrittenPage(NamedTuple):
    """A page, its pattern, and its units."""

    name: str
    html: str
    units: list[tuple[str, Any]]


ABOVE = (
    "<p>The harbour office counted more seals this spring than in any year since the records began, and the wardens "
    "explained on Monday how the count is made, step by step, so that others along the coast can repeat it.</p>"
    "<p>Every boat goes out at low tide, keeps two hundred metres away from the sandbanks, and notes what it sees in "
    "a table that the office checks in the evening, long before the figures are given to the newspapers.</p>"
)
BELOW = (
    "<p>The wardens hope that the method will be used further north as well, where the sandbanks are larger and the "
    "boats fewer, and where nobody has counted anything for a generation.</p>"
    "<p>Next spring the count will be repeated in the same week, with the same boats, and the results will be open to "
    "everybody who asks for them at the office.</p>"
)


def page(inside: str, head: str = "", below: str = "") -> str:
    """A whole page around a pattern."""
    return (
        f"<!doctype html><html lang=en><head><title>Counting seals</title>{head}</head><body>"
        "<nav><ul><li><a href=/>Home</a></li><li><a href=/news>News</a></li></ul></nav>"
        f"<article><h1>Counting seals</h1>{ABOVE}{inside}{BELOW}{below}</article>"
        "<footer><p>© The Harbour Post</p></footer></body></html>"
    )


# -- code ---------------------------------------------------------------------------------------------------

CODE = {
    "python": 'def count(seals):\n    total = 0\n    for seal in seals:\n        if seal.age < 1 and seal.name != "":\n            total += 1\n\n    return total',
    "javascript": "const seals = [1, 2];\n\nfunction add(a, b) {\n  return a && b\n    ? a + b\n    : 0;\n}",
    "bash": 'cd /tmp\nfor f in *.txt; do\n\techo "$f"\ndone',
    "yaml": "boats:\n  - name: Anna\n    seats: 4\n  - name: Bert",
    "rust": 'fn main() {\n    let x: Vec<u8> = vec![];\n    println!("{}", x.len());\n}',
    "html": '<ul>\n  <li class="a">One</li>\n</ul>',
}


def tokens(line: str) -> str:
    """A line with its words in spans, as highlighters write it."""
    parts = []
    for word in line.split(" "):
        text = escape(word)
        parts.append(f'<span class="k">{text}</span>' if word.isalpha() and len(word) > 2 else text)
    return " ".join(parts)


def _lines(code: str) -> list[str]:
    return code.split("\n")


def _spans(code: str) -> str:
    return "\n".join(tokens(line) for line in _lines(code))


def _numbers(code: str) -> str:
    return "\n".join(str(number) for number in range(1, len(_lines(code)) + 1))


def _nbsp(line: str) -> str:
    indent = len(line) - len(line.lstrip(" "))
    return "&nbsp;" * indent + tokens(line[indent:]).replace("\t", "&nbsp;&nbsp;&nbsp;&nbsp;")


#: What editors put into an empty line.
EMPTY = "\u200b"
Highlighter = Callable[[str, str], str]
HIGHLIGHTERS: dict[str, Highlighter] = {
    "pygments": lambda c, name: f'<div class="highlight-{name} notranslate"><div class="highlight"><pre><span></span>{_spans(c)}\n</pre></div></div>',
    "pygments codehilite": lambda c, name: f'<div class="codehilite"><pre><span></span><code class="language-{name}">{_spans(c)}\n</code></pre></div>',
    "pygments table": lambda c, name: f'<div class="highlight"><table class="highlighttable"><tr><td class="linenos"><div class="linenodiv"><pre>{_numbers(c)}</pre></div></td><td class="code"><div><pre><span></span><code class="language-{name}">{_spans(c)}\n</code></pre></div></td></tr></table></div>',
    "pygments inline numbers": lambda c, name: f'<div class="highlight-{name} notranslate"><div class="highlight"><pre><span></span>' + "\n".join(f'<span class="linenos">{n}</span>{tokens(x)}' for n, x in enumerate(_lines(c), 1)) + "\n</pre></div></div>",
    "rouge": lambda c, name: f'<div class="language-{name} highlighter-rouge"><div class="highlight"><pre class="highlight"><code>{_spans(c)}\n</code></pre></div></div>',
    "rouge table": lambda c, name: f'<figure class="highlight"><pre><code class="language-{name}" data-lang="{name}"><table class="rouge-table"><tbody><tr><td class="gutter gl"><pre class="lineno">{_numbers(c)}\n</pre></td><td class="code"><pre>{_spans(c)}\n</pre></td></tr></tbody></table></code></pre></figure>',
    "chroma": lambda c, name: f'<div class="highlight"><pre tabindex="0" class="chroma"><code class="language-{name}" data-lang="{name}">' + "".join(f'<span class="line"><span class="cl">{tokens(x)}\n</span></span>' for x in _lines(c)) + "</code></pre></div>",
    "chroma table": lambda c, name: '<div class="highlight"><div class="chroma"><table class="lntable"><tr><td class="lntd"><pre tabindex="0" class="chroma"><code>' + "".join(f'<span class="lnt">{n}\n</span>' for n, _ in enumerate(_lines(c), 1)) + f'</code></pre></td><td class="lntd"><pre tabindex="0" class="chroma"><code class="language-{name}" data-lang="{name}">' + "".join(f'<span class="line"><span class="cl">{tokens(x)}\n</span></span>' for x in _lines(c)) + "</code></pre></td></tr></table></div></div>",
    "highlight.js": lambda c, name: f'<pre><code class="hljs language-{name}">{_spans(c)}\n</code></pre>',
    "highlight.js numbers": lambda c, name: f'<pre><code class="hljs {name}"><table class="hljs-ln"><tbody>' + "".join(f'<tr><td class="hljs-ln-line hljs-ln-numbers" data-line-number="{n}"><div class="hljs-ln-n" data-line-number="{n}"></div></td><td class="hljs-ln-line hljs-ln-code" data-line-number="{n}">{tokens(x)}</td></tr>' for n, x in enumerate(_lines(c), 1)) + "</tbody></table></code></pre>",
    "prism": lambda c, name: f'<div class="code-toolbar"><pre class="language-{name} line-numbers"><code class="language-{name}">{_spans(c)}<span aria-hidden="true" class="line-numbers-rows"><span></span><span></span></span></code></pre><div class="toolbar"><div class="toolbar-item"><span>{name.title()}</span></div><div class="toolbar-item"><button>Copy</button></div></div></div>',
    "prism react": lambda c, name: f'<div class="language-{name} codeBlockContainer theme-code-block"><div class="codeBlockContent"><pre tabindex="0" class="prism-code language-{name} codeBlock thin-scrollbar"><code class="codeBlockLines">' + "".join(f'<span class="token-line" style="color:#000">{tokens(x)}<br></span>' for x in _lines(c)) + '</code></pre><div class="buttonGroup"><button type="button">Copy</button></div></div></div>',
    "shiki": lambda c, name: f'<pre class="shiki github-dark" style="background-color:#24292e" tabindex="0" data-language="{name}"><code>' + "\n".join(f'<span class="line"><span style="color:#fff">{escape(x)}</span></span>' if x else '<span class="line"></span>' for x in _lines(c)) + "</code></pre>",
    "rehype pretty code": lambda c, name: f'<figure data-rehype-pretty-code-figure=""><figcaption data-rehype-pretty-code-title="" data-language="{name}">count.x</figcaption><pre data-language="{name}" data-theme="dark"><code data-language="{name}" data-theme="dark" style="display:grid">' + "\n".join(f'<span data-line="">{tokens(x) if x else " "}</span>' for x in _lines(c)) + "</code></pre></figure>",
    "vitepress": lambda c, name: f'<div class="language-{name} vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">{name}</span><pre class="shiki vp-code"><code>' + "\n".join(f'<span class="line">{tokens(x)}</span>' for x in _lines(c)) + "</code></pre></div>",
    "expressive code": lambda c, name: f'<div class="expressive-code"><figure class="frame"><figcaption class="header"><span class="title">a.x</span></figcaption><pre data-language="{name}"><code>' + "".join(f'<div class="ec-line"><div class="code">{tokens(x)}</div></div>' for x in _lines(c)) + '</code></pre><div class="copy"><button title="Copy">Copy</button></div></figure></div>',
    "codemirror 5": lambda c, name: f'<div class="CodeMirror cm-s-default" data-lang="{name}"><div class="CodeMirror-scroll"><div class="CodeMirror-sizer"><div class="CodeMirror-lines"><div class="CodeMirror-code">' + "".join(f'<div style="position: relative;"><div class="CodeMirror-gutter-wrapper"><div class="CodeMirror-linenumber CodeMirror-gutter-elt">{n}</div></div><pre class=" CodeMirror-line "><span>{tokens(x) or EMPTY}</span></pre></div>' for n, x in enumerate(_lines(c), 1)) + "</div></div></div></div></div>",
    "codemirror 6": lambda c, name: '<div class="cm-editor"><div class="cm-scroller"><div class="cm-gutters" aria-hidden="true"><div class="cm-gutter cm-lineNumbers">' + "".join(f'<div class="cm-gutterElement">{n}</div>' for n, _ in enumerate(_lines(c), 1)) + f'</div></div><div class="cm-content" role="textbox" data-language="{name}">' + "".join(f'<div class="cm-line">{tokens(x) or "<br>"}</div>' for x in _lines(c)) + "</div></div></div>",
    "monaco": lambda c, name: f'<div class="monaco-editor" data-lang="{name}"><div class="overflow-guard"><div class="margin"><div class="margin-view-overlays">' + "".join(f'<div class="line-numbers">{n}</div>' for n, _ in enumerate(_lines(c), 1)) + '</div></div><div class="lines-content"><div class="view-lines">' + "".join(f'<div class="view-line"><span>{_nbsp(x)}</span></div>' for x in _lines(c)) + "</div></div></div></div>",
    "one div a line": lambda c, name: f'<div class="code-block" data-language="{name}">' + "".join(f'<div class="line">{tokens(x).replace("  ", "&nbsp;&nbsp;")}</div>' for x in _lines(c)) + "</div>",
    "br": lambda c, name: f'<pre class="brush: {name}">' + "<br>".join(tokens(x) for x in _lines(c)) + "</pre>",
    "wordpress": lambda c, name: f'<pre class="wp-block-code"><code lang="{name}" class="language-{name}">{escape(c)}</code></pre>',
    "github": lambda c, name: f'<div class="highlight highlight-source-{name} notranslate position-relative overflow-auto" dir="auto"><pre>{_spans(c)}</pre><div class="zeroclipboard-container"><clipboard-copy aria-label="Copy" class="ClipboardButton btn"></clipboard-copy></div></div>',
    "pandoc": lambda c, name: f'<div class="sourceCode" id="cb1"><pre class="sourceCode {name}"><code class="sourceCode {name}">' + "\n".join(f'<span id="cb1-{n}"><a href="#cb1-{n}" aria-hidden="true" tabindex="-1"></a>{tokens(x)}</span>' for n, x in enumerate(_lines(c), 1)) + "</code></pre></div>",
    "label above": lambda c, name: f'<div class="code-wrapper"><div class="code-header"><span class="code-lang">{name}</span><button>Copy code</button></div><pre><code>{escape(c)}\n</code></pre></div>',
    "react syntax highlighter": lambda c, name: f'<pre style="display:block"><code class="language-{name}" style="white-space:pre">' + "".join(f'<span style="display:flex"><span class="comment linenumber react-syntax-highlighter-line-number" style="user-select:none">{n}</span><span>{tokens(x)}\n</span></span>' for n, x in enumerate(_lines(c), 1)) + "</code></pre>",
}  # fmt: skip


def code_pages() -> Iterator[WrittenPage]:
    """Each highlighter with some samples."""
    samples = list(CODE.items())
    for place, (name, write) in enumerate(HIGHLIGHTERS.items()):
        for offset in range(3):
            language, code = samples[(place + 2 * offset) % len(samples)]
            if name == "monaco":
                code = code.replace("\t", "    ")
            yield WrittenPage(
                f"code: {name}, {language}",
                page(write(code, language)),
                [("code", (code.replace("\t", "    ") if name == "monaco" else code, language))],
            )
    inside = "".join(HIGHLIGHTERS["shiki"](code, language) for language, code in samples[:2])
    tabs = f'<div class="tabs"><ul role="tablist" class="tabs__tab-list"><li role="tab">Python</li><li role="tab">JS</li></ul>{inside}</div>'
    yield WrittenPage("code: tabs", page(tabs), [("code", (code, language)) for language, code in samples[:2]])


# -- formulas -----------------------------------------------------------------------------------------------

FORMULAS = {
    r"E=mc^2": "<mi>E</mi><mo>=</mo><mi>m</mi><msup><mi>c</mi><mn>2</mn></msup>",
    r"\frac{a}{b}": "<mfrac><mi>a</mi><mi>b</mi></mfrac>",
    r"x_1+x_2": "<msub><mi>x</mi><mn>1</mn></msub><mo>+</mo><msub><mi>x</mi><mn>2</mn></msub>",
    r"\sqrt{n}": "<msqrt><mi>n</mi></msqrt>",
}
Typesetter = Callable[[str, str, bool], str]


def _mml(tex: str, mml: str, display: bool) -> str:
    block = ' display="block"' if display else ""
    return f'<math xmlns="http://www.w3.org/1998/Math/MathML"{block}><semantics><mrow>{mml}</mrow><annotation encoding="application/x-tex">{escape(tex)}</annotation></semantics></math>'


def _katex(tex: str, mml: str, display: bool) -> str:
    one = f'<span class="katex"><span class="katex-mathml">{_mml(tex, mml, display)}</span><span class="katex-html" aria-hidden="true"><span class="base"><span class="mord mathnormal">drawn</span></span></span></span>'
    return f'<span class="katex-display">{one}</span>' if display else one


TYPESETTERS: dict[str, Typesetter] = {
    "mathml": _mml,
    "mathml alone": lambda t, m, d: f'<math{" display=block" if d else ""}><mrow>{m}</mrow></math>',
    "katex": _katex,
    "mathjax 2": lambda t, m, d: f'<span class="MathJax_Preview" style="color: inherit;"></span><span class="{"MathJax_Display" if d else "MathJax"}" id="MathJax-Element-1-Frame" tabindex="0"><nobr><span class="math">drawn</span></nobr></span><script type="math/tex{"; mode=display" if d else ""}" id="MathJax-Element-1">{t}</script>',
    "mathjax 2 source": lambda t, m, d: f'<script type="math/tex{"; mode=display" if d else ""}">{t}</script>',
    "mathjax 3": lambda t, m, d: f'<mjx-container class="MathJax" jax="CHTML"{" display=true" if d else ""}><mjx-math class="MJX-TEX" aria-hidden="true"><mjx-mi>d</mjx-mi></mjx-math><mjx-assistive-mml unselectable="on" display="{"block" if d else "inline"}">{_mml(t, m, d)}</mjx-assistive-mml></mjx-container>',
    "mathjax 4 svg": lambda t, m, d: f'<mjx-container class="MathJax" jax="SVG"{" display=true" if d else ""}><svg xmlns="http://www.w3.org/2000/svg"><g data-mml-node="math" data-latex="{escape(t)}"><path d="M0 0"></path></g></svg></mjx-container>',
    "temml": lambda t, m, d: f'<math class="{"tml-display" if d else "tml-inline"}"{" display=block" if d else ""}><semantics><mrow>{m}</mrow><annotation encoding="application/x-tex">{escape(t)}</annotation></semantics></math>',
    "wikipedia": lambda t, m, d: f'<span class="mwe-math-element"><span class="mwe-math-mathml-{"display" if d else "inline"} mwe-math-mathml-a11y" style="display: none;"><math xmlns="http://www.w3.org/1998/Math/MathML"{" display=&quot;block&quot;".replace("&quot;", chr(34)) if d else ""} alttext="{{\\displaystyle {escape(t)}}}"><semantics><mrow>{m}</mrow><annotation encoding="application/x-tex">{{\\displaystyle {escape(t)}}}</annotation></semantics></math></span><img src="https://wikimedia.org/api/rest_v1/media/math/render/svg/abc" class="mwe-math-fallback-image-{"display" if d else "inline"} mw-invert" aria-hidden="true" alt="{{\\displaystyle {escape(t)}}}"></span>',
    "wordpress picture": lambda t, m, d: f'<img src="https://s0.wp.com/latex.php?latex=x&amp;bg=ffffff" alt="{escape(t)}" class="latex">',
    "codecogs": lambda t, m, d: f'<img src="https://latex.codecogs.com/svg.image?x" alt="{escape(t)}">',
    "dollars": lambda t, m, d: f"$${t}$$" if d else f"${t}$",
    "brackets": lambda t, m, d: rf"\[{t}\]" if d else rf"\({t}\)",
    "arithmatex": lambda t, m, d: rf'<div class="arithmatex">\[{t}\]</div>' if d else rf'<span class="arithmatex">\({t}\)</span>',
}  # fmt: skip
_PICTURES = ("wordpress picture", "codecogs")
_MATHJAX = '<script async src="https://cdn.jsdelivr.net/npm/mathjax@3/es5/tex-mml-chtml.js"></script>'


def formula_pages() -> Iterator[WrittenPage]:
    """Each typesetter, in a line and in a block of its own."""
    samples = list(FORMULAS.items())
    for place, (name, write) in enumerate(TYPESETTERS.items()):
        head = _MATHJAX if name in ("dollars", "brackets", "arithmatex") else ""
        for offset in range(2):
            tex, mml = samples[(place + offset) % len(samples)]
            line = f"<p>The office says that {write(tex, mml, False)} holds for every sandbank on this coast.</p>"
            yield WrittenPage(f"formula: {name} in a line, {offset}", page(line, head), [("formula", tex)])
        if name not in _PICTURES:
            tex, mml = samples[(place + 2) % len(samples)]
            inside = write(tex, mml, True)
            inside = inside if inside.startswith("<div") else f"<p>{inside}</p>"
            told = f"<p>All of it is summed up in one line by the office of the harbour:</p>{inside}"
            yield WrittenPage(f"formula: {name} in a block", page(told, head), [("display", tex)])
