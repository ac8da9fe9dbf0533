//! Splits characters into tags and the pieces of text between them (`tidings.page.cut`; HTML standard, 13.2.5).

use crate::tables::{Tables, RAW};
use crate::tag_names::TagNames;
use crate::units::{is_blank, stands, Unit};

/// Piece 0, tag 0, piece 1, tag 1, …, piece n: `bounds` are their borders in order.
pub struct Tokens {
    pub bounds: Vec<i64>,
    pub codes: Vec<i32>,
    /// By tag.
    pub classes: Vec<Classes>,
    pub local: Vec<Vec<u8>>,
}

/// The part of a start tag that decides the visibility of its element: mostly classes, or nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Classes {
    None,
    /// The range of the class names.
    At(u32, u32),
    /// Other attributes, too.
    More,
}

impl Classes {
    /// Add an attribute of the tag: the ranges of its name and value.
    #[inline(always)]
    fn with<U: Unit>(self, text: &[U], name: (usize, usize), value: (usize, usize)) -> Classes {
        let is = |other: &[u8]| stands(text, name.0, other);
        match name.1 - name.0 {
            5 if is(b"class") && self == Classes::None => Classes::At(value.0 as u32, value.1 as u32),
            2 if is(b"id") => Classes::More,
            5 if is(b"style") => Classes::More,
            6 if is(b"hidden") => Classes::More,
            11 if is(b"aria-hidden") => Classes::More,
            5 if is(b"color") => Classes::More,
            7 if is(b"popover") | is(b"bgcolor") => Classes::More,
            4 if is(b"text") | is(b"slot") => Classes::More,
            _ => self,
        }
    }
}

impl Tokens {
    #[inline(always)]
    pub fn tag(&self, at: usize) -> (usize, usize) {
        (self.bounds[2 * at + 1] as usize, self.bounds[2 * at + 2] as usize)
    }

    #[inline(always)]
    pub fn piece(&self, at: usize) -> (usize, usize) {
        (self.bounds[2 * at] as usize, self.bounds[2 * at + 1] as usize)
    }
}

/// How often the text after an unclosed tag is parsed again: there are eight raw text elements and two quotes.
const ROUNDS: usize = 12;

/// Split a text into tags and pieces. After `most_tags` tags the rest is one unknown tag.
///
/// A last tag that would swallow the rest of the page ends at its first `>`, unlike in browsers: a tag with an unclosed
/// quote, and a title, textarea or frame without end tag. An unclosed comment, script or style sheet hides the rest,
/// because it is mostly code; a tag without `>` is truncated.
#[inline(never)]
pub fn tokens<U: Unit>(text: &[U], tables: &Tables, most_tags: usize) -> Tokens {
    let mut bounds: Vec<i64> = Vec::with_capacity(text.len() / 16 + 16);
    let mut codes: Vec<i32> = Vec::with_capacity(text.len() / 32 + 16);
    let mut classes: Vec<Classes> = Vec::with_capacity(text.len() / 32 + 16);
    let mut names = TagNames::new(tables);
    let mut pictures = SvgBorders::default();
    bounds.push(0);
    let mut from = 0;
    let mut rounds = 0; // tags that were ended at their first `>`
    let mut ignored: Vec<i32> = Vec::new(); // raw text elements among them, whose names are unknown from there on
    while let Some(at) = U::find(text, from, b'<') {
        let next = text.get(at + 1).map_or(0, |unit| unit.ascii());
        let is_end_tag = next == b'/' && text.get(at + 2).map_or(false, |unit| unit.ascii().is_ascii_alphabetic());
        if !next.is_ascii_alphabetic() && !matches!(next, b'/' | b'!' | b'?') {
            from = at + 1;
            continue;
        }
        if codes.len() >= most_tags {
            // The rest is one unknown tag.
            bounds.extend([at as i64, text.len() as i64]);
            codes.push(0);
            classes.push(Classes::More);
            break;
        }
        let mut tag_classes = Classes::None;
        let (end, code, resume) = if next.is_ascii_alphabetic() || is_end_tag {
            let name_start = at + 1 + usize::from(is_end_tag);
            let name_end = end_of_name(text, name_start + 1);
            let number = names.number(&text[name_start..name_end]);
            let is_ignored = ignored.contains(&number);
            let is_raw = tables.sets(number) & RAW != 0 && name_end < text.len() && !is_ignored && !is_end_tag;
            let code = match is_ignored {
                true => 0,
                false if is_end_tag => -number,
                false => number,
            };
            if rounds == ROUNDS {
                tag_classes = Classes::More;
                let end = U::find(text, name_end, b'>').map_or(text.len(), |sign| sign + 1);
                (end, code, end)
            } else if is_raw {
                tag_classes = Classes::More;
                let (end, resume, closes_itself) = raw(text, name_end, number, tables);
                let sign = U::find(text, at, b'>');
                match sign {
                    // In <svg> it is a tag with an unknown name.
                    Some(sign) if closes_itself && pictures.is_inside(text, at) => {
                        (sign + 1, names.number(&[U::from(b'x')]), sign + 1)
                    }
                    Some(sign) if resume == text.len() && !tables.hides_the_rest(number) => {
                        rounds += 1;
                        ignored.push(number);
                        (sign + 1, 0, sign + 1)
                    }
                    _ => (end, number, resume),
                }
            } else {
                let (mut end, is_closed) =
                    attributes(text, name_end, true, |name, value| tag_classes = tag_classes.with(text, name, value));
                if !is_closed {
                    tag_classes = Classes::More;
                    if attributes(text, name_end, false, |_, _| ()) != (text.len(), true) {
                        if let Some(sign) = U::find(text, at, b'>') {
                            rounds += 1;
                            end = sign + 1;
                        }
                    }
                }
                (end, code, end)
            }
        } else {
            let end = if rounds == ROUNDS {
                U::find(text, at + 2, b'>').map_or(text.len(), |sign| sign + 1)
            } else {
                remark(text, at + 1)
            };
            (end, 0, end)
        };
        bounds.push(at as i64);
        bounds.push(end as i64);
        codes.push(code);
        classes.push(tag_classes);
        from = resume;
    }
    bounds.push(text.len() as i64);
    Tokens { bounds, codes, classes, local: names.local }
}

/// Whether positions of a text, in ascending order, are between an `<svg>` tag and its end tag.
#[derive(Default)]
struct SvgBorders {
    from: usize,
    is_open: bool,
}

impl SvgBorders {
    fn is_inside<U: Unit>(&mut self, text: &[U], at: usize) -> bool {
        while let Some(sign) = U::find(&text[..at], self.from, b'<') {
            self.from = sign + 1;
            if opens(text, sign + 1, b"svg") {
                self.is_open = true;
            } else if opens(text, sign + 1, b"/svg") {
                self.is_open = false;
            }
        }
        self.is_open
    }
}

#[inline(always)]
fn end_of_name<U: Unit>(text: &[U], mut at: usize) -> usize {
    while at < text.len() && !is_blank(text[at]) && !text[at].is(b'/') && !text[at].is(b'>') {
        at += 1;
    }
    at
}

/// Return the end of a tag's attributes, and whether there was a `>`. An unclosed quote takes the rest, or is ignored.
/// `read` is called with the ranges of the name and value of each attribute.
#[inline]
fn attributes<U: Unit>(
    text: &[U],
    mut at: usize,
    takes_rest: bool,
    mut read: impl FnMut((usize, usize), (usize, usize)),
) -> (usize, bool) {
    let size = text.len();
    let blanks = |mut at: usize| {
        while at < size && is_blank(text[at]) {
            at += 1;
        }
        at
    };
    loop {
        while at < size && (is_blank(text[at]) || text[at].is(b'/')) {
            at += 1;
        }
        if at >= size {
            return (size, false);
        }
        if text[at].is(b'>') {
            return (at + 1, true);
        }
        let start = at;
        at += 1;
        while at < size {
            match text[at].ascii() {
                9..=13 | b' ' | b'/' | b'>' | b'=' => break,
                _ => at += 1,
            }
        }
        let name = (start, at);
        let sign = blanks(at);
        if sign >= size || !text[sign].is(b'=') {
            read(name, (at, at));
            continue;
        }
        at = blanks(sign + 1);
        let start = at;
        match text.get(at).map_or(b'>', |unit| unit.ascii()) {
            quote @ (b'"' | b'\'') => match U::find(text, at + 1, quote) {
                Some(end) => {
                    read(name, (at + 1, end));
                    at = end + 1;
                }
                None if takes_rest => return (size, false),
                None => {}
            },
            _ => {
                while at < size && !is_blank(text[at]) && !text[at].is(b'>') {
                    at += 1;
                }
                read(name, (start, at));
            }
        }
    }
}

/// Return the end of a comment or of other markup that begins with `<!`, `<?` or `</`.
fn remark<U: Unit>(text: &[U], at: usize) -> usize {
    let size = text.len();
    if stands(text, at, b"!--") {
        let mut at = at + 3;
        if stands(text, at, b">") {
            return at + 1;
        }
        if stands(text, at, b"->") {
            return at + 2;
        }
        while let Some(dash) = U::find(text, at, b'-') {
            if stands(text, dash, b"-->") {
                return dash + 3;
            }
            if stands(text, dash, b"--!>") {
                return dash + 4;
            }
            at = dash + 1;
        }
        return size;
    }
    U::find(text, at + 1, b'>').map_or(size, |end| end + 1)
}

/// Whether a tag name, with `/` for an end tag, is at a position.
#[inline(always)]
fn opens<U: Unit>(text: &[U], at: usize, name: &[u8]) -> bool {
    stands(text, at, name)
        && text.get(at + name.len()).map_or(false, |&unit| is_blank(unit) || unit.is(b'/') || unit.is(b'>'))
}

/// Return the end of the tag of a raw text element, the start of what follows, and whether the tag closes itself.
///
/// The whole element is one tag, except for <xmp>, whose contents are visible. Its end tag is not included.
fn raw<U: Unit>(text: &[U], name_end: usize, number: i32, tables: &Tables) -> (usize, usize, bool) {
    let (inner, _) = attributes(text, name_end, true, |_, _| ());
    let numbers = tables.numbers;
    let end = if number == numbers.script {
        end_of_script(text, inner)
    } else {
        let mut closing = b"/".to_vec();
        closing.extend_from_slice(&tables.names[number as usize]);
        let mut at = inner;
        loop {
            match U::find(text, at, b'<') {
                Some(sign) if opens(text, sign + 1, &closing) => break sign,
                Some(sign) => at = sign + 1,
                None => break text.len(),
            }
        }
    };
    let first = U::find(&text[..end], name_end, b'>');
    if number == numbers.xmp {
        return (first.map_or(end, |sign| sign + 1), end, false);
    }
    let may = number == numbers.script || number == numbers.style || number == numbers.title;
    let closes_itself = may
        && first.map_or(false, |sign| {
            text[sign - 1].is(b'/')
                && (sign - 1 == name_end
                    || (is_blank(text[name_end]) && U::find(&text[..sign], name_end, b'<').is_none()))
        });
    (end, end, closes_itself)
}

/// Return the position of the end tag of a script; inside `<!--` a `<script` hides the next `</script>` (13.2.5.17 ff.).
fn end_of_script<U: Unit>(text: &[U], mut at: usize) -> usize {
    let size = text.len();
    while let Some(sign) = U::find(text, at, b'<') {
        if opens(text, sign + 1, b"/script") {
            return sign;
        }
        at = sign + 1;
        if stands(text, at, b"!--") && !stands(text, at + 3, b">") && !stands(text, at + 3, b"->") {
            at += 3;
            while at < size
                && !stands(text, at, b"-->")
                && !opens(text, at, b"<script")
                && !opens(text, at, b"</script")
            {
                at += 1;
            }
            if opens(text, at, b"<script") {
                at += 8;
                while at < size && !stands(text, at, b"-->") && !opens(text, at, b"</script") {
                    at += 1;
                }
                if opens(text, at, b"</script") {
                    at += 9;
                }
            }
        }
    }
    size
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{tables, tag};

    /// The text of every piece and every tag in turn.
    fn parts(text: &str) -> Vec<&str> {
        let found = tokens(text.as_bytes(), &tables(), 1000);
        found.bounds.windows(2).map(|pair| &text[pair[0] as usize..pair[1] as usize]).collect()
    }

    #[test]
    fn pieces_and_tags_take_turns() {
        assert_eq!(parts(""), [""]);
        assert_eq!(parts("a < b"), ["a < b"]);
        assert_eq!(parts("<p>one<b>two</b>"), ["", "<p>", "one", "<b>", "two", "</b>", ""]);
        assert_eq!(parts("<a href='x>y'>z"), ["", "<a href='x>y'>", "z"]);
        assert_eq!(parts("x<!-- <p> -->y"), ["x", "<!-- <p> -->", "y"]);
        assert_eq!(parts("<p a=\"<b>x</b>y"), ["", "<p a=\"<b>", "x", "</b>", "y"]);
        assert_eq!(parts("<p a='>x<i b=\"c>y"), ["", "<p a='>", "x", "<i b=\"c>", "y"]);
        assert_eq!(parts("<p a='x"), ["", "<p a='x", ""]);
        assert_eq!(parts("<p a='>'b='c>"), ["", "<p a='>'b='c>", ""]);
    }

    #[test]
    fn raw_text_ends_at_its_own_end_tag() {
        assert_eq!(parts("<title><p></titles></title>x").last(), Some(&"x"));
        assert!(!parts("<script>'<p>'</script>x").contains(&"<p>"));
        assert_eq!(parts("<xmp><p></xmp>x"), ["", "<xmp>", "<p>", "</xmp>", "x"]);
        assert_eq!(parts("<title><b>x"), ["", "<title>", "", "<b>", "x"]);
        let found = tokens(b"<title><p><title>", &tables(), 1000);
        assert_eq!(found.codes, [0, tag(&tables(), "p"), 0]);
    }

    #[test]
    fn names_have_numbers_and_those_outside_the_standard_their_own() {
        let tables = tables();
        let found = tokens(b"<P><x-y></p></X-Y><z>", &tables, 1000);
        let (p, own) = (tag(&tables, "p"), tables.names.len() as i32);
        assert_eq!(found.codes, [p, own, -p, -own, own + 1]);
        assert_eq!(found.local, [b"x-y".to_vec(), b"z".to_vec()]);
    }

    #[test]
    fn many_names_of_its_own_are_told_apart() {
        let tables = tables();
        let text: String = (0..500).map(|number| format!("<x{number}></x{number}>")).collect();
        let found = tokens(text.as_bytes(), &tables, 1000);
        assert_eq!(found.local.len(), 500);
        assert!(found.codes.chunks(2).all(|pair| pair[0] == -pair[1]));
    }

    #[test]
    fn behind_too_many_tags_that_never_end_quotes_mean_nothing() {
        let page = "<a x>'<b y=\">".repeat(ROUNDS) + "<i z='>'><script>d<!--<p>-->e</b";
        let found = parts(&page);
        println!("{:?}", found);
        let page = "<title><b><title>".to_string() + &"<a x='>".repeat(ROUNDS) + "<title>";
        let found = tokens(page.as_bytes(), &tables(), 1000);
        assert_eq!((found.codes.first(), found.codes.last()), (Some(&0), Some(&0)));
    }

    #[test]
    fn an_end_tag_that_never_ends_is_ended() {
        assert_eq!(parts("<p>a</p b='>c<i>d"), ["", "<p>", "a", "</p b='>", "c", "<i>", "d"]);
    }

    #[test]
    fn raw_text_that_closes_itself_is_a_tag_in_svg_only() {
        let (tables, own) = (tables(), tables().names.len() as i32);
        let codes = |page: &str| tokens(page.as_bytes(), &tables, 1000).codes;
        let (svg, title) = (tag(&tables, "svg"), tag(&tables, "title"));
        assert_eq!(codes("<svg><title/></svg>"), [svg, own, -svg]);
        assert_eq!(codes("<svg><title a=b /><Title></title>"), [svg, own, title, -title]);
        assert_eq!(codes("<svg></svg><title/></title>"), [svg, -svg, title, -title]);
        assert_eq!(codes("<svgs><title/></title>"), [own, title, -title]);
    }

    #[test]
    fn behind_the_most_tags_all_is_one_that_says_nothing() {
        let cut = |most| {
            let text = "<p>a< <i>b</i> c<!--d-->e";
            let found = tokens(text.as_bytes(), &tables(), most);
            assert_eq!(found.bounds.len(), 2 * found.codes.len() + 2);
            let part = |at: usize| text[found.bounds[at] as usize..found.bounds[at + 1] as usize].to_string();
            let last = found.bounds.len() - 3;
            (found.codes.len(), part(last), part(last + 1))
        };
        assert_eq!(cut(1), (2, "<i>b</i> c<!--d-->e".into(), "".into()));
        assert_eq!(cut(3), (4, "<!--d-->e".into(), "".into()));
        assert_eq!(cut(4), (4, "<!--d-->".into(), "e".into()));
    }

    #[test]
    fn no_beginning_of_a_page_is_too_short() {
        let page = "<!doctype html><p a='b' c=\"d\" e=f g>x&amp;<xmp a='>'>y</xmp ><!--z--!><script><!--<script>--></script></p ><?q><";
        for end in 0..=page.len() {
            let found = tokens(&page.as_bytes()[..end], &tables(), 1000);
            assert_eq!(found.bounds.len(), 2 * found.codes.len() + 2);
            assert!(found.bounds.windows(2).all(|pair| pair[0] <= pair[1]));
            assert_eq!(found.bounds.last(), Some(&(end as i64)));
        }
    }

    #[test]
    fn what_tags_tell_of_being_seen_is_noted() {
        for (tag, expected) in [
            ("<p>", Some("")),
            ("<p class>", Some("")),
            ("<p class=>", Some("")),
            ("<p class='a b'>", Some("a b")),
            ("<p CLASS = a/b title=\"class=d\">", Some("a/b")),
            ("<p/class=a class=b>", Some("a")),
            ("<p =class=c class=d>", Some("d")),
            ("<p data-id=1 class=\"\" class=e>", Some("")),
            ("<p class='a", None),
            ("<p class=a id=b>", None),
            ("<p hidden>", None),
            ("<p Aria-Hidden=false>", None),
            ("<p style=''>", None),
        ] {
            let wide: Vec<u16> = tag.encode_utf16().collect();
            let classes = match tokens(&wide, &tables(), 1000).classes[0] {
                Classes::None => Some(""),
                Classes::At(start, end) => Some(&tag[start as usize..end as usize]),
                Classes::More => None,
            };
            assert_eq!(classes, expected, "{}", tag);
        }
    }
}
