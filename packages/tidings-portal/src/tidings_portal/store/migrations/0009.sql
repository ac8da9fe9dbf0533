-- What a reader writes beside an article. An article with a note, or with a label, stays as one that was saved does.

CREATE TABLE note (
    person {key} NOT NULL,
    article {int} NOT NULL REFERENCES article (id) ON DELETE CASCADE,
    text {text} NOT NULL,
    written {int} NOT NULL,
    PRIMARY KEY (person, article)
){strict};
CREATE INDEX note_article ON note (article);
