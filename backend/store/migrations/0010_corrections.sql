-- What people corrected in transcripts. The machine's words stay where they are;
-- of the corrections of one line the last counts. Like decisions they are only
-- added to.
CREATE TABLE corrections (
    seq    INTEGER PRIMARY KEY AUTOINCREMENT,
    sha256 TEXT NOT NULL, -- of the video
    json   TEXT NOT NULL,
    at     INTEGER NOT NULL
) STRICT;
CREATE INDEX corrections_by_video ON corrections (sha256, seq);
CREATE TRIGGER corrections_unchanged BEFORE UPDATE ON corrections
BEGIN
    SELECT raise(ABORT, 'a correction is never changed');
END;
