-- The first form of the store. Written once for both databases: what stands in braces is each one's own name for it.
-- Times are microseconds since 1970 in UTC; a place is a time and a number in one (clock.py).

CREATE TABLE setting (
    name {key} PRIMARY KEY,
    value {text} NOT NULL
){strict};

-- Where links come from ------------------------------------------------------------------------------------------

CREATE TABLE source (
    id {id},
    address {text} NOT NULL,
    address_key {key} NOT NULL UNIQUE,
    kind {text} NOT NULL,
    title {text} NOT NULL,
    folder {text} NOT NULL,
    language {text} NOT NULL,
    interval_wanted {int},
    credentials {text} NOT NULL,
    muted {int} NOT NULL,
    added {int} NOT NULL,
    next_poll {int} NOT NULL,
    pace {int} NOT NULL,
    etag {text} NOT NULL DEFAULT '',
    last_modified {text} NOT NULL DEFAULT '',
    last_try {int},
    last_success {int},
    failures {int} NOT NULL DEFAULT 0,
    state {text} NOT NULL DEFAULT 'new',
    problem {text} NOT NULL DEFAULT '',
    gone {int} NOT NULL DEFAULT 0,
    leased_until {int} NOT NULL DEFAULT 0,
    worker {text} NOT NULL DEFAULT ''
){strict};
CREATE INDEX source_due ON source (gone, next_poll);

-- Links seen, by which sources, and those still to fetch -----------------------------------------------------------

CREATE TABLE link (
    id {id},
    address {text} NOT NULL,
    guid {text} NOT NULL,
    title {text} NOT NULL,
    summary {text} NOT NULL,
    category {text} NOT NULL,
    author {text} NOT NULL,
    published {int},
    to_verify {int} NOT NULL,
    priority {int} NOT NULL,
    first_seen {int} NOT NULL,
    last_seen {int} NOT NULL,
    state {key} NOT NULL,
    problem {text} NOT NULL DEFAULT '',
    article {int}
){strict};
CREATE INDEX link_state ON link (state, last_seen);
CREATE INDEX link_article ON link (article);

CREATE TABLE link_key (
    name {key} PRIMARY KEY,
    link {int} NOT NULL REFERENCES link (id) ON DELETE CASCADE
){strict};
CREATE INDEX link_key_link ON link_key (link);

CREATE TABLE link_source (
    link {int} NOT NULL REFERENCES link (id) ON DELETE CASCADE,
    source {int} NOT NULL REFERENCES source (id) ON DELETE CASCADE,
    first_seen {int} NOT NULL,
    last_seen {int} NOT NULL,
    PRIMARY KEY (link, source)
){strict};
CREATE INDEX link_source_source ON link_source (source, link);

CREATE TABLE task (
    link {int} PRIMARY KEY REFERENCES link (id) ON DELETE CASCADE,
    host {key} NOT NULL,
    priority {int} NOT NULL,
    ready {int} NOT NULL, -- when it may be taken: at its next try, or when its lease has run out
    lease {int} NOT NULL DEFAULT 0,
    worker {key} NOT NULL DEFAULT '', -- empty: leased to nobody
    attempts {int} NOT NULL DEFAULT 0,
    problem {text} NOT NULL DEFAULT ''
){strict};
CREATE INDEX task_ready ON task (priority DESC, ready, link);
CREATE INDEX task_worker ON task (worker);

CREATE TABLE host (
    name {key} PRIMARY KEY,
    free_at {int} NOT NULL
){strict};

-- Articles -----------------------------------------------------------------------------------------------------

CREATE TABLE story (
    id {id},
    place {int} UNIQUE,
    title {text} NOT NULL DEFAULT '',
    summary {text} NOT NULL DEFAULT '',
    language {key} NOT NULL DEFAULT '',
    category {text} NOT NULL DEFAULT '',
    category_key {key} NOT NULL DEFAULT '',
    first_time {int} NOT NULL DEFAULT 0,
    last_time {int} NOT NULL DEFAULT 0,
    size {int} NOT NULL DEFAULT 0,
    sites {int} NOT NULL DEFAULT 0,
    followers {int} NOT NULL DEFAULT 0,
    image {text} NOT NULL DEFAULT '',
    merged_into {int} REFERENCES story (id)
){strict};
CREATE INDEX story_category ON story (category_key, place);
CREATE INDEX story_language ON story (language, place);

CREATE TABLE article (
    id {id},
    place {int} UNIQUE,
    address {text} NOT NULL DEFAULT '',
    site {key} NOT NULL DEFAULT '',
    site_name {text} NOT NULL DEFAULT '',
    title {text} NOT NULL DEFAULT '',
    language {key} NOT NULL DEFAULT '',
    direction {text} NOT NULL DEFAULT 'ltr',
    authors {text} NOT NULL DEFAULT '[]',
    published {int},
    first_seen {int} NOT NULL,
    time {int} NOT NULL DEFAULT 0,
    category {text} NOT NULL DEFAULT '',
    category_key {key} NOT NULL DEFAULT '',
    summary {text} NOT NULL DEFAULT '',
    image {text} NOT NULL DEFAULT '',
    kind {text} NOT NULL DEFAULT '',
    word_count {int} NOT NULL DEFAULT 0,
    story {int} REFERENCES story (id),
    reads {int} NOT NULL DEFAULT 0,
    muted {int} NOT NULL DEFAULT 0,
    current {int},
    versions {int} NOT NULL DEFAULT 0
){strict};
CREATE INDEX article_category ON article (category_key, place);
CREATE INDEX article_language ON article (language, place);
CREATE INDEX article_site ON article (site, place);
CREATE INDEX article_story ON article (story, place);

CREATE TABLE version (
    id {id},
    article {int} NOT NULL REFERENCES article (id) ON DELETE CASCADE,
    number {int} NOT NULL,
    hash {key} NOT NULL,
    maker {text} NOT NULL,
    extracted {int} NOT NULL,
    page {key},
    body {bytes} NOT NULL, -- the article as JSON, compressed
    UNIQUE (article, number)
){strict};
CREATE INDEX version_page ON version (page);

CREATE TABLE article_author (
    author {key} NOT NULL,
    article {int} NOT NULL REFERENCES article (id) ON DELETE CASCADE,
    place {int} NOT NULL,
    name {text} NOT NULL,
    PRIMARY KEY (article, author)
){strict};
CREATE INDEX article_author_author ON article_author (author, place);

CREATE TABLE article_source (
    source {int} NOT NULL REFERENCES source (id) ON DELETE CASCADE,
    article {int} NOT NULL REFERENCES article (id) ON DELETE CASCADE,
    place {int} NOT NULL,
    PRIMARY KEY (article, source)
){strict};
CREATE INDEX article_source_source ON article_source (source, place);

-- Pages as they were sent, each once ---------------------------------------------------------------------------------

CREATE TABLE page (
    hash {key} PRIMARY KEY,
    address {text} NOT NULL,
    fetched {int} NOT NULL,
    content_type {text} NOT NULL,
    size {int} NOT NULL,
    stored {int} NOT NULL,
    content {bytes} NOT NULL -- compressed
){strict};
CREATE INDEX page_fetched ON page (fetched, hash, stored);

-- Readers --------------------------------------------------------------------------------------------------------

CREATE TABLE follower (
    story {int} NOT NULL REFERENCES story (id) ON DELETE CASCADE,
    person {key} NOT NULL,
    since {int} NOT NULL,
    PRIMARY KEY (story, person)
){strict};

CREATE TABLE reading (
    day {int} NOT NULL, -- since 1970
    article {int} NOT NULL REFERENCES article (id) ON DELETE CASCADE,
    reads {int} NOT NULL,
    PRIMARY KEY (day, article)
){strict};
CREATE INDEX reading_article ON reading (article);

CREATE TABLE saved (
    person {key} NOT NULL,
    article {int} NOT NULL REFERENCES article (id) ON DELETE CASCADE,
    at {int} NOT NULL,
    PRIMARY KEY (person, article)
){strict};
CREATE INDEX saved_article ON saved (article);

CREATE TABLE mute (
    id {id},
    query {text} NOT NULL,
    reason {text} NOT NULL,
    until {int}
){strict};

-- What other parts remember --------------------------------------------------------------------------------------

CREATE TABLE signature (
    article {int} PRIMARY KEY REFERENCES article (id) ON DELETE CASCADE,
    value {bytes} NOT NULL
){strict};

CREATE TABLE remembered (
    space {key} NOT NULL,
    name {key} NOT NULL,
    value {bytes} NOT NULL,
    version {int} NOT NULL,
    changed {int} NOT NULL,
    PRIMARY KEY (space, name)
){strict};

-- Words ----------------------------------------------------------------------------------------------------------
