//! Allocates memory, in large pages of the system where an allocation is large.
//!
//! A page of 10 MB takes some 70 MB of columns, which the system clears 4 KB at a time, each at the price of a page fault: half
//! of the time of reading it. With `madvise` it clears 2 MB at once.
use std::alloc::{GlobalAlloc, Layout, System};

/// The minimum size of ranges. Smaller allocations mostly reuse freed memory.
const LARGE: usize = 4 << 20;

pub struct LargePages;

unsafe impl GlobalAlloc for LargePages {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        advised(System.alloc(layout), layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        advised(System.alloc_zeroed(layout), layout.size())
    }

    unsafe fn realloc(&self, start: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        advised(System.realloc(start, layout, size), size)
    }

    unsafe fn dealloc(&self, start: *mut u8, layout: Layout) {
        System.dealloc(start, layout)
    }
}

/// Advise the system on a range and return it. The result of the advice is ignored.
#[inline]
unsafe fn advised(start: *mut u8, size: usize) -> *mut u8 {
    if size >= LARGE && !start.is_null() {
        advise(start, size);
    }
    start
}

#[cfg(target_os = "linux")]
#[cold]
unsafe fn advise(start: *mut u8, size: usize) {
    use std::os::raw::{c_int, c_void};
    extern "C" {
        fn madvise(start: *mut c_void, size: usize, advice: c_int) -> c_int;
    }
    const HUGE_PAGES: c_int = 14; // MADV_HUGEPAGE
    const PAGE: usize = 4096; // a system of larger pages may refuse
                              // Whole pages, the one with the allocator's own note before the range too: a mapping that is advised in part falls
                              // into two, which the system cannot grow in place any more.
    let before = start as usize % PAGE;
    madvise(start.sub(before).cast(), (before + size + PAGE - 1) / PAGE * PAGE, HUGE_PAGES);
}

#[cfg(not(target_os = "linux"))]
unsafe fn advise(_start: *mut u8, _size: usize) {}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::LARGE;
    use std::fs::read_to_string;

    /// What the system notes of the mapping that holds an address.
    fn notes_of(address: usize) -> String {
        let maps = read_to_string("/proc/self/smaps").unwrap_or_default();
        let mut is_here = false;
        for line in maps.lines() {
            let range = line.split(' ').next().and_then(|range| range.split_once('-'));
            let ends = range.map(|(from, to)| (usize::from_str_radix(from, 16), usize::from_str_radix(to, 16)));
            match ends {
                Some((Ok(from), Ok(to))) => is_here = (from..to).contains(&address),
                _ if is_here && line.starts_with("VmFlags:") => return line.to_owned(),
                _ => {}
            }
        }
        String::new()
    }

    #[test]
    fn large_ranges_are_wanted_in_large_pages_and_keep_what_they_hold() {
        let mut large: Vec<u8> = vec![0; LARGE];
        large.iter_mut().enumerate().for_each(|(place, byte)| *byte = place as u8);
        large.reserve_exact(5 * LARGE);
        large.resize(6 * LARGE, 7);
        assert!(large[..LARGE].iter().enumerate().all(|(place, &byte)| byte == place as u8));
        assert!(large[LARGE..].iter().all(|&byte| byte == 7));
        let notes = notes_of(large.as_ptr() as usize + 3 * LARGE);
        if std::path::Path::new("/sys/kernel/mm/transparent_hugepage").exists() && !notes.is_empty() {
            assert!(notes.split(' ').any(|note| note == "hg"), "{}", notes);
        }
    }
}
