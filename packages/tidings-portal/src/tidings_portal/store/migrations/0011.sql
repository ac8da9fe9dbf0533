-- How a source is read, besides its recipe; rules of readers; where news is sent; hubs; who is known by others.

ALTER TABLE source ADD COLUMN takes_feed_text {int} NOT NULL DEFAULT 0;
ALTER TABLE source ADD COLUMN ignores_robots {int} NOT NULL DEFAULT 0;
ALTER TABLE source ADD COLUMN headers {text} NOT NULL DEFAULT ''; -- secret: cookies, keys
ALTER TABLE source ADD COLUMN proxy {text} NOT NULL DEFAULT ''; -- may hold a password

CREATE TABLE reader_rule (
    id {id},
    person {key} NOT NULL,
    source {int} REFERENCES source (id) ON DELETE CASCADE, -- none: all
    query {text} NOT NULL,
    effect {key} NOT NULL,
    value {text} NOT NULL,
    created {int} NOT NULL
){strict};
CREATE INDEX reader_rule_person ON reader_rule (person);

CREATE TABLE target (
    id {id},
    person {key} NOT NULL,
    kind {key} NOT NULL,
    name {text} NOT NULL,
    address {text} NOT NULL,
    secret {text} NOT NULL, -- what messages are signed with
    events {text} NOT NULL,
    query {text} NOT NULL, -- of articles that are told of; empty: all
    is_active {int} NOT NULL,
    sent {int} NOT NULL DEFAULT 0,
    last_sent {int},
    problem {text} NOT NULL DEFAULT '',
    created {int} NOT NULL
){strict};
CREATE INDEX target_person ON target (person);

CREATE TABLE delivery (
    id {id},
    target {int} NOT NULL REFERENCES target (id) ON DELETE CASCADE,
    event {key} NOT NULL,
    title {text} NOT NULL,
    body {text} NOT NULL,
    created {int} NOT NULL,
    next_try {int} NOT NULL,
    attempts {int} NOT NULL DEFAULT 0,
    is_aside {int} NOT NULL DEFAULT 0,
    problem {text} NOT NULL DEFAULT ''
){strict};
CREATE INDEX delivery_due ON delivery (is_aside, next_try);
CREATE INDEX delivery_target ON delivery (target);

-- Files that feeds bring besides: sound, video.
CREATE TABLE enclosure (
    link {int} NOT NULL REFERENCES link (id) ON DELETE CASCADE,
    place {int} NOT NULL,
    address {text} NOT NULL,
    media_type {text} NOT NULL,
    size {int},
    seconds {int},
    PRIMARY KEY (link, place)
){strict};

-- Hubs that tell when a feed has news (WebSub).
CREATE TABLE hub (
    source {int} PRIMARY KEY REFERENCES source (id) ON DELETE CASCADE,
    address {text} NOT NULL,
    topic {text} NOT NULL,
    secret {text} NOT NULL,
    asked {int}, -- when it was asked last
    expires {int}, -- until when it tells; none: it has not said so yet
    problem {text} NOT NULL DEFAULT ''
){strict};

-- Whom others know: a person by the name that an issuer has for them.
CREATE TABLE identity (
    issuer {key} NOT NULL,
    subject {key} NOT NULL,
    owner {int} NOT NULL REFERENCES person (id) ON DELETE CASCADE,
    PRIMARY KEY (issuer, subject)
){strict};
CREATE INDEX identity_owner ON identity (owner);
