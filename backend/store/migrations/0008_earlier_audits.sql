-- An audit of a work is compared with the last one of the same work: the same
-- file, the same address, or the same content under another name.
ALTER TABLE audits ADD COLUMN address TEXT NOT NULL DEFAULT '';
UPDATE audits SET address = coalesce(
    (SELECT json ->> 'source_url' FROM videos WHERE sha256 = audits.video_sha256), '');
CREATE INDEX audits_by_path ON audits (path, created_at);
CREATE INDEX audits_by_address ON audits (address, created_at) WHERE address <> '';
