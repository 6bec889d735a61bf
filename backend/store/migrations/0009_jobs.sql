-- The queue of audits to make: one row a job, in the order in which they are
-- done, for the command line and the window alike.
CREATE TABLE jobs (
    id         TEXT PRIMARY KEY,
    input      TEXT NOT NULL, -- a path or an address
    title      TEXT NOT NULL,
    request    TEXT NOT NULL, -- what is asked for besides, as JSON
    priority   INTEGER NOT NULL DEFAULT 0,
    place      INTEGER NOT NULL,
    state      TEXT NOT NULL,
    cut        INTEGER NOT NULL DEFAULT 0, -- how often its process ended before it did
    audit_id   TEXT NOT NULL DEFAULT '',
    problem    TEXT NOT NULL DEFAULT '',
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX jobs_by_order ON jobs (state, priority DESC, place);

-- Folders whose new files are queued, and the contents that were queued from
-- one: a file is taken once, under whatever name it comes back.
CREATE TABLE watched (
    folder     TEXT PRIMARY KEY,
    request    TEXT NOT NULL,
    created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE seen (
    sha256     TEXT PRIMARY KEY,
    path       TEXT NOT NULL,
    created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
