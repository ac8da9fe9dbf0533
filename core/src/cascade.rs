//! Computes what style sheets declare for an element: the cascade by layer, specificity and position.

use std::collections::HashSet;
use std::rc::Rc;
use std::sync::Arc;

use crate::hiding::{grows, hides, Animation};
use crate::keyed_hash::Map;
use crate::lengths::words;
use crate::matching::Document;
use crate::media::{ALWAYS, SOMETIMES};
use crate::selectors::{Selector, Specificity, Test};
use crate::sheet::{need, parts, Sheet, Written};
use crate::start_tag::Visibility;
use crate::styles::{declared, declared_with, Declared, Style};
use crate::suspects::ComplexRule;
use crate::variables::COLOUR;

mod element_variables;

use element_variables::Setter;

/// The maximum number of rules per name; more are joined.
const MOST_RULES: usize = 100;
/// The maximum number of merged declarations in the cache.
const MOST_MERGED: usize = 4096;
/// Larger caches are not kept for the next page.
const MOST_CACHED: usize = 1024;
/// The maximum depth of variables in variables.
const DEEPEST_VARIABLES: usize = 8;
/// The maximum length of a value with replaced variables.
const LONGEST_VALUE: usize = 10_000;

/// Layer, specificity and position in the sheet: the declaration with the larger order wins.
type Order = (u16, Specificity, u32);

/// A block of declarations for elements with all of some names.
struct Rule {
    needs: Vec<u32>,
    order: Order,
    written: Written,
    block: Arc<Declared>,
    hides: bool,
    holds: i8,
}

/// A rule that applies to an element.
#[derive(Clone)]
struct Applied {
    order: Order,
    block: Arc<Declared>,
    hides: bool,
    holds: i8,
    /// The range of the block in the sheet.
    place: (u32, u32),
}

/// A cache of parsed rules, which are parsed on first use.
#[derive(Default)]
pub struct ParsedRules {
    /// By the number of a name, if they were needed.
    rules: Vec<Option<Arc<Vec<Rule>>>>,
    blocks: Map<(u32, u32), (Arc<Declared>, bool)>,
    merged: Map<Vec<u32>, Merged>,
}

/// The cascade of a style sheet, with caches of this and earlier pages.
pub struct Cascade<'a> {
    pub sheet: &'a Sheet,
    /// Variables that start tags set.
    pub own_variables: HashSet<String>,
    /// Whether the page has other sheets, which may set any background.
    pub is_part: bool,
    cache: ParsedRules,
    /// Rules and variables of elements of this page.
    applied: Map<usize, Rc<Vec<Applied>>>,
    variables: Map<(usize, String), Option<String>>,
    /// The rules that set variables, by their names.
    setters: Map<String, Rc<Vec<Setter>>>,
}

impl Drop for Cascade<'_> {
    /// Keep the cache for the next page with the same sheet, unless it is too large.
    fn drop(&mut self) {
        if self.cache.blocks.len() <= MOST_CACHED && self.cache.merged.len() <= MOST_CACHED {
            self.sheet.keep_cache(std::mem::take(&mut self.cache));
        }
    }
}

/// The declarations of the rules for some names, and their effects on elements that grow with their contents and on others.
struct Merged {
    declared: Arc<Declared>,
    visibilities: [Option<Visibility>; 2],
}

impl<'a> Cascade<'a> {
    pub fn new(sheet: &'a Sheet) -> Cascade<'a> {
        let mut cache = sheet.take_cache();
        cache.rules.resize(sheet.written.len(), None);
        Cascade {
            sheet,
            own_variables: HashSet::new(),
            is_part: true,
            cache,
            applied: Map::default(),
            variables: Map::default(),
            setters: Map::default(),
        }
    }

    /// Whether one of some variables may have a value that hides.
    pub fn may_hide(&self, variables: &[(u8, String)]) -> bool {
        if variables.is_empty() {
            return false;
        }
        let counts = if self.is_part { !COLOUR } else { u8::MAX };
        let of_sheet = self.sheet.variables();
        variables.iter().any(|(kind, name)| {
            let values = if self.own_variables.contains(name) {
                u8::MAX
            } else {
                of_sheet.hiding.get(name).copied().unwrap_or(0)
            };
            kind & values & counts != 0
        })
    }

    pub fn animation(&self, name: &str) -> Option<Animation> {
        self.sheet.animations.get(name).copied()
    }

    /// Return the numbers of the names (tag, classes, id) of an element that occur in rules.
    pub fn names_in_rules(&self, name: &str, class: Option<&str>, identity: Option<&str>) -> Vec<u32> {
        let numbers = &self.sheet.numbers;
        let mut names = Vec::new();
        if numbers.is_empty() {
            return names;
        }
        names.extend(numbers.get(name));
        let mut key = String::new();
        for word in words(class.unwrap_or("")) {
            key.clear();
            key.push('.');
            key.push_str(word);
            if let Some(&number) = numbers.get(&key) {
                if !names.contains(&number) {
                    names.push(number);
                }
            }
        }
        if let Some(identity) = identity.filter(|identity| !identity.is_empty()) {
            names.extend(numbers.get(&format!("#{}", identity)));
        }
        names
    }

    /// Return the declarations of the rules for some names.
    pub fn merged(&mut self, names: Vec<u32>) -> Arc<Declared> {
        if let Some(merged) = self.cache.merged.get(&names) {
            return Arc::clone(&merged.declared);
        }
        let mut applied: Vec<Applied> = self.matching(&names).iter().map(|(rules, at)| rules[*at].applied()).collect();
        applied.sort_by_key(|rule| rule.order);
        let merged = Arc::new(self.merge(&applied));
        if self.cache.merged.len() >= MOST_MERGED {
            self.cache.merged.clear();
        }
        self.cache.merged.insert(names, Merged { declared: Arc::clone(&merged), visibilities: [None; 2] });
        merged
    }

    /// Merge the declarations of rules, the strongest last. Rules for some screens do not hide: text that is visible on any
    /// screen is visible.
    fn merge(&self, applied: &[Applied]) -> Declared {
        let mut result = Declared::default();
        let mut rules: Vec<&Applied> = applied.iter().filter(|rule| rule.holds == ALWAYS || !rule.hides).collect();
        for rule in &rules {
            result.plain.update(&rule.block.plain);
            result.variables.extend_from_slice(&rule.block.variables);
        }
        if self.sheet.has_layers {
            // Important declarations of the first layer win.
            rules.sort_by_key(|rule| (u16::MAX - rule.order.0, rule.order.1, rule.order.2));
        }
        for rule in &rules {
            result.important.update(&rule.block.important);
        }
        result
    }

    /// Return the visibility of an element with some names and no style attribute.
    pub fn visibility(&mut self, names: Vec<u32>, name: &str) -> Visibility {
        let which = usize::from(grows(name));
        let cached = self.cache.merged.get(&names).and_then(|merged| merged.visibilities[which]);
        let declared = self.merged(names.clone());
        let mut visibility = cached.unwrap_or_else(|| {
            let mut visibility = Visibility::default();
            visibility.set_style(&declared.all(), name, self);
            visibility
        });
        if let Some(merged) = self.cache.merged.get_mut(&names) {
            merged.visibilities[which] = Some(visibility);
        }
        visibility.is_unsure = self.may_hide(&declared.variables);
        visibility
    }

    /// Return the positions of the rules for some names that may hide an element.
    pub fn hiding_rules(&mut self, names: &[u32]) -> Vec<u32> {
        let matching = self.matching(names);
        matching.iter().map(|(rules, at)| &rules[*at]).filter(|rule| rule.hides).map(|rule| rule.order.2).collect()
    }

    fn matching(&mut self, names: &[u32]) -> Vec<(Arc<Vec<Rule>>, usize)> {
        let mut matches = Vec::new();
        for &name in names {
            let rules = self.of(name as usize);
            for (at, rule) in rules.iter().enumerate() {
                if rule.needs.len() == 1 || rule.needs.iter().all(|need| names.contains(need)) {
                    matches.push((Arc::clone(&rules), at));
                }
            }
        }
        matches
    }

    /// The rules for a name.
    fn of(&mut self, name: usize) -> Arc<Vec<Rule>> {
        if let Some(rules) = &self.cache.rules[name] {
            return Arc::clone(rules);
        }
        let sheet = self.sheet;
        let written = &sheet.written[name];
        let mut rules: Vec<Rule> = Vec::with_capacity(written.len().min(MOST_RULES));
        if written.len() > MOST_RULES {
            rules = self.joined(written);
        } else {
            for written_rule in written {
                rules.push(self.rule(written_rule));
            }
        }
        let rules = Arc::new(rules);
        self.cache.rules[name] = Some(Arc::clone(&rules));
        rules
    }

    fn block(&mut self, place: (u32, u32)) -> (Arc<Declared>, bool) {
        let sheet = self.sheet;
        let (block, hides) = self.cache.blocks.entry(place).or_insert_with(|| {
            let text = sheet.text(place);
            let mut block = if uses_variables(text) {
                let variables = sheet.variables();
                declared_with(text, &mut |name| variables.constants.get(name).cloned())
            } else {
                declared(text)
            };
            if !block.variables.is_empty() {
                let variables = sheet.variables();
                block.variables.retain(|(_, name)| !variables.constants.contains_key(name));
            }
            let hides = hides(&block);
            (Arc::new(block), hides)
        });
        (Arc::clone(block), *hides)
    }

    fn rule(&mut self, written: &Written) -> Rule {
        let (mut block, mut hides) = self.block(written.block);
        if hides && !self.sheet.is_valid(written) {
            block = Arc::default();
            hides = false;
        }
        let (needs, order, holds) = self.sheet.head(written);
        Rule { needs, order, written: *written, block, hides, holds }
    }

    /// Join rules for the same elements; of too many rules, which no real page has, return the last.
    fn joined(&self, written: &[Written]) -> Vec<Rule> {
        let mut places = Map::default();
        let mut groups: Vec<Vec<&Written>> = Vec::new();
        for written_rule in written {
            let (mut needs, order, holds) = self.sheet.head(written_rule);
            needs.sort_unstable();
            needs.dedup();
            let place = *places.entry((needs, (order.0, order.1), holds)).or_insert_with(|| {
                groups.push(Vec::new());
                groups.len() - 1
            });
            groups[place].push(written_rule);
        }
        let from = groups.len().saturating_sub(MOST_RULES);
        let variables = self.sheet.variables();
        let last = |group: &Vec<&Written>| {
            let blocks: Vec<&str> = group.iter().map(|written_rule| self.sheet.text(written_rule.block)).collect();
            let block = declared_with(&blocks.join(";"), &mut |name| variables.constants.get(name).cloned());
            let written = group[group.len() - 1];
            let (needs, order, holds) = self.sheet.head(written);
            Rule { needs, order, written: *written, hides: hides(&block), block: Arc::new(block), holds }
        };
        groups[from..].iter().map(last).collect()
    }

    /// Whether a rule with a complex selector that may hide an element matches it.
    pub fn is_suspect(&self, document: &Document, element: usize, candidates: &[u32]) -> bool {
        candidates.iter().any(|&number| {
            (!self.is_part || self.sheet.suspicion(number).is_boxed())
                && self.sheet.complex.matches(&self.sheet.css, document, number, element)
        })
    }

    /// Whether a rule with a complex selector may show an element inside a hidden element.
    pub fn may_be_visible(&self, document: &Document, element: usize) -> bool {
        let restoring = self.sheet.restoring();
        if restoring.is_empty() {
            return false;
        }
        let tag = document.tag(element);
        let has = |name: &str| tag.get(name).is_some();
        let name = (document.name_of)(element);
        let candidates = restoring.candidates(name, tag.get("class"), tag.get("id"), has, |_| true);
        candidates.iter().any(|&number| restoring.matches(&self.sheet.css, document, number, element))
    }

    /// Return the style of an element by style sheets and its style attribute.
    pub fn style(&mut self, document: &Document, element: usize) -> Style {
        let applied = self.applied(document, element);
        let own = document.tag(element).get("style").filter(|style| !style.is_empty()).map(String::from);
        if applied.iter().all(|rule| rule.block.variables.is_empty()) && !own.as_deref().map_or(false, uses_variables) {
            let sheets = self.merge(&applied);
            return own.map_or_else(|| sheets.all(), |own| cascaded(&sheets, &declared(&own)));
        }
        let sheet = self.sheet;
        let mut applied = applied.to_vec();
        let matters: Vec<bool> = applied.iter().map(|rule| self.may_hide(&rule.block.variables)).collect();
        let mut resolve = |name: &str| self.variable(document, element, name, 0);
        for (rule, _) in applied.iter_mut().zip(matters).filter(|(_, matters)| *matters) {
            let block = declared_with(sheet.text(rule.place), &mut resolve);
            rule.hides = hides(&block);
            rule.block = Arc::new(block);
        }
        let own = own.map(|own| declared_with(&own, &mut resolve));
        let sheets = self.merge(&applied);
        own.map_or_else(|| sheets.all(), |own| cascaded(&sheets, &own))
    }

    /// The rules that apply to an element, the strongest last.
    fn applied(&mut self, document: &Document, element: usize) -> Rc<Vec<Applied>> {
        if let Some(applied) = self.applied.get(&element) {
            return Rc::clone(applied);
        }
        let mut applied = self.find_applied(document, element);
        applied.sort_by_key(|rule| rule.order);
        let applied = Rc::new(applied);
        self.applied.insert(element, Rc::clone(&applied));
        applied
    }

    fn find_applied(&mut self, document: &Document, element: usize) -> Vec<Applied> {
        let tag = document.tag(element);
        let name = if element == 0 { "" } else { (document.name_of)(element) };
        let (class, identity) = (tag.get("class"), tag.get("id"));
        let names = self.names_in_rules(name, class, identity);
        let mut applied: Vec<Applied> = self.matching(&names).iter().map(|(rules, at)| rules[*at].applied()).collect();
        if self.sheet.complex.is_empty() {
            return applied;
        }
        let all = &self.sheet.complex;
        for number in all.candidates(name, class, identity, |attribute| tag.get(attribute).is_some(), |_| true) {
            let rule = &all.rules[number as usize];
            if all.matches(&self.sheet.css, document, number, element) {
                let (block, hides) = self.block(rule.written.block);
                if hides && !self.sheet.is_valid(&rule.written) {
                    continue;
                }
                // If matching has become too expensive, only hiding rules count.
                if hides || !document.is_exhausted() {
                    applied.extend(
                        all.selector(&self.sheet.css, number)
                            .map(|selector| self.sheet.applied(rule, &selector, block, hides)),
                    );
                }
            }
        }
        applied
    }
}

impl Rule {
    fn applied(&self) -> Applied {
        Applied {
            order: self.order,
            block: Arc::clone(&self.block),
            hides: self.hides,
            holds: self.holds,
            place: self.written.block,
        }
    }
}

fn uses_variables(style: &str) -> bool {
    style.contains("var(")
}

impl Sheet {
    pub fn text(&self, range: (u32, u32)) -> &str {
        &self.css[range.0 as usize..range.1 as usize]
    }

    fn applied(&self, rule: &ComplexRule, selector: &Selector, block: Arc<Declared>, hides: bool) -> Applied {
        let Written { layer, place, block: at, holds, .. } = rule.written;
        let subject = selector.subject();
        let last = subject.tests.iter().rev().find_map(|test| match test {
            Test::Class(name) => Some(format!(".{}", name)),
            Test::Id(name) => Some(format!("#{}", name)),
            _ => None,
        });
        let last = last.or_else(|| subject.name.clone()).unwrap_or_default();
        let holds = if is_late(&last, self.text(at)) { SOMETIMES } else { holds };
        Applied { order: (layer, selector.specificity, place), block, hides, holds, place: at }
    }

    /// Return the names that a rule needs, its order, and when it holds.
    fn head(&self, written: &Written) -> (Vec<u32>, Order, i8) {
        let parts = parts(self.text(written.selector)).unwrap_or_default();
        let count = |sign| parts.iter().filter(|part| part.0 == sign).count() as u32;
        let order = (written.layer, (count(Some('#')), count(Some('.')), count(None)), written.place);
        let names: Vec<String> = parts.iter().map(|&(sign, name)| need(sign, name)).collect();
        let last = names.last().map_or("", |name| name);
        let mut needs: Vec<u32> = names.iter().filter_map(|name| self.numbers.get(name).copied()).collect();
        needs.dedup();
        let holds = if is_late(last, self.text(written.block)) { SOMETIMES } else { written.holds };
        (needs, order, holds)
    }
}

/// Whether elements with a name are hidden until a script has run: whole pages, and elements that fade in.
fn is_late(name: &str, block: &str) -> bool {
    matches!(name, "html" | "body" | "main") || (is_faded_in(name) && !block.contains("none"))
}

/// Whether a name is a class of elements that libraries fade in on scrolling.
fn is_faded_in(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let is_late = |rest: &str| {
        let line = rest.split('\n').next().unwrap_or("");
        ["animat", "elementor-invisible", "fadein", "fade-in", "reveal"].iter().any(|word| line.contains(word))
            || rest == "wow"
            || rest.starts_with("aos")
    };
    name.match_indices('.').any(|(at, _)| is_late(&name[at + 1..]))
}

/// Merge the style attribute of an element and its sheets, the strongest last.
pub fn cascaded(sheets: &Declared, own: &Declared) -> Style {
    let mut style = sheets.plain.clone();
    style.update(&own.plain);
    style.update(&sheets.important);
    style.update(&own.important);
    style
}
