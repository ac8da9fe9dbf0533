"""Tag soup for Hypothesis: pieces of broken HTML, put together at random.

Left out, because the scanner differs from a browser there on purpose (see `tidings.page.compiled`):

- text directly in a table, outside cells: a browser lifts it out (wild tables are compared as sets of words);
- `frameset`, `plaintext`, nested `form`, `math`, the content of `select`: forms of markup that news pages have not had
  for decades, and whose text is either hidden or the same;
- hidden formatting elements (`<b hidden>`): a browser opens them again after a misnested end, here they are not;
- `noscript`: Lexbor runs no scripts and reads on inside, here it ends at its end tag whatever is open in it;
- white space inside a hidden element: it parts the words around it here, so ruby is tested with spaces between words;
- a quote or raw text element that never ends: a browser shows nothing of the rest, here the rest is kept;
- references to control characters and noncharacters (`&#1;`): they are dropped, a browser shows a box.

An end tag is written with spaces around it: a stray one (`a</div>b`) parts words here and not in a browser.
"""

from __future__ import annotations

from hypothesis import strategies as st

INLINE = "a b i em span font code nobr u small label q".split()
FLOW = (
    "p div ul ol li dl dt dd h1 h2 h3 section article blockquote pre center address button fieldset figure main "
    "details summary nav span label"
).split()
TABLE = "table tr td th tbody thead tfoot caption colgroup".split()
VOID = "br hr img input wbr meta link area embed".split()
OTHERS = "marquee object applet video canvas template bdi x-y bogus p div li span".split()
RUBY = "rb rt rp".split()
HIDING = [
    " hidden", ' style="display:none"', " aria-hidden=true", " class='x sr-only'", " style='opacity: 0'",
    " style='color:red'", " hidden=until-found", " STYLE=DISPLAY:NONE", " style='left:-9999px'", ' style="font-size:0"',
]  # fmt: skip
COMMENTS = [
    "<!-- w -->", "<!-->", "<!--->", "<!---->", "<!--a--!>", "<!a>", "<?x?>", "</>", "</ x>", "<!--a--b>-->",
    "<![CDATA[ w ]]>", "<!DOCTYPE html>", "<>", "< a", "<3", "</3>", "<!>", "<?>", "<!-- -- > -->", "<!--<!---->",
]  # fmt: skip
RAW = [
    "<script>a<b</script>", "<script><!--<script></script>--></script>", "<script><!-- x </script>",
    "<style>p>a{}</style >", "<script><!--<script>--></script>", "<title>x<b></title>", "<textarea><b>x</textarea>",
    "<script></scriptx></script>", "<SCRIPT>1</ScRipT\n>", "<script>'<!--'</script>", "<script/>x</script>",
    "<style></style/>", "<script><!--<script ></script ></script>", "<script><!--<script></script>x</script>",
    "<iframe><p>z</iframe>", "<noembed>x</noembed>", "<noframes>x</noframes>", "<script><!--></script>",
    "<script><!--<scripty></script>",
]  # fmt: skip
ODD_TAGS = [
    '<a href="x>y">', "<a href='>'>", "<a href=x>", '<a href="a"b=c>', "<a x= >", "<a/b>", "<a / >",
    '<a x="&quot;>">', "<a\nx>", "<a x='a' y=\"b\" z>", '<a x=a"b>', "<a x=`>`>", '<a "x">', "<a x=/>", "<b/>",
    "<div/>", '<p x==">">', '<p x=a=">">', "<p x='\">'>", '<p x =\n">" >', '<p "=">">', '<p x"=">">', '<p x">',
    '<p x=""">">', '<p x=">"">">', '<p x/y=">"z>', "<p '>", "<p x=y'z>'>", '<p/x=">">', '<p x=\f">">', '</p x=">">',
    "</p/>", "<P\nCLASS = a\n>",
]  # fmt: skip
REFERENCES = [
    "&amp;", "&amp", "&copyx", "&notit;", "&#65;", "&#65", "&#x41;", "&#x41g", "&lt;p&gt;", "&nbsp;", "&bogus;", "&#0;",
    "&#128;", "&#xD800;", "&#99999999;", "&", "&;", "&#;", "&#x;", "&zwnj;", "&lt", "&ltw", "&NotEqualTilde;", "&#x20;",
    "&#10;", "&AMP", "&hellip", "&#x1F600;", "&#x1F600", "&times", "&timesx", "&thinsp;", "&fjlig;", "&#13;", "&#x85;",
    "&#xA0;", "&am", "&aacute", "&aacuteb", "&#x110000;", "&Tab;", "&NewLine;",
]  # fmt: skip
#: Markup that trips scanners: quotes that never end, raw text in all its forms, references, odd white space.
ODD = [
    "<p>", "</p>", '<div class="a b">', "</div>", "<a href='x>y'>", "</a>", "<b", "<i a=b c>", "<br>", "<br/>",
    "<pre>", "</pre>", "<xmp a='>'>", "</xmp>", "<textarea>", "</textarea >", "<title/>", "<title>", "</title>",
    "<svg>", "</svg>", "<script>", "</script>", "<!--", "-->", "--!>", "<!-->", "<!doctype html>", "<style>",
    "</style/>", "<script />", "<td>", "<table>", "</table>", "<tr>", "<li>", "<ul>", "</ul>", "<h1>", "</h2>",
    "<select>", "<option>", "<template>", "<ruby>", "<rt>", "<rp>", "<FoO-bar>", "</foo-bar>", "<foreignObject>",
    "<desc>", "<path/>", "<input>", "<datalist>", "&amp;", "&nbsp;", "&notit;", "&#x41", "&#128;", "&#1;",
    "&#1114112;", "&#xd800;", "&", "&;", "&lt", "&CounterClockwiseContourIntegral;", " ", "\n", "\u00a0", "\u2003",
    "\t  ", "a", "bc d", "中文字", "𠀀", "é", "؟", "‌", "<", ">", "</", "<?x", '"', "'", "=", "/", "<html>", "<body>",
    "<head>", "<button>", "<nobr>", "<dd>", "<dt>", "<math>", "<p\x0b>", "</p\x0c>", "<dialog>", "</dialog>",
    "</template>", "<form>",
]  # fmt: skip

words = st.builds(str.__add__, st.text("abcé漢", min_size=1, max_size=3), st.sampled_from(["", " ", "\n", "\t"]))
nuls_and_line_ends = st.sampled_from(["a\0b", "a\r\nb", "a\rb", "\r", "a\x0cb"])


def starts(names: list[str]) -> st.SearchStrategy[str]:
    """Start tags."""
    return st.sampled_from([f"<{name}>" for name in names])


def ends(names: list[str]) -> st.SearchStrategy[str]:
    """End tags."""
    return st.sampled_from([f" </{name}> " for name in names])


def soup(*pieces: st.SearchStrategy[str], size: int = 14) -> st.SearchStrategy[str]:
    """Some of the pieces, one behind the other, in a body."""
    return st.lists(st.one_of(*pieces), min_size=1, max_size=size).map(lambda parts: "<body>" + "".join(parts))


def tagged(names: list[str]) -> tuple[st.SearchStrategy[str], ...]:
    """Words between start and end tags of these names."""
    return words, starts(names), ends(names)


def hiding(names: list[str]) -> st.SearchStrategy[str]:
    """Start tags that may hide what they hold."""
    return st.builds("<{}{}>".format, st.sampled_from(names), st.sampled_from(HIDING))


#: All of them.
PIECES = (
    *tagged([*INLINE, *FLOW, *TABLE, *OTHERS, *RUBY]),
    starts(VOID),
    hiding(FLOW),
    nuls_and_line_ends,
    *(st.sampled_from(pieces) for pieces in (COMMENTS, RAW, ODD_TAGS, REFERENCES, ODD)),
)
