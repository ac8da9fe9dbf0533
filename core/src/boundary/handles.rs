//! Frees the memory of handles.

use std::os::raw::{c_int, c_void};
use std::sync::Arc;

use super::answers::Answer;
use super::cut::ArticleTables;
use crate::columns::Columns;
use crate::cut::Rules;
use crate::kinds::KindWords;
use crate::look::{Expert, LookTables};
use crate::sheet::Sheet;
use crate::stop_words::LanguageDetector;
use crate::tables::Tables;
use crate::tag_words::TagWords;

/// Types of handles, as in `Handle` of `native.py`.
pub const PAGE: c_int = 0;
pub const ANSWER: c_int = 1;
pub const RULES: c_int = 2;
pub const SHEET: c_int = 3;
pub const TAG_WORDS: c_int = 4;
pub const LANGUAGE_DETECTOR: c_int = 5;
pub const KIND_WORDS: c_int = 6;
pub const EXPERT: c_int = 7;
pub const LOOK_TABLES: c_int = 8;
pub const TABLES: c_int = 9;
pub const ARTICLE_TABLES: c_int = 10;

/// Free the memory of a handle.
#[no_mangle]
pub unsafe extern "C" fn tidings_free(kind: c_int, handle: *mut c_void) {
    if handle.is_null() {
        return;
    }
    match kind {
        PAGE => free::<Columns>(handle),
        ANSWER => free::<Answer>(handle),
        RULES => free::<Rules>(handle),
        SHEET => drop(Arc::from_raw(handle.cast::<Sheet>())),
        TAG_WORDS => free::<TagWords>(handle),
        LANGUAGE_DETECTOR => free::<LanguageDetector>(handle),
        KIND_WORDS => free::<KindWords>(handle),
        EXPERT => free::<Expert>(handle),
        LOOK_TABLES => free::<LookTables>(handle),
        TABLES => free::<Tables>(handle),
        ARTICLE_TABLES => free::<ArticleTables>(handle),
        _ => {}
    }
}

unsafe fn free<T>(handle: *mut c_void) {
    drop(Box::from_raw(handle.cast::<T>()));
}
