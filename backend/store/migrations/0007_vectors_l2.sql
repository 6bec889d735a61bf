-- Vectors are kept at unit length and compared by their Euclidean distance,
-- which sqlite-vec computes several times faster than the cosine. Those of the
-- old index are made again when the passages are next embedded.
DROP TABLE IF EXISTS vectors_vec;
DELETE FROM vectors;
UPDATE passages SET vector_model = '' WHERE vector_model <> '';
DELETE FROM settings WHERE key = 'vectors';
