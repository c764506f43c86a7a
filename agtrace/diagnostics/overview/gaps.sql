-- Where did a perfmon log not write for a while?
SELECT c.path, coalesce(g.host_id, '') AS host, g.content_id, g.start AS gap_from, g."end" AS gap_to, g.interval_s,
       g.missing_s, g.missing_rows
FROM perfmon_gaps g
JOIN (SELECT content_id, min(path) AS path FROM captures WHERE superseded_by IS NULL GROUP BY ALL) c USING (content_id)
ORDER BY host, c.path, gap_from;
