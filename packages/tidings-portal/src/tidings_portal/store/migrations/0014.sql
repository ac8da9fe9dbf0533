-- Why an article has only the title and the teaser of its feed (a key of translations, or a status code; empty: it has
-- its text), and what a source last said of an item, so that a correction is noticed.

ALTER TABLE article ADD COLUMN teaser_reason {key} NOT NULL DEFAULT '';
ALTER TABLE link_source ADD COLUMN fingerprint {key} NOT NULL DEFAULT '';
CREATE INDEX article_teaser ON article (id) WHERE teaser_reason <> '';
