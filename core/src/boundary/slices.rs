//! Makes slices over memory of the caller. No other file makes a slice from a pointer.

use std::slice::{from_raw_parts, from_raw_parts_mut};

/// Return the `size` items at an address. An empty slice has no address: the caller's may be null, as that of an empty
/// Python array is, and `from_raw_parts` must not see it.
pub unsafe fn slice<'a, T>(address: *const T, size: usize) -> &'a [T] {
    if size == 0 {
        &[]
    } else {
        from_raw_parts(address, size)
    }
}

/// Return the `size` items at an address, to be written to.
pub unsafe fn slice_mut<'a, T>(address: *mut T, size: usize) -> &'a mut [T] {
    if size == 0 {
        &mut []
    } else {
        from_raw_parts_mut(address, size)
    }
}

/// Copy items to an address that has room for them.
pub unsafe fn copy_to<T: Copy>(items: &[T], address: *mut T) {
    slice_mut(address, items.len()).copy_from_slice(items);
}

#[cfg(test)]
mod tests {
    use super::{copy_to, slice, slice_mut};
    use std::ptr::{null, null_mut};

    /// `cargo test` builds with debug assertions, under which `from_raw_parts(null, 0)` aborts.
    #[test]
    fn an_empty_slice_needs_no_address() {
        unsafe {
            assert!(slice::<i64>(null(), 0).is_empty());
            assert!(slice_mut::<i64>(null_mut(), 0).is_empty());
            copy_to::<i64>(&[], null_mut());
        }
    }
}
