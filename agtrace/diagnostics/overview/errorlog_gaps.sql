-- Where did a collector leave out the middle of an ERRORLOG, and between which entries?
SELECT c.path, coalesce(c.host_id, '') AS host, g.content_id,
       coalesce(g.start, g.start_local AT TIME ZONE 'UTC') AS gap_from,
       coalesce(g."end", g.end_local AT TIME ZONE 'UTC') AS gap_to, epoch(gap_to) - epoch(gap_from) AS missing_s
FROM (SELECT DISTINCT content_id, start, "end", start_local, end_local FROM log_gaps) g
JOIN (SELECT content_id, min(path) AS path, min(host_id) AS host_id
      FROM captures WHERE superseded_by IS NULL GROUP BY ALL) c USING (content_id)
WHERE missing_s >= 0
ORDER BY host, c.path, gap_from;
