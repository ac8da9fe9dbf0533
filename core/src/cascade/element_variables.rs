//! Computes the values of variables on elements.

use std::rc::Rc;

use super::{Cascade, Order, DEEPEST_VARIABLES, LONGEST_VALUE};
use crate::matching::Document;
use crate::media::ALWAYS;
use crate::selector_parser::parse;
use crate::selectors::Selector;
use crate::styles::{variables_of, with_variables};

/// A rule that sets a variable.
pub struct Setter {
    selector: Selector,
    value: String,
}

impl Cascade<'_> {
    /// The value of a variable on an element, inherited from those around it.
    pub fn variable(&mut self, document: &Document, element: usize, name: &str, depth: usize) -> Option<String> {
        if depth >= DEEPEST_VARIABLES {
            return None;
        }
        // Up to an ancestor that sets the variable, or whose value is cached.
        let mut path = Vec::new();
        let mut at = element;
        let value = loop {
            let key = (at, name.to_string());
            if let Some(cached) = self.variables.get(&key) {
                break cached.clone();
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
        if let Some(cached) = self.setters.get(name) {
            return Rc::clone(cached);
        }
        let sheet = self.sheet;
        let mut setters: Vec<(Order, Setter)> = Vec::new();
        let variables = sheet.variables();
        for (rule, value) in variables.setters.get(name).into_iter().flatten().filter(|(rule, _)| rule.holds == ALWAYS)
        {
            if let Some(selector) = parse(sheet.text(rule.selector)) {
                let order = (rule.layer, selector.specificity, rule.place);
                setters.push((order, Setter { selector, value: value.clone() }));
            }
        }
        setters.sort_by_key(|(order, _)| std::cmp::Reverse(*order));
        let setters = Rc::new(setters.into_iter().map(|(_, setter)| setter).collect::<Vec<_>>());
        self.setters.insert(name.into(), Rc::clone(&setters));
        setters
    }
}
