-- Where does a row of a perfmon log stand before the row that was written earlier?
SELECT c.path, coalesce(s.host_id, '') AS host, coalesce(s.before, s.before_local AT TIME ZONE 'UTC') AS before, s.back_s
FROM clock_steps s
JOIN (SELECT content_id, min(path) AS path FROM captures WHERE superseded_by IS NULL GROUP BY ALL) c USING (content_id)
WHERE s.source = 'perfmon'
ORDER BY host, c.path, before;
