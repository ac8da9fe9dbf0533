//! Computes what style sheets declare for an element: the cascade by layer, specificity and position.

use std::collections::HashSet;
use std::rc::Rc;
use std::sync::Arc;

use crate::hiding::{grows, hides, Animation};
use crate::keyed_hash::Map;
use crate::lengths::words;
use crate::matching::Document;
use crate::media::{ALWAYS, SOMETIMES};
use crate::selector_parser::parse;
use crate::selectors::{Selector, Specificity, Test};
use crate::sheet::{need, parts, Sheet, Written};
use crate::start_tag::Sight;
use crate::styles::{declared, declared_with, variables_of, with_variables, Declared, Style};
use crate::suspects::ComplexRule;
use crate::variables::COLOUR;

/// Rules for one name that are looked at one by one.
const MOST_RULES: usize = 100;
/// Names that elements have together, of which is remembered what they declare.
const MOST_KNOWN: usize = 4096;
/// As many of them, and as many blocks, are left to the next page.
const MOST_LEFT: usize = 1024;
/// Variables whose values are variables again.
const DEEPEST_VARIABLES: usize = 8;
/// Characters of a value with its variables replaced.
const LONGEST_VALUE: usize = 10_000;

/// Layer, specificity and place in the sheet: of two declarations the one with the larger order counts.
type Order = (u16, Specificity, u32);

/// A block of declarations for elements that have all of some names.
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
    /// Where the block stands.
    place: (u32, u32),
}

/// What was asked of a sheet: rules are read when somebody asks for them.
#[derive(Default)]
pub struct Answers {
    /// By the number of a name, for those that were asked for.
    rules: Vec<Option<Arc<Vec<Rule>>>>,
    blocks: Map<(u32, u32), (Arc<Declared>, bool)>,
    merged: Map<Vec<u32>, Merged>,
}

/// A sheet with what was asked of it, by this page or one before it.
pub struct Asked<'a> {
    pub sheet: &'a Sheet,
    /// Variables that start tags set.
    pub own_variables: HashSet<String>,
    /// Whether the page has other sheets too, which may paint anything behind its letters.
    pub is_part: bool,
    answers: Answers,
    /// Rules and variables of elements of this page.
    applied: Map<usize, Rc<Vec<Applied>>>,
    variables: Map<(usize, String), Option<String>>,
    /// The rules that set variables, by their names.
    setters: Map<String, Rc<Vec<Setter>>>,
}

impl Drop for Asked<'_> {
    /// Leave the answers to the next page with the same sheet, unless they are more than any page needs.
    fn drop(&mut self) {
        if self.answers.blocks.len() <= MOST_LEFT && self.answers.merged.len() <= MOST_LEFT {
            self.sheet.leave(std::mem::take(&mut self.answers));
        }
    }
}

/// What the rules for some names declare, and what that hides: of elements that grow with what they hold, and of others.
struct Merged {
    declared: Arc<Declared>,
    sights: [Option<Sight>; 2],
}

impl<'a> Asked<'a> {
    pub fn new(sheet: &'a Sheet) -> Asked<'a> {
        let mut answers = sheet.take_answers();
        answers.rules.resize(sheet.written.len(), None);
        Asked {
            sheet,
            own_variables: HashSet::new(),
            is_part: true,
            answers,
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

    /// Those of the names of an element that rules ask for, by their numbers.
    pub fn known(&self, name: &str, class: Option<&str>, identity: Option<&str>) -> Vec<u32> {
        let numbers = &self.sheet.numbers;
        let mut found = Vec::new();
        if numbers.is_empty() {
            return found;
        }
        found.extend(numbers.get(name));
        let mut key = String::new();
        for word in words(class.unwrap_or("")) {
            key.clear();
            key.push('.');
            key.push_str(word);
            if let Some(&number) = numbers.get(&key) {
                if !found.contains(&number) {
                    found.push(number);
                }
            }
        }
        if let Some(identity) = identity.filter(|identity| !identity.is_empty()) {
            found.extend(numbers.get(&format!("#{}", identity)));
        }
        found
    }

    /// What the rules for some names declare, and what of it is important.
    pub fn merged(&mut self, names: Vec<u32>) -> Arc<Declared> {
        if let Some(found) = self.answers.merged.get(&names) {
            return Arc::clone(&found.declared);
        }
        let mut applied: Vec<Applied> = self.matching(&names).iter().map(|(rules, at)| rules[*at].applied()).collect();
        applied.sort_by_key(|rule| rule.order);
        let found = Arc::new(self.merge(&applied));
        if self.answers.merged.len() >= MOST_KNOWN {
            self.answers.merged.clear();
        }
        self.answers.merged.insert(names, Merged { declared: Arc::clone(&found), sights: [None; 2] });
        found
    }

    /// What rules declare together, the strongest last. Of a rule that holds on some screens only what it shows counts,
    /// for text that anybody sees is seen.
    fn merge(&self, applied: &[Applied]) -> Declared {
        let mut found = Declared::default();
        let mut rules: Vec<&Applied> = applied.iter().filter(|rule| rule.holds == ALWAYS || !rule.hides).collect();
        for rule in &rules {
            found.plain.update(&rule.block.plain);
            found.variables.extend_from_slice(&rule.block.variables);
        }
        if self.sheet.has_layers {
            // Of important declarations those of the first layer are the strongest.
            rules.sort_by_key(|rule| (u16::MAX - rule.order.0, rule.order.1, rule.order.2));
        }
        for rule in &rules {
            found.important.update(&rule.block.important);
        }
        found
    }

    /// What rules tell of an element with some names and no style of its own.
    pub fn sight(&mut self, names: Vec<u32>, name: &str) -> Sight {
        let which = usize::from(grows(name));
        let known = self.answers.merged.get(&names).and_then(|found| found.sights[which]);
        let declared = self.merged(names.clone());
        let mut sight = known.unwrap_or_else(|| {
            let mut sight = Sight::default();
            sight.of_style(&declared.all(), name, self);
            sight
        });
        if let Some(found) = self.answers.merged.get_mut(&names) {
            found.sights[which] = Some(sight);
        }
        sight.is_unsure = self.may_hide(&declared.variables);
        sight
    }

    /// Which of the rules for some names may hide an element, by their places in the sheets.
    pub fn hiding_rules(&mut self, names: &[u32]) -> Vec<u32> {
        let matching = self.matching(names);
        matching.iter().map(|(rules, at)| &rules[*at]).filter(|rule| rule.hides).map(|rule| rule.order.2).collect()
    }

    fn matching(&mut self, names: &[u32]) -> Vec<(Arc<Vec<Rule>>, usize)> {
        let mut found = Vec::new();
        for &name in names {
            let rules = self.of(name as usize);
            for (at, rule) in rules.iter().enumerate() {
                if rule.needs.len() == 1 || rule.needs.iter().all(|need| names.contains(need)) {
                    found.push((Arc::clone(&rules), at));
                }
            }
        }
        found
    }

    /// The rules for a name.
    fn of(&mut self, name: usize) -> Arc<Vec<Rule>> {
        if let Some(rules) = &self.answers.rules[name] {
            return Arc::clone(rules);
        }
        let sheet = self.sheet;
        let written = &sheet.written[name];
        let mut rules: Vec<Rule> = Vec::with_capacity(written.len().min(MOST_RULES));
        if written.len() > MOST_RULES {
            rules = self.joined(written);
        } else {
            for one in written {
                rules.push(self.rule(one));
            }
        }
        let rules = Arc::new(rules);
        self.answers.rules[name] = Some(Arc::clone(&rules));
        rules
    }

    fn block(&mut self, place: (u32, u32)) -> (Arc<Declared>, bool) {
        let sheet = self.sheet;
        let (block, hides) = self.answers.blocks.entry(place).or_insert_with(|| {
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

    /// Rules for the same elements as one; of too many the last, for no page that people read has as many.
    fn joined(&self, written: &[Written]) -> Vec<Rule> {
        let mut places = Map::default();
        let mut groups: Vec<Vec<&Written>> = Vec::new();
        for one in written {
            let (mut needs, order, holds) = self.sheet.head(one);
            needs.sort_unstable();
            needs.dedup();
            let place = *places.entry((needs, (order.0, order.1), holds)).or_insert_with(|| {
                groups.push(Vec::new());
                groups.len() - 1
            });
            groups[place].push(one);
        }
        let from = groups.len().saturating_sub(MOST_RULES);
        let variables = self.sheet.variables();
        let last = |group: &Vec<&Written>| {
            let blocks: Vec<&str> = group.iter().map(|one| self.sheet.text(one.block)).collect();
            let block = declared_with(&blocks.join(";"), &mut |name| variables.constants.get(name).cloned());
            let written = group[group.len() - 1];
            let (needs, order, holds) = self.sheet.head(written);
            Rule { needs, order, written: *written, hides: hides(&block), block: Arc::new(block), holds }
        };
        groups[from..].iter().map(last).collect()
    }

    /// Whether a rule that may hide something, and asks for more than one start tag tells, applies to an element.
    pub fn is_suspect(&self, document: &Document, element: usize, candidates: &[u32]) -> bool {
        candidates.iter().any(|&number| {
            (!self.is_part || self.sheet.suspicion(number).is_boxed())
                && self.sheet.complex.matches(&self.sheet.css, document, number, element)
        })
    }

    /// Whether a rule with a complex selector may make an element visible that stands in an invisible one.
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

    /// All that style sheets and the element's own style declare of it.
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
        let known = self.known(name, class, identity);
        let mut applied: Vec<Applied> = self.matching(&known).iter().map(|(rules, at)| rules[*at].applied()).collect();
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
                // Where matching has become too expensive, only what hides counts.
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

    /// The value of a variable on an element, inherited from those around it.
    fn variable(&mut self, document: &Document, element: usize, name: &str, depth: usize) -> Option<String> {
        if depth >= DEEPEST_VARIABLES {
            return None;
        }
        // From the element up to one that sets it, or of which it is known.
        let mut path = Vec::new();
        let mut at = element;
        let value = loop {
            let key = (at, name.to_string());
            if let Some(known) = self.variables.get(&key) {
                break known.clone();
            }
            path.push(key);
            if let Some(value) = self.own_variable(document, at, name) {
                let mut resolve = |name: &str| self.variable(document, at, name, depth + 1);
                break Some(with_variables(&value, &mut resolve)).filter(|value| value.len() <= LONGEST_VALUE);
            }
            if at == 0 {
                break None;
            }
            at = document.parent_of(at);
        };
        for key in path {
            self.variables.insert(key, value.clone());
        }
        value
    }

    fn own_variable(&mut self, document: &Document, element: usize, name: &str) -> Option<String> {
        let own = document.tag(element).get("style").filter(|style| style.contains(name)).map(variables_of);
        if let Some((_, value)) = own.and_then(|own| own.into_iter().rev().find(|(own, _)| own == name)) {
            return Some(value);
        }
        if let Some(value) = self.sheet.variables().constants.get(name) {
            return Some(value.clone()); // set on the root of the page, for all elements
        }
        for setter in self.setters(name).iter() {
            if document.matches(&setter.selector, element) {
                return Some(setter.value.clone());
            }
        }
        None
    }

    /// The rules that set a variable, the strongest first.
    fn setters(&mut self, name: &str) -> Rc<Vec<Setter>> {
        if let Some(known) = self.setters.get(name) {
            return Rc::clone(known);
        }
        let sheet = self.sheet;
        let mut found: Vec<(Order, Setter)> = Vec::new();
        let variables = sheet.variables();
        for (rule, value) in variables.setters.get(name).into_iter().flatten().filter(|(rule, _)| rule.holds == ALWAYS)
        {
            if let Some(selector) = parse(sheet.text(rule.selector)) {
                let order = (rule.layer, selector.specificity, rule.place);
                found.push((order, Setter { selector, value: value.clone() }));
            }
        }
        found.sort_by_key(|(order, _)| std::cmp::Reverse(*order));
        let found = Rc::new(found.into_iter().map(|(_, setter)| setter).collect::<Vec<_>>());
        self.setters.insert(name.into(), Rc::clone(&found));
        found
    }
}

/// A rule that sets a variable.
struct Setter {
    selector: Selector,
    value: String,
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

    /// What a rule needs, its order, and when it holds.
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

/// Whether elements of that name are hidden until a script has run: a page that is hidden as a whole, and what fades in.
fn is_late(name: &str, block: &str) -> bool {
    matches!(name, "html" | "body" | "main") || (is_faded_in(name) && !block.contains("none"))
}

/// Classes of what libraries fade in when it is scrolled to.
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

/// What an element's own style and its sheets declare, the strongest last.
pub fn cascaded(sheets: &Declared, own: &Declared) -> Style {
    let mut style = sheets.plain.clone();
    style.update(&own.plain);
    style.update(&sheets.important);
    style.update(&own.important);
    style
}
