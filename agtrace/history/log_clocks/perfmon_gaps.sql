-- Where did a perfmon log not write for a while?
-- A gap is a step of more than $factor median steps in which more than two rows are missing. It is filled where
-- another log with most of the counters wrote all the time.
WITH steps AS (
    SELECT content_id, lag(moment) OVER w AS gap_from, moment AS gap_to, epoch(moment) - epoch(lag(moment) OVER w) AS step_s
    FROM (SELECT content_id, tick, coalesce(time, time_local AT TIME ZONE 'UTC') AS moment FROM ticks)
    WINDOW w AS (PARTITION BY content_id ORDER BY tick)
),
medians AS (
    SELECT content_id, median(step_s) AS interval_s FROM steps WHERE step_s > 0 GROUP BY content_id
),
gaps AS (
    SELECT s.content_id, s.gap_from, s.gap_to, m.interval_s,
           s.step_s - m.interval_s AS missing_s, round(s.step_s / m.interval_s)::BIGINT - 1 AS missing_rows
    FROM steps s
    JOIN medians m USING (content_id)
    WHERE s.step_s > $factor * m.interval_s AND missing_rows > 2
),
sizes AS (
    SELECT content_id, count(*) AS n FROM counters GROUP BY content_id
),
others AS (
    SELECT a.content_id, b.content_id AS other
    FROM counters a
    JOIN counters b
      ON a.content_id <> b.content_id AND a.host_id IS NOT DISTINCT FROM b.host_id AND a.object = b.object
     AND a.instance IS NOT DISTINCT FROM b.instance AND a.counter = b.counter
    JOIN sizes n ON n.content_id = a.content_id
    WHERE a.content_id IN (SELECT content_id FROM gaps)
    GROUP BY a.content_id, b.content_id, n.n
    HAVING count(*) > 0.5 * n.n
),
filled AS (
    SELECT g.content_id, g.gap_from
    FROM gaps g
    JOIN others o USING (content_id)
    JOIN medians m ON m.content_id = o.other
    JOIN steps s ON s.content_id = o.other AND s.gap_to > g.gap_from AND s.gap_from < g.gap_to
    GROUP BY g.content_id, g.gap_from, g.gap_to, o.other, m.interval_s
    HAVING max(s.step_s) <= $factor * m.interval_s
       AND epoch(min(s.gap_from)) <= epoch(g.gap_from) + m.interval_s
       AND epoch(max(s.gap_to)) >= epoch(g.gap_to) - m.interval_s
)
SELECT c.host_id, g.content_id, g.gap_from AS start, g.gap_to AS "end", g.interval_s, g.missing_s, g.missing_rows
FROM gaps g
JOIN (SELECT content_id, min(host_id) AS host_id FROM captures WHERE superseded_by IS NULL GROUP BY content_id) c USING (content_id)
ANTI JOIN filled f ON f.content_id = g.content_id AND f.gap_from = g.gap_from
ORDER BY c.host_id, g.content_id, g.gap_from
