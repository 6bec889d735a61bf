-- The user's own papers. Their passages are those of the corpus "documents"
-- with the document's id as their source.

CREATE TABLE documents (
    id          TEXT PRIMARY KEY,
    sha256      TEXT NOT NULL, -- of the file
    json        TEXT NOT NULL,
    imported_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
