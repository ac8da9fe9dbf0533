//! Freeing what was handed out.

use std::os::raw::{c_int, c_void};
use std::sync::Arc;

use super::answers::Answer;
use crate::columns::Columns;
use crate::cut::Rules;
use crate::index::TagWords;
use crate::kinds::KindWords;
use crate::look::{Expert, LookTables};
use crate::sheet::Sheet;
use crate::stop_words::Listener;

/// What a handle points to; the caller has the same list (`Handle` in `native.py`).
pub const LISTENER: c_int = 9;
pub const KIND_WORDS: c_int = 10;
pub const EXPERT: c_int = 11;
pub const LOOK_TABLES: c_int = 12;

/// Free what a handle of a kind points to.
#[no_mangle]
pub unsafe extern "C" fn tidings_free(kind: c_int, handle: *mut c_void) {
    if handle.is_null() {
        return;
    }
    match kind {
        0 => free::<Columns>(handle),
        4 => free::<Rules>(handle),
        5 => drop(Arc::from_raw(handle.cast::<Sheet>())),
        6 => free::<Answer>(handle),
        8 => free::<TagWords>(handle),
        LISTENER => free::<Listener>(handle),
        KIND_WORDS => free::<KindWords>(handle),
        EXPERT => free::<Expert>(handle),
        LOOK_TABLES => free::<LookTables>(handle),
        _ => {}
    }
}

unsafe fn free<T>(handle: *mut c_void) {
    drop(Box::from_raw(handle.cast::<T>()));
}
