-- Where does an entry of an ERRORLOG have an earlier time than the one written before it, and which entries before it
-- carry later times than it has?
-- null: last_right, first_line, end_line, first_ahead
WITH files AS (
    SELECT content_id, min(path) AS path, min(host_id) AS host_id
    FROM captures WHERE superseded_by IS NULL AND reader = 'errorlog' GROUP BY content_id
),
kept AS (
    SELECT content_id, line, before_local AS before, after_local AS time_local, back_s
    FROM clock_steps WHERE source = 'ERRORLOG'
),
ordered AS (
    SELECT content_id, line, time_local
    FROM log_entries
    WHERE source = 'ERRORLOG' AND time_local IS NOT NULL AND content_id IN (SELECT content_id FROM kept)
),
-- The last entry before the step that is not later than the one behind it: what follows it was written with the clock ahead.
bounds AS (
    SELECT k.content_id, k.line, max(o.line) AS last_line, max_by(o.time_local, o.line) AS last_right
    FROM kept k JOIN ordered o ON o.content_id = k.content_id AND o.line < k.line AND o.time_local <= k.time_local
    GROUP BY ALL
)
SELECT f.path, coalesce(f.host_id, '') AS host, k.line, k.before, k.time_local AS after, k.back_s, b.last_right,
       min(o.line) AS first_line, max(o.line) AS end_line, min_by(o.time_local, o.line) AS first_ahead, count(o.line) AS ahead
FROM kept k
JOIN files f USING (content_id)
LEFT JOIN bounds b USING (content_id, line)
LEFT JOIN ordered o ON o.content_id = k.content_id AND o.line > b.last_line AND o.line < k.line
GROUP BY ALL
ORDER BY host, f.path, k.line;
