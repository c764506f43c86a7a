-- Which log of a load generator is a copy of a part of another one?
-- Each reading, result and time in it is in the other one, so many lines further. The first and the last line may be
-- cut, and what is gathered over a run may be less.
CREATE TABLE scratch.load_facts AS
SELECT f.content_id, c.host_id, f.topic, f.key, f.value, f.time_local, f.line
FROM raw_facts f JOIN contents c USING (content_id)
WHERE f.topic LIKE 'hammerdb%' AND f.line IS NOT NULL
  AND (f.key IN ('nopm', 'tpm', 'started', 'opened')
       OR f.time_local IS NOT NULL
          AND f.key NOT IN ('driver', 'ended', 'elapsed_seconds', 'elapsed_resolution_s', 'virtual_users',
                            'users_finished', 'users_failed', 'errors'));

CREATE TABLE scratch.load_shifts AS
WITH firsts AS (
    SELECT content_id, host_id, topic, key, value, time_local, min(line) AS line
    FROM scratch.load_facts GROUP BY ALL
),
sizes AS (
    SELECT content_id, count(*) AS n FROM scratch.load_facts GROUP BY content_id
),
shifts AS (
    SELECT short.content_id AS short, long.content_id AS long, long.line - short.line AS shift, count(*) AS agreeing
    FROM firsts short
    JOIN firsts long
      ON short.content_id <> long.content_id AND long.topic = short.topic AND long.key = short.key
     AND long.value = short.value AND long.time_local IS NOT DISTINCT FROM short.time_local
     AND (short.host_id IS NULL OR long.host_id IS NULL OR short.host_id = long.host_id)
    JOIN sizes s ON s.content_id = short.content_id
    JOIN sizes l ON l.content_id = long.content_id
    WHERE (s.n, s.content_id) < (l.n, l.content_id)
    GROUP BY ALL
)
SELECT short, long, arg_max(shift, agreeing) AS shift FROM shifts GROUP BY short, long;

INSERT INTO superseded
WITH ends AS (
    SELECT content_id, min(line) AS first_line, max(line) AS last_line FROM scratch.load_facts GROUP BY content_id
),
copies AS (
    SELECT p.short, p.long
    FROM scratch.load_shifts p
    JOIN scratch.load_facts s ON s.content_id = p.short
    JOIN ends e ON e.content_id = p.short
    LEFT JOIN (SELECT DISTINCT content_id, topic, key, value, time_local, line FROM scratch.load_facts) l
      ON l.content_id = p.long AND l.line = s.line + p.shift AND l.topic = s.topic AND l.key = s.key
     AND l.value = s.value AND l.time_local IS NOT DISTINCT FROM s.time_local
    GROUP BY p.short, p.long
    HAVING count(l.content_id) > 0
       AND bool_and(l.content_id IS NOT NULL OR s.line IN (e.first_line, e.last_line))
)
SELECT short, min(long) FROM copies GROUP BY short;

DROP TABLE scratch.load_shifts;
DROP TABLE scratch.load_facts;
