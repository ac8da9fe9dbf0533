//! Parses style sheets into rules that `crate::cascade` applies.
//!
//! Rules whose selectors consist of the tag, classes and id of one element are indexed by these. Others are indexed by
//! their subjects, and parsed when an element may match (`crate::suspects`).

use std::borrow::Cow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::cascade::ParsedRules;
use crate::css_text::{plain_css, without_comments, without_strings};
use crate::hiding::Animation;
use crate::keyed_hash::Map;
use crate::lengths::{is_name_byte, lower, strip};
use crate::media::ALWAYS;
use crate::selector_parser::{is_valid_list, split_list};
use crate::sheet_parser::{parse, BraceInString};
use crate::styles::variables_of;
use crate::suspects::ComplexRules;
use crate::units::is_space;
use crate::variables::{hiding_variables, Variables};

/// The maximum length of a style sheet.
const LONGEST: usize = 4_000_000;

/// A rule: the ranges of its selector and block, when it holds, its layer, and its position in the sheet.
#[derive(Clone, Copy)]
pub struct Written {
    pub selector: (u32, u32),
    /// All selectors of the rule: an invalid selector makes the rule invalid.
    pub list: (u32, u32),
    pub block: (u32, u32),
    pub holds: i8,
    pub layer: u16,
    pub place: u32,
}

/// The layer of rules outside `@layer`, which override all layers.
pub const UNLAYERED: u16 = u16::MAX;

/// The rules of style sheets, by the names in their selectors: `p`, `.note`, `#top`.
#[derive(Default)]
pub struct Sheet {
    pub css: String,
    pub numbers: Map<String, u32>,
    /// By the number of a name; empty for names that occur only together with others.
    pub written: Vec<Vec<Written>>,
    /// Rules with selectors that depend on more than a start tag.
    pub complex: ComplexRules,
    /// The same while the sheet is parsed.
    pending: Vec<Written>,
    /// Those of them that set visibility, computed on first use.
    restoring: Mutex<Option<Arc<ComplexRules>>>,
    /// Cache: whether selectors are valid, by their ranges.
    valid: Mutex<Map<(u32, u32), bool>>,
    /// Whether there are layers.
    pub has_layers: bool,
    /// The variables, computed on first use.
    variables: Mutex<Option<Arc<Variables>>>,
    pub animations: Map<String, Animation>,
    /// Whether it imports other sheets, or the canvas may be dark.
    pub imports_foreign: bool,
    /// The source, if the sheet is cached.
    key: String,
    /// Cache: the ways of start tags.
    cache: Mutex<Map<String, (u8, u8)>>,
    /// Cache: the parsed rules of the previous page.
    cascade: Mutex<ParsedRules>,
}

/// Cached sheets, the latest first: many pages of a site have the same sheets.
static CACHED: Mutex<Vec<Arc<Sheet>>> = Mutex::new(Vec::new());
const MOST_CACHED: usize = 32;
/// The maximum size of a cached sheet, and of all cached sheets.
const LARGEST_CACHED: usize = 2_000_000;
const MOST_BYTES: usize = 4_000_000;
thread_local! {
    static NONE: Arc<Sheet> = Arc::new(Sheet::default());
}
/// The maximum number of cached start tags.
const MOST_START_TAGS: usize = 1024;

/// Lock a mutex, also after a panic of another thread: no change takes two steps.
pub fn locked<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Sheet {
    pub fn new(css: &str) -> Sheet {
        let mut css = css;
        if css.len() > LONGEST {
            css = css.char_indices().nth(LONGEST).map_or(css, |(end, _)| &css[..end]);
        }
        if css.is_empty() {
            return Sheet::default();
        }
        Sheet::read(without_comments(css)).unwrap_or_else(|_| {
            Sheet::read(without_strings(css)).unwrap_or_default() // without strings there are no braces in them
        })
    }

    /// Return the parsed sheet from the cache, or parse it.
    pub fn shared(css: &str) -> Arc<Sheet> {
        if css.len() > LARGEST_CACHED {
            return Arc::new(Sheet::new(css));
        }
        if let Some(sheet) = Sheet::cached(|key| key == css) {
            return sheet;
        }
        let sheet = Arc::new(Sheet { key: css.into(), ..Sheet::new(css) });
        let mut cached = locked(&CACHED);
        cached.truncate(MOST_CACHED - 1);
        cached.insert(0, Arc::clone(&sheet));
        while cached.iter().map(|sheet| sheet.key.len()).sum::<usize>() > MOST_BYTES {
            cached.pop();
        }
        sheet
    }

    /// Return a sheet without rules.
    pub fn none() -> Arc<Sheet> {
        NONE.with(Arc::clone)
    }

    /// Return a cached sheet by its source.
    pub fn cached(is_source: impl Fn(&str) -> bool) -> Option<Arc<Sheet>> {
        let mut cached = locked(&CACHED);
        let place = cached.iter().position(|sheet| is_source(&sheet.key))?;
        cached[..=place].rotate_right(1);
        Some(Arc::clone(&cached[0]))
    }

    /// Return the ways of a start tag from the cache, or from `find`.
    pub fn ways(&self, tag: &str, find: impl FnOnce() -> (u8, u8)) -> (u8, u8) {
        if let Some(&ways) = locked(&self.cache).get(tag) {
            return ways;
        }
        let ways = find();
        let mut cache = locked(&self.cache);
        if cache.len() >= MOST_START_TAGS {
            cache.clear();
        }
        cache.insert(tag.into(), ways);
        ways
    }

    /// Take the cache of parsed rules. Concurrent callers get an empty cache.
    pub fn take_cache(&self) -> ParsedRules {
        std::mem::take(&mut *locked(&self.cascade))
    }

    /// Put the cache of parsed rules back.
    pub fn keep_cache(&self, cache: ParsedRules) {
        *locked(&self.cascade) = cache;
    }

    pub fn is_empty(&self) -> bool {
        self.complex.is_empty() && self.written.iter().all(Vec::is_empty)
    }

    /// Return the variables of the sheet.
    pub fn variables(&self) -> Arc<Variables> {
        let mut variables = locked(&self.variables);
        Arc::clone(variables.get_or_insert_with(|| Arc::new(self.read_variables())))
    }

    fn read_variables(&self) -> Variables {
        if !self.css.contains("var(") {
            return Variables::default();
        }
        let complex = self.complex.rules.iter().map(|rule| &rule.written);
        let mut rules: Vec<Written> = complex.chain(self.written.iter().flatten()).copied().collect();
        rules.retain(|rule| self.text(rule.block).contains("--"));
        rules.sort_by_key(|rule| rule.place);
        let mut setters: Map<String, Vec<(Written, String)>> = Map::default();
        let (mut block, mut own) = ((0, 0), Vec::new());
        for rule in rules {
            if rule.block != block {
                block = rule.block;
                own = variables_of(self.text(block));
            }
            for (name, value) in &own {
                setters.entry(name.clone()).or_default().push((rule, value.clone()));
            }
        }
        let is_page = |rule: &Written| {
            let is_root = matches!(self.text(rule.selector), ":root" | "html" | "body" | "*" | ":host");
            is_root && rule.holds == ALWAYS && rule.layer == UNLAYERED
        };
        let mut constants = Map::default();
        setters.retain(|name, rules| match rules.last() {
            Some((_, value)) if !value.contains("var(") && rules.iter().all(|(rule, _)| is_page(rule)) => {
                constants.insert(name.clone(), value.clone());
                false
            }
            _ => true,
        });
        Variables { hiding: hiding_variables(&self.css), constants, setters }
    }

    /// Return the complex rules that set visibility.
    pub fn restoring(&self) -> Arc<ComplexRules> {
        let mut restoring = locked(&self.restoring);
        Arc::clone(restoring.get_or_insert_with(|| {
            let rules = self.complex.rules.iter().map(|rule| rule.written);
            let rules: Vec<Written> = rules.filter(|rule| self.text(rule.block).contains("visib")).collect();
            Arc::new(ComplexRules::new(&self.css, &rules))
        }))
    }

    /// Whether a rule is valid: all of its selectors are.
    pub fn is_valid(&self, written: &Written) -> bool {
        if written.list == written.selector {
            return true;
        }
        *locked(&self.valid).entry(written.list).or_insert_with(|| is_valid_list(self.text(written.list)))
    }

    fn read(css: String) -> Result<Sheet, BraceInString> {
        let (mut sheet, nested) = parse(&css)?;
        sheet.imports_foreign = css.contains("@import;") || css.contains("color-scheme");
        sheet.css = css;
        sheet.css.push_str(&nested);
        sheet.complex = ComplexRules::new(&sheet.css, &std::mem::take(&mut sheet.pending));
        Ok(sheet)
    }

    fn number(&mut self, name: Cow<str>) -> usize {
        if let Some(&number) = self.numbers.get(&*name) {
            return number as usize;
        }
        let number = self.written.len();
        self.numbers.insert(name.into_owned(), number as u32);
        self.written.push(Vec::new());
        number
    }

    /// Add a rule for each selector of a list; `offset` is where the list stands.
    pub fn add(&mut self, selectors: &str, offset: usize, written: Written) {
        let has_brackets = selectors.bytes().any(|byte| matches!(byte, b'(' | b'['));
        if has_brackets {
            for part in split_list(selectors) {
                let start = offset + (part.as_ptr() as usize - selectors.as_ptr() as usize);
                self.add_selector(part, start, written);
            }
            return;
        }
        let mut start = offset;
        for part in selectors.split(',') {
            self.add_selector(part, start, written);
            start += part.len() + 1;
        }
    }

    fn add_selector(&mut self, part: &str, start: usize, written: Written) {
        let selector = strip(part);
        let at = start + (part.len() - part.trim_start_matches(|letter: char| is_space(letter as u32)).len());
        let bytes = selector.as_bytes();
        if bytes.is_empty() {
            return;
        }
        let written = Written { selector: (at as u32, (at + selector.len()) as u32), ..written };
        if is_single_name(bytes) {
            let name: Cow<str> = if matches!(bytes[0], b'.' | b'#') { selector.into() } else { lower(selector) };
            let number = self.number(name);
            self.written[number].push(written);
            return;
        }
        // Complex selectors, which are most of a sheet, contain one of these characters.
        let is_complex = bytes.iter().any(|byte| matches!(byte, b' ' | b':' | b'>' | b'[' | b'*'));
        match parts(selector).filter(|_| !is_complex || bytes.contains(&b'\\')) {
            Some(parts) => {
                let mut last = 0;
                for (sign, name) in parts {
                    last = self.number(need(sign, name).into());
                }
                self.written[last].push(written);
            }
            None => self.pending.push(written),
        }
    }
}

/// Whether a selector without escapes is a single tag, class or id.
fn is_single_name(selector: &[u8]) -> bool {
    let name = match selector {
        [b'.' | b'#', name @ ..] => name,
        name => name,
    };
    !name.is_empty() && name.iter().all(|&byte| byte >= 0x80 || is_name_byte(byte))
}

/// Return the name of a part of a selector.
pub fn need(sign: Option<char>, name: &str) -> String {
    match sign {
        Some(sign) => format!("{}{}", sign, plain_css(name)),
        None => lower(name).into_owned(),
    }
}

pub type Part<'a> = (Option<char>, &'a str);

/// Return the parts of a selector of a tag, classes and ids. None for other selectors.
pub fn parts(selector: &str) -> Option<Vec<Part<'_>>> {
    let bytes = selector.as_bytes();
    let (mut parts, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        let sign = match bytes[at] {
            sign @ (b'.' | b'#') => Some(sign as char),
            _ => None,
        };
        let start = at + usize::from(sign.is_some());
        at = start;
        while at < bytes.len() {
            match bytes[at] {
                b'\\' => {
                    let digits = bytes[at + 1..].iter().take(6).take_while(|byte| byte.is_ascii_hexdigit()).count();
                    if digits > 0 {
                        at += 1 + digits;
                        at += usize::from(matches!(bytes.get(at), Some(9..=13 | 32)));
                    } else {
                        match selector[at + 1..].chars().next() {
                            Some(letter) if letter != '\n' => at += 1 + letter.len_utf8(),
                            _ => break,
                        }
                    }
                }
                byte if byte >= 0x80 || is_name_byte(byte) => at += 1,
                _ => break,
            }
        }
        if at == start {
            return None;
        }
        parts.push((sign, &selector[start..at]));
    }
    Some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cascade::Cascade;
    use crate::hiding::hiding;
    use crate::media::*;

    /// What sheets say of a tag with such classes.
    fn ways(css: &str, name: &str, class: &str) -> u8 {
        let sheet = Sheet::new(css);
        let mut cascade = Cascade::new(&sheet);
        let known = cascade.names_in_rules(name, Some(class), Some("top"));
        let merged = cascade.merged(known);
        hiding(&merged.all(), name, |one| cascade.animation(one)).0
    }

    #[test]
    fn rules_for_names_classes_and_ids_count() {
        for css in [
            "p{display:none}",
            ".a{display:none}",
            "#top{display:none}",
            "P.a , i{display:none}",
            "/* x */.a/* y */{display:none}",
            "@media screen{.a{display:none}}",
            "@layer x{.a{display:none}}",
            "@import url(x);.a{display:none}",
            ".\\61{display:none}",
            ".a{&:hover{color:red}display:none}",
            ".x{content:'}'}.a{display:none}",
            "@keyframes rise{from{top:0}}.a{opacity:0}",
        ] {
            assert_eq!(ways(css, "p", "a b"), 1, "{}", css);
        }
    }

    #[test]
    fn rules_for_others_do_not() {
        for css in [
            "",
            ".a .c{display:none}",
            ".a:hover{display:none}",
            ".a[b]{display:none}",
            ".a.c{display:none}",
            "@media print{.a{display:none}}",
            "@media (max-width:600px){.a{display:none}}",
            "@font-face{display:none}",
            ".a{display:none}p.b{display:block}",
            ".a{display:none}.b{display:block}",
            "@keyframes rise{from{opacity:0}}.a{opacity:0;animation:rise 1s}",
            ".a{display:none",
        ] {
            let expected = u8::from(css == ".a{display:none");
            assert_eq!(ways(css, "p", "a b"), expected, "{}", css);
        }
    }

    #[test]
    fn conditions_hold_on_the_screens_of_readers() {
        assert_eq!(media_holds("print"), NEVER);
        assert_eq!(media_holds("print, screen"), ALWAYS);
        assert_eq!(media_holds("(min-width: 300px)"), ALWAYS);
        assert_eq!(media_holds("(width>=600px)"), SOMETIMES);
        assert_eq!(media_holds("only screen and (max-device-width:100px)"), NEVER);
        assert_eq!(media_holds("(prefers-color-scheme: dark)"), SOMETIMES);
        assert_eq!(media_holds(" "), ALWAYS);
    }

    #[test]
    fn many_rules_for_one_name_are_joined() {
        let css = ".a{color:red}".repeat(200) + ".a{display:none}";
        assert_eq!(ways(&css, "p", "a"), 1);
    }
}
