-- Videos, audits, their segments and findings, and what people decided.

CREATE TABLE videos (
    sha256     TEXT PRIMARY KEY,
    json       TEXT NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE audits (
    id           TEXT PRIMARY KEY,
    video_sha256 TEXT NOT NULL,
    title        TEXT NOT NULL,
    path         TEXT NOT NULL,
    facts        TEXT NOT NULL,
    as_of        TEXT NOT NULL,
    state        TEXT NOT NULL,
    error        TEXT NOT NULL DEFAULT '',
    result       TEXT,
    created_at   INTEGER NOT NULL,
    updated_at   INTEGER NOT NULL,
    deleted_at   INTEGER
) STRICT;
CREATE INDEX audits_by_video ON audits (video_sha256);
CREATE INDEX audits_by_time ON audits (created_at);

CREATE TABLE segments (
    audit_id TEXT NOT NULL REFERENCES audits (id) ON DELETE CASCADE,
    seq      INTEGER NOT NULL,
    id       TEXT NOT NULL,
    source   TEXT NOT NULL,
    start_ms INTEGER NOT NULL,
    end_ms   INTEGER NOT NULL,
    text     TEXT NOT NULL,
    json     TEXT NOT NULL,
    PRIMARY KEY (audit_id, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE findings (
    audit_id TEXT NOT NULL REFERENCES audits (id) ON DELETE CASCADE,
    seq      INTEGER NOT NULL,
    id       TEXT NOT NULL,
    category TEXT NOT NULL,
    citation TEXT NOT NULL,
    severity TEXT NOT NULL,
    status   TEXT NOT NULL,
    start_ms INTEGER NOT NULL,
    json     TEXT NOT NULL,
    PRIMARY KEY (audit_id, seq)
) STRICT, WITHOUT ROWID;

-- Decisions are a record: they are added to, never changed, and they go only
-- when a person deletes the whole audit for good.
CREATE TABLE decisions (
    seq        INTEGER PRIMARY KEY AUTOINCREMENT,
    audit_id   TEXT NOT NULL REFERENCES audits (id) ON DELETE CASCADE,
    finding_id TEXT NOT NULL,
    json       TEXT NOT NULL,
    at         INTEGER NOT NULL
) STRICT;
CREATE INDEX decisions_by_audit ON decisions (audit_id, seq);
CREATE TRIGGER decisions_unchanged BEFORE UPDATE ON decisions
BEGIN
    SELECT raise(ABORT, 'a decision is never changed');
END;
CREATE TRIGGER decisions_kept BEFORE DELETE ON decisions
WHEN EXISTS (SELECT 1 FROM audits WHERE id = old.audit_id)
BEGIN
    SELECT raise(ABORT, 'a decision is never deleted by itself');
END;

-- What a stage made of some content, so that a second run starts where the
-- first one stopped.
CREATE TABLE stages (
    content    TEXT NOT NULL,
    stage      TEXT NOT NULL,
    params     TEXT NOT NULL,
    model      TEXT NOT NULL,
    json       TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (content, stage, params, model)
) STRICT;

CREATE TABLE settings (
    key  TEXT PRIMARY KEY,
    json TEXT NOT NULL
) STRICT;

CREATE TABLE profiles (
    name TEXT PRIMARY KEY,
    json TEXT NOT NULL
) STRICT;
