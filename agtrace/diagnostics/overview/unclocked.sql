-- Which rows stand in local time only, because no offset from UTC is known for them?
WITH stamped AS (
    SELECT content_id, 'perfmon rows' AS what, time_local, time FROM ticks
    UNION ALL
    SELECT content_id, 'ERRORLOG entries', time_local, time FROM errorlog
)
SELECT c.path, coalesce(c.host_id, '') AS host, s.what, count(*) AS total,
       count(*) FILTER (s.time IS NULL) AS unknown,
       min(s.time_local) FILTER (s.time IS NULL) AS first_local,
       max(s.time_local) FILTER (s.time IS NULL) AS last_local
FROM stamped s
JOIN (SELECT content_id, min(path) AS path, min(host_id) AS host_id FROM captures GROUP BY ALL) c USING (content_id)
GROUP BY ALL
HAVING unknown > 0
ORDER BY host, c.path;
