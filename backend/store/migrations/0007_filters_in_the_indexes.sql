-- What a search is narrowed to stands in both indexes, so that neither walks
-- what it will not give. facets holds the corpus, the kind, the regulator and
-- the citations, a token each (see cite.go); the words are indexed again by
-- migrate.go.
DROP TABLE passages_fts;
CREATE VIRTUAL TABLE passages_fts USING fts5 (
    header, body, extra, cites, facets,
    content = '', contentless_delete = 1,
    tokenize = "porter unicode61 remove_diacritics 2 tokenchars '_'"
);

-- Vectors are kept at unit length and compared by their Euclidean distance,
-- which sqlite-vec computes several times faster than the cosine; a copy stands
-- beside the index, where a few are compared without walking all. Those of the
-- old index are made again when the passages are next embedded.
DROP TABLE IF EXISTS vectors_vec;
DROP TABLE vectors;
CREATE TABLE vectors (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    passage_id INTEGER NOT NULL REFERENCES passages (id) ON DELETE CASCADE,
    embedding  BLOB NOT NULL
) STRICT;
CREATE INDEX vectors_by_passage ON vectors (passage_id);
UPDATE passages SET vector_model = '' WHERE vector_model <> '';
DELETE FROM settings WHERE key = 'vectors';
