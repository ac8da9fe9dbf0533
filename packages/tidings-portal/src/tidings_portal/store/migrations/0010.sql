-- What an article is about (news/stories/topics.py; empty: nobody has looked yet), the news agency that wrote it, and the
-- article whose text it repeats.

ALTER TABLE article ADD COLUMN topic {key} NOT NULL DEFAULT '';
ALTER TABLE article ADD COLUMN agency {text} NOT NULL DEFAULT '';
ALTER TABLE article ADD COLUMN copy_of {int} REFERENCES article (id) ON DELETE SET NULL;
ALTER TABLE story ADD COLUMN topic {key} NOT NULL DEFAULT '';
CREATE INDEX article_topic ON article (topic, place);
CREATE INDEX article_copy ON article (copy_of, place) WHERE copy_of IS NOT NULL;
