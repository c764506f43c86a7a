-- Where did a collector leave out the middle of an ERRORLOG, and between which entries?
SELECT c.path, coalesce(c.host_id, '') AS host, f.content_id,
       max(coalesce(f.time, f.time_local AT TIME ZONE 'UTC')) FILTER (f.key = 'from') AS gap_from,
       max(coalesce(f.time, f.time_local AT TIME ZONE 'UTC')) FILTER (f.key = 'to') AS gap_to,
       epoch(gap_to) - epoch(gap_from) AS missing_s
FROM facts f
JOIN (SELECT content_id, min(path) AS path, min(host_id) AS host_id
      FROM captures WHERE superseded_by IS NULL GROUP BY ALL) c USING (content_id)
WHERE f.topic = 'errorlog_gap'
GROUP BY c.path, c.host_id, f.content_id, f.item
HAVING missing_s >= 0
ORDER BY host, c.path, gap_from;
