-- An append-only log in which each entry carries the hash of the one before.

CREATE TABLE events (
    seq     INTEGER PRIMARY KEY AUTOINCREMENT,
    at      INTEGER NOT NULL,
    kind    TEXT NOT NULL,
    subject TEXT NOT NULL,
    json    TEXT NOT NULL,
    prev    TEXT NOT NULL,
    hash    TEXT NOT NULL
) STRICT;
CREATE TRIGGER events_unchanged BEFORE UPDATE ON events
BEGIN
    SELECT raise(ABORT, 'an event is never changed');
END;
CREATE TRIGGER events_kept BEFORE DELETE ON events
BEGIN
    SELECT raise(ABORT, 'an event is never deleted');
END;
