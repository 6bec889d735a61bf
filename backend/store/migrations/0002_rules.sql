-- Official texts with their citable paragraphs, and the rule cards.

CREATE TABLE texts (
    id          TEXT PRIMARY KEY,
    part        TEXT NOT NULL,
    as_of       TEXT NOT NULL,
    sha256      TEXT NOT NULL,
    json        TEXT NOT NULL,
    imported_at INTEGER NOT NULL
) STRICT;
CREATE INDEX texts_by_part ON texts (part, as_of);

CREATE TABLE rules (
    text_id  TEXT NOT NULL REFERENCES texts (id) ON DELETE CASCADE,
    ord      INTEGER NOT NULL,
    citation TEXT NOT NULL,
    parent   TEXT NOT NULL,
    json     TEXT NOT NULL,
    PRIMARY KEY (text_id, ord)
) STRICT, WITHOUT ROWID;
CREATE INDEX rules_by_citation ON rules (citation);
CREATE INDEX rules_by_parent ON rules (parent);

CREATE TABLE cards (
    source   TEXT NOT NULL,
    ord      INTEGER NOT NULL,
    citation TEXT NOT NULL,
    json     TEXT NOT NULL,
    PRIMARY KEY (source, ord)
) STRICT, WITHOUT ROWID;
CREATE INDEX cards_by_citation ON cards (citation);
