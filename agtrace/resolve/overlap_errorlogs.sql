-- Which ERRORLOG is a copy of the beginning of another one?
INSERT INTO superseded
WITH heads AS (
    SELECT a.content_id, a.host_id, a.first_entry, a.entries
    FROM captures a JOIN contents USING (capture_id) WHERE a.first_entry IS NOT NULL
)
SELECT short.content_id, long.content_id
FROM heads short
JOIN heads long
  ON short.first_entry = long.first_entry AND short.host_id IS NOT DISTINCT FROM long.host_id
 AND (short.entries, short.content_id) < (long.entries, long.content_id)
-- The last entry of the shorter one may have been cut while the server wrote it.
WHERE NOT EXISTS (
    FROM (SELECT row_number() OVER (ORDER BY line) AS n, time_local, source, message
          FROM raw_errorlog WHERE content_id = short.content_id) a
    JOIN (SELECT row_number() OVER (ORDER BY line) AS n, time_local, source, message
          FROM raw_errorlog WHERE content_id = long.content_id) b USING (n)
    WHERE a.n < short.entries
      AND (a.time_local, a.source, a.message) IS DISTINCT FROM (b.time_local, b.source, b.message)
);
