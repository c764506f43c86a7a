-- Which anti-virus filters watch which drives of each host? Altitudes 320000 to 329999 are theirs.
-- null: line
SELECT i.host_id AS host, i.filter, i.volume, min(i.altitude) AS altitude, min(coalesce(c.path, i.content_id)) AS path,
       arg_min(i.line, coalesce(c.path, i.content_id)) AS line
FROM filter_drivers i
LEFT JOIN captures c USING (capture_id)
WHERE i.host_id IS NOT NULL AND i.altitude >= 320000 AND i.altitude < 330000 AND regexp_full_match(i.volume, '[A-Z]:')
GROUP BY i.host_id, i.filter, i.volume
ORDER BY ALL;
