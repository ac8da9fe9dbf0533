-- Confirmed mail addresses, mail that was sent (for rate limits), and recipients who want none.

ALTER TABLE target ADD COLUMN confirmed {int} NOT NULL DEFAULT 0;
UPDATE target SET confirmed = 1 WHERE kind <> 'mail' OR person = 'local'
    OR person IN (SELECT 'person ' || id FROM person WHERE admin = 1);

CREATE TABLE mail_log (
    person {key} NOT NULL,
    address {key} NOT NULL, -- lower case
    is_confirmation {int} NOT NULL,
    sent {int} NOT NULL
){strict};
CREATE INDEX mail_log_sent ON mail_log (sent);

CREATE TABLE mail_blocked (
    address {key} NOT NULL PRIMARY KEY, -- lower case
    blocked {int} NOT NULL
){strict};
