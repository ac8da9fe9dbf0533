//! What every page pays for, compiled: a page is scanned into columns, and its blocks are judged by a model; or a site's
//! rules cut the story out of its bytes.
//!
//! Nothing here knows Python; `boundary` is the one module with `unsafe` in it, and all that a caller sees.
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
mod fragment_pictures;
mod hashes;
mod hidden;
mod hiding;
mod imports;
mod index;
mod invisible;
mod item_numbers;
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
mod picture_choice;
mod picture_tags;
mod pictures;
mod references;
#[cfg(test)]
mod samples;
mod scatter;
mod selectors;
mod sheet;
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
mod tokens;
mod tree;
mod units;
mod variables;
mod words;
mod written;

pub use columns::{scan, Columns};
pub use tables::Tables;
