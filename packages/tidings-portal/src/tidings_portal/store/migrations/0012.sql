-- What a reader's rules keep out of their lists, by which rule.

CREATE TABLE hidden (
    person {key} NOT NULL,
    article {int} NOT NULL REFERENCES article (id) ON DELETE CASCADE,
    rule {int} NOT NULL, -- 0: none
    PRIMARY KEY (person, article)
){strict};
CREATE INDEX hidden_article ON hidden (article);
