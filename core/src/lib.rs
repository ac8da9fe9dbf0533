//! Scans pages into columns, computes the probabilities of their blocks, and cuts articles out of pages by the rules of a site.
//!
//! The library does not know Python. `boundary` is its only public module, and the only one with `unsafe`.
#![deny(unsafe_code)]

mod anchors;
mod block_rows;
mod block_texts;
mod blocks;
pub mod boundary;
mod cascade;
mod choice;
mod class_names;
mod cleaning;
mod colours;
mod columns;
mod css_text;
mod cut;
mod data_tables;
mod ending;
mod flow;
mod hashes;
mod hidden;
mod hiding;
mod imports;
mod invisible;
mod item_numbers;
mod keyed_hash;
mod kinds;
mod lengths;
pub mod look;
mod matching;
mod math;
mod media;
mod names;
mod needles;
mod paints;
mod part;
mod pictures;
mod references;
mod revealed;
#[cfg(test)]
mod samples;
mod selector_parser;
mod selectors;
mod sheet;
mod sheet_parser;
mod spelling;
mod start_tag;
mod stop_words;
mod story;
mod story_places;
mod styles;
mod supports;
mod suspects;
mod tables;
mod tag_names;
mod tag_words;
mod tokens;
mod tree;
mod units;
mod variables;
mod words;
mod written;

pub use columns::{scan, Columns};
pub use tables::Tables;
