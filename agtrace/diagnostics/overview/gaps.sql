-- Where did a perfmon log not write for a while?
-- A gap is a step of more than $factor median steps in which more than two rows are missing.
WITH steps AS (
    SELECT content_id, lag(moment) OVER w AS gap_from, moment AS gap_to, epoch(moment) - epoch(lag(moment) OVER w) AS step_s
    FROM (SELECT content_id, tick, coalesce(time, time_local AT TIME ZONE 'UTC') AS moment FROM ticks)
    WINDOW w AS (PARTITION BY content_id ORDER BY tick)
),
medians AS (
    SELECT content_id, median(step_s) AS interval_s FROM steps WHERE step_s > 0 GROUP BY content_id
)
SELECT c.path, coalesce(c.host_id, '') AS host, s.content_id, s.gap_from, s.gap_to, m.interval_s,
       s.step_s - m.interval_s AS missing_s, round(s.step_s / m.interval_s)::BIGINT - 1 AS missing_rows
FROM steps s
JOIN medians m USING (content_id)
JOIN (SELECT content_id, min(path) AS path, min(host_id) AS host_id
      FROM captures WHERE superseded_by IS NULL GROUP BY ALL) c USING (content_id)
WHERE s.step_s > $factor * m.interval_s AND missing_rows > 2
ORDER BY host, c.path, s.gap_from;
