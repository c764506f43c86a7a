-- Where does an entry of an ERRORLOG have an earlier time than the one written before it, and which entries before it
-- carry later times than it has? An hour back is the end of daylight saving; a file that was sorted anew steps back all
-- the time; sessions that write at the same moment are some milliseconds out of order.
WITH files AS (
    SELECT content_id, min(path) AS path, min(host_id) AS host_id
    FROM captures WHERE superseded_by IS NULL AND reader = 'errorlog' GROUP BY content_id
),
ordered AS (
    SELECT e.content_id, e.line, e.time_local, lag(e.time_local) OVER w AS before, count(*) OVER (PARTITION BY e.content_id) AS entries
    FROM errorlog e SEMI JOIN files USING (content_id)
    WHERE e.time_local IS NOT NULL
    WINDOW w AS (PARTITION BY e.content_id ORDER BY e.line)
),
steps AS (
    SELECT *, epoch(before) - epoch(time_local) AS back_s, count(*) OVER (PARTITION BY content_id) AS steps
    FROM ordered
    WHERE epoch(before) - epoch(time_local) >= 60 AND NOT epoch(before) - epoch(time_local) BETWEEN 3000 AND 3660
),
kept AS (
    SELECT * FROM steps WHERE steps <= greatest(1, entries // 10)
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
