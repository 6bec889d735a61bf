-- Passages and the two indexes over them. The words are stored once, in
-- passages; the full-text index is contentless.

CREATE TABLE sources (
    corpus TEXT NOT NULL,
    source TEXT NOT NULL,
    sha256 TEXT NOT NULL, -- over the passages: an unchanged source is not written again
    PRIMARY KEY (corpus, source)
) STRICT, WITHOUT ROWID;

CREATE TABLE passages (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    corpus       TEXT NOT NULL,
    source       TEXT NOT NULL,
    regulator    TEXT NOT NULL,
    kind         TEXT NOT NULL,
    citation     TEXT NOT NULL,
    parent_id    INTEGER NOT NULL,
    ord          INTEGER NOT NULL,
    sha256       TEXT NOT NULL, -- over what is indexed and embedded
    json         TEXT NOT NULL,
    indexed      INTEGER NOT NULL, -- 0 for a parent that is read and not searched
    vector_model TEXT NOT NULL DEFAULT '' -- which embedder its vectors come from
) STRICT;
CREATE INDEX passages_by_source ON passages (corpus, source, ord);
CREATE INDEX passages_by_vector ON passages (vector_model);
CREATE INDEX passages_by_parent ON passages (parent_id);

-- Which paragraphs a passage holds. own is 1 for the paragraph itself and 0
-- for each of its parents.
CREATE TABLE passage_citations (
    citation   TEXT NOT NULL,
    own        INTEGER NOT NULL,
    passage_id INTEGER NOT NULL REFERENCES passages (id) ON DELETE CASCADE,
    PRIMARY KEY (citation, own, passage_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX passage_citations_by_passage ON passage_citations (passage_id);

CREATE TABLE passage_meta (
    key        TEXT NOT NULL,
    value      TEXT NOT NULL,
    passage_id INTEGER NOT NULL REFERENCES passages (id) ON DELETE CASCADE,
    PRIMARY KEY (key, value, passage_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX passage_meta_by_passage ON passage_meta (passage_id);

-- Words are stemmed. A citation is one token (see cite.go), spelt so that the
-- stemmer leaves it alone.
CREATE VIRTUAL TABLE passages_fts USING fts5 (
    header, body, extra, cites,
    content = '', contentless_delete = 1,
    tokenize = "porter unicode61 remove_diacritics 2 tokenchars '_'"
);

-- One passage may have several vectors (its text, each of its triggers).
CREATE TABLE vectors (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    passage_id INTEGER NOT NULL REFERENCES passages (id) ON DELETE CASCADE
) STRICT;
CREATE INDEX vectors_by_passage ON vectors (passage_id);

-- The vectors' own table, vectors_vec, is made when the first ones are saved:
-- its dimension is the embedder's.
