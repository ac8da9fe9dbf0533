-- The tasks of a host by themselves: a worker takes the first few of each, however many wait (verbs/links.py).

CREATE INDEX task_host ON task (host, priority DESC, ready, link);

-- Muted articles are few: what is not muted is found by leaving these out.
CREATE INDEX article_muted ON article (place, id) WHERE muted <> 0;
