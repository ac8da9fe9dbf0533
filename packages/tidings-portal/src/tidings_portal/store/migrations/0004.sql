-- What made a stage raise and was set aside, so that the rest of its batch goes on (quarantine.py). An item is the number
-- of an article, link or source as text, or an address where there is no number yet.

CREATE TABLE quarantine (
    stage {key} NOT NULL,
    kind {key} NOT NULL,
    item {key} NOT NULL,
    name {text} NOT NULL,
    reason {text} NOT NULL,
    version {key} NOT NULL, -- of the software that failed; empty: to be tried again
    since {int} NOT NULL,
    tried {int} NOT NULL,
    attempts {int} NOT NULL,
    PRIMARY KEY (stage, kind, item)
){strict};
CREATE INDEX quarantine_item ON quarantine (kind, item);
