-- What somebody likes, besides language and look: the languages they read, the sections of their front page.

CREATE TABLE preference (
    person {key} NOT NULL,
    name {key} NOT NULL,
    value {text} NOT NULL,
    PRIMARY KEY (person, name)
){strict};
