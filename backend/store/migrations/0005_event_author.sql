-- Who did what an entry tells, and the process's own clock beside the wall
-- clock. Entries from before have neither, and keep the hash that they have.

ALTER TABLE events ADD COLUMN author TEXT NOT NULL DEFAULT '';
ALTER TABLE events ADD COLUMN mono INTEGER;
