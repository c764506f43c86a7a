-- Which rows stand in local time only, because no offset from UTC is known for them?
SELECT c.path, coalesce(u.host_id, '') AS host, if(u.source = 'perfmon', 'perfmon rows', 'ERRORLOG entries') AS what,
       u.rows AS total, u.unknown, u.first_local, u.last_local
FROM unknown_offsets u
JOIN (SELECT content_id, min(path) AS path FROM captures GROUP BY ALL) c USING (content_id)
ORDER BY host, c.path;
