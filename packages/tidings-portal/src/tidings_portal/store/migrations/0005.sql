-- What is counted of visitors for a while, where several processes serve (web/counters.py). A name is a digest.

CREATE TABLE counter (
    space {key} NOT NULL,
    name {key} NOT NULL,
    number {int} NOT NULL, -- in millionths
    written {int} NOT NULL,
    PRIMARY KEY (space, name)
){strict};
CREATE INDEX counter_written ON counter (space, written);
