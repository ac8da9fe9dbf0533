"""Units of an article that are built as a whole: code, formulas, notes, tables, callouts, recordings and posts."""
