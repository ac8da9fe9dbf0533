CREATE TABLE article_words (
    article BIGINT PRIMARY KEY REFERENCES article (id) ON DELETE CASCADE,
    title TEXT NOT NULL,
    author TEXT NOT NULL,
    text TEXT NOT NULL,
    search TSVECTOR NOT NULL
);
CREATE INDEX article_words_search ON article_words USING GIN (search);
