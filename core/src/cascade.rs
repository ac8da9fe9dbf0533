//! What style sheets declare of an element, asked by its names (`tidings.page.style_sheet`).

use std::sync::Arc;

use crate::hiding::{grows, hides, hiding};
use crate::lengths::words;
use crate::media::{ALWAYS, SOMETIMES};
use crate::scatter::Map;
use crate::sheet::{need, parts, Sheet, Written};
use crate::styles::{declared, Declared, Style};

/// Rules for one name that are looked at one by one.
const MOST_RULES: usize = 100;
/// Names that elements have together, of which is remembered what they declare.
const MOST_KNOWN: usize = 4096;
/// As many of them, and as many blocks, are left to the next page.
const MOST_LEFT: usize = 1024;

/// A block of declarations for elements that have all of some names.
struct Rule {
    needs: Vec<u32>,
    /// Ids, classes and names that it needs, and its place in the sheet.
    order: (u32, u32, u32, u32),
    block: Arc<Declared>,
    hides: bool,
    holds: i8,
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
    answers: Answers,
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
    ways: [Option<(u8, u8)>; 2],
}

impl<'a> Asked<'a> {
    pub fn new(sheet: &'a Sheet) -> Asked<'a> {
        let mut answers = sheet.take_answers();
        answers.rules.resize(sheet.written.len(), None);
        Asked { sheet, answers }
    }

    pub fn is_moving(&self, name: &str) -> bool {
        self.sheet.moving.contains(name)
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
        let mut sorted: Vec<(Arc<Vec<Rule>>, usize)> = self.matching(&names);
        sorted.sort_by_key(|(rules, at)| rules[*at].order);
        let mut found = Declared::default();
        for (rules, at) in sorted {
            let rule = &rules[at];
            if rule.holds == ALWAYS || !rule.hides {
                found.plain.update(&rule.block.plain);
                found.important.update(&rule.block.important);
            }
        }
        if self.answers.merged.len() >= MOST_KNOWN {
            self.answers.merged.clear();
        }
        let found = Arc::new(found);
        self.answers.merged.insert(names, Merged { declared: Arc::clone(&found), ways: [None; 2] });
        found
    }

    /// The ways in which an element with some names and no style of its own is hidden, and those that it takes back.
    pub fn ways(&mut self, names: Vec<u32>, name: &str) -> (u8, u8) {
        let which = usize::from(grows(name));
        if let Some(ways) = self.answers.merged.get(&names).and_then(|found| found.ways[which]) {
            return ways;
        }
        let declared = self.merged(names.clone());
        let ways = hiding(&declared.all(), name, |one| self.is_moving(one));
        if let Some(found) = self.answers.merged.get_mut(&names) {
            found.ways[which] = Some(ways);
        }
        ways
    }

    /// Which of the rules for some names may hide an element, by their places in the sheets.
    pub fn hiding_rules(&mut self, names: &[u32]) -> Vec<u32> {
        let matching = self.matching(names);
        matching.iter().map(|(rules, at)| &rules[*at]).filter(|rule| rule.hides).map(|rule| rule.order.3).collect()
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
            let block = declared(&sheet.css[place.0 as usize..place.1 as usize]);
            let hides = hides(&block);
            (Arc::new(block), hides)
        });
        (Arc::clone(block), *hides)
    }

    fn rule(&mut self, written: &Written) -> Rule {
        let (block, hides) = self.block(written.block);
        let (needs, order, holds) = self.sheet.head(written);
        Rule { needs, order, block, hides, holds }
    }

    /// Rules for the same elements as one; of too many the last, for no page that people read has as many.
    fn joined(&self, written: &[Written]) -> Vec<Rule> {
        let mut places = Map::default();
        let mut groups: Vec<Vec<&Written>> = Vec::new();
        for one in written {
            let (mut needs, order, holds) = self.sheet.head(one);
            needs.sort_unstable();
            needs.dedup();
            let place = *places.entry((needs, (order.0, order.1, order.2), holds)).or_insert_with(|| {
                groups.push(Vec::new());
                groups.len() - 1
            });
            groups[place].push(one);
        }
        let from = groups.len().saturating_sub(MOST_RULES);
        let css = &self.sheet.css;
        let last = |group: &Vec<&Written>| {
            let blocks: Vec<&str> = group.iter().map(|one| &css[one.block.0 as usize..one.block.1 as usize]).collect();
            let block = declared(&blocks.join(";"));
            let (needs, order, holds) = self.sheet.head(group[group.len() - 1]);
            Rule { needs, order, hides: hides(&block), block: Arc::new(block), holds }
        };
        groups[from..].iter().map(last).collect()
    }
}

impl Sheet {
    /// What a rule needs, its order, and when it holds.
    fn head(&self, written: &Written) -> (Vec<u32>, (u32, u32, u32, u32), i8) {
        let selector = &self.css[written.selector.0 as usize..written.selector.1 as usize];
        let block = &self.css[written.block.0 as usize..written.block.1 as usize];
        let parts = parts(selector).unwrap_or_default();
        let count = |sign| parts.iter().filter(|part| part.0 == sign).count() as u32;
        let order = (count(Some('#')), count(Some('.')), count(None), written.place);
        let names: Vec<String> = parts.iter().map(|&(sign, name)| need(sign, name)).collect();
        let last = names.last().map_or("", |name| name);
        // A page that is hidden as a whole, and what is faded in, is hidden until a script has run.
        let is_late = matches!(last, "html" | "body" | "main") || (is_faded_in(last) && !block.contains("none"));
        let mut needs: Vec<u32> = names.iter().filter_map(|name| self.numbers.get(name).copied()).collect();
        needs.dedup();
        (needs, order, if is_late { SOMETIMES } else { written.holds })
    }
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
