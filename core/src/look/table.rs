//! Declares the features in the order of `features.tsv`, which is the order of the rows.
//!
//! Training and documentation read the same table, through `tidings_feature_table`.

const TABLE: &[u8] = include_bytes!("features.tsv");

/// Return the row of a feature. A name that is not in the table stops the compiler.
pub(crate) const fn row(name: &str) -> usize {
    let name = name.as_bytes();
    let (mut row, mut at) = (0, line_end(0)); // behind the header
    while at < TABLE.len() {
        let mut same = 0;
        while same < name.len() && TABLE[at + same] == name[same] {
            same += 1;
        }
        if same == name.len() && TABLE[at + same] == b'\t' {
            return row;
        }
        at = line_end(at);
        row += 1;
    }
    panic!("no such feature")
}

/// Return the number of features.
pub(crate) const fn rows() -> usize {
    let (mut rows, mut at) = (0, line_end(0));
    while at < TABLE.len() {
        at = line_end(at);
        rows += 1;
    }
    rows
}

const fn line_end(mut at: usize) -> usize {
    while TABLE[at] != b'\n' {
        at += 1;
    }
    at + 1
}

#[cfg(test)]
mod tests {
    use super::{row, rows, TABLE};
    use std::collections::HashSet;

    #[test]
    fn each_feature_has_a_name_of_its_own_a_group_a_meaning_and_a_formula() {
        let lines: Vec<Vec<&[u8]>> = TABLE
            .split(|&byte| byte == b'\n')
            .filter(|line| !line.is_empty())
            .map(|line| line.split(|&byte| byte == b'\t').collect())
            .collect();
        assert!(lines.iter().all(|line| line.len() == 4 && line.iter().all(|cell| !cell.is_empty())));
        assert_eq!(lines.iter().map(|line| line[0]).collect::<HashSet<_>>().len(), rows() + 1);
        assert_eq!((row("words"), row("run_paragraphs")), (0, rows() - 1));
    }
}
