-- People: who they are, how they come in, and what each keeps. Where a column is called person it holds the opaque
-- name that Person.key makes of a number, or "local" for the one reader of a store without accounts.

CREATE TABLE person (
    id {id},
    name {text} NOT NULL,
    name_key {key} NOT NULL UNIQUE,
    password {text} NOT NULL, -- argon2, with its parameters and salt
    language {text} NOT NULL,
    theme {text} NOT NULL,
    admin {int} NOT NULL,
    created {int} NOT NULL
){strict};

-- Digests of what the browser or the program holds; from these nobody gets in.
CREATE TABLE login (
    id {id},
    owner {int} NOT NULL REFERENCES person (id) ON DELETE CASCADE,
    digest {key} NOT NULL UNIQUE,
    device {text} NOT NULL,
    created {int} NOT NULL,
    used {int} NOT NULL,
    expires {int} NOT NULL
){strict};
CREATE INDEX login_owner ON login (owner);
CREATE INDEX login_expires ON login (expires);

CREATE TABLE token (
    id {id},
    person {key} NOT NULL,
    digest {key} NOT NULL UNIQUE,
    beginning {text} NOT NULL,
    name {text} NOT NULL,
    scopes {text} NOT NULL,
    created {int} NOT NULL,
    used {int},
    expires {int},
    revoked {int}
){strict};
CREATE INDEX token_person ON token (person);

-- What is read: everything up to a number, and what differs from that.
CREATE TABLE read_up_to (
    person {key} PRIMARY KEY,
    article {int} NOT NULL
){strict};

CREATE TABLE read_mark (
    person {key} NOT NULL,
    article {int} NOT NULL REFERENCES article (id) ON DELETE CASCADE,
    is_read {int} NOT NULL,
    PRIMARY KEY (person, article)
){strict};
CREATE INDEX read_mark_article ON read_mark (article);

CREATE TABLE subscription (
    person {key} NOT NULL,
    source {int} NOT NULL REFERENCES source (id) ON DELETE CASCADE,
    folder {text} NOT NULL,
    title {text} NOT NULL,
    since {int} NOT NULL,
    PRIMARY KEY (person, source)
){strict};
CREATE INDEX subscription_source ON subscription (source);

CREATE TABLE author_follower (
    person {key} NOT NULL,
    author {key} NOT NULL,
    name {text} NOT NULL,
    since {int} NOT NULL,
    PRIMARY KEY (person, author)
){strict};
CREATE INDEX author_follower_author ON author_follower (author);

CREATE INDEX follower_person ON follower (person);
