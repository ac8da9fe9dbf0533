-- Row numbers are places. What lies beside it is needed to take an article out again (fts5.py).
CREATE VIRTUAL TABLE words USING fts5(title, author, text, content='', tokenize="ascii tokenchars '_'");

CREATE TABLE article_words (
    article INTEGER PRIMARY KEY REFERENCES article (id) ON DELETE CASCADE,
    place INTEGER NOT NULL,
    packed BLOB NOT NULL
) STRICT;
