-- Which file of Extended Events is a copy of the beginning of another one?
-- A copy of a live file is a prefix of the later one: they begin with the same event of the same block of the
-- same session run.
INSERT INTO superseded
WITH heads AS (
    SELECT content_id, max(value) FILTER (key = 'session_run') AS session_run,
           max(value) FILTER (key = 'begins') AS begins,
           max(try_cast(value AS BIGINT)) FILTER (key = 'end') AS ends
    FROM raw_facts WHERE topic = 'xel_file' AND key IN ('session_run', 'begins', 'end')
    GROUP BY content_id
)
SELECT short.content_id, long.content_id
FROM heads short
JOIN heads long
  ON short.session_run = long.session_run AND short.begins = long.begins
 AND (short.ends, short.content_id) < (long.ends, long.content_id);
