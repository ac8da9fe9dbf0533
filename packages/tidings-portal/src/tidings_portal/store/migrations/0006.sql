-- Labels that a reader gives to articles; folders hold sources, labels hold articles.

CREATE TABLE label (
    person {key} NOT NULL,
    name {key} NOT NULL,
    article {int} NOT NULL REFERENCES article (id) ON DELETE CASCADE,
    PRIMARY KEY (person, name, article)
){strict};
CREATE INDEX label_article ON label (article);
