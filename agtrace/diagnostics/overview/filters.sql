-- Which anti-virus filters watch which drives of each host? Altitudes 320000 to 329999 are theirs.
WITH instances AS (
    SELECT f.host_id AS host, f.capture_id, f.content_id, f.item, min(f.line) AS line,
           max(f.value) FILTER (f.key = 'filter') AS filter,
           upper(max(f.value) FILTER (f.key = 'volume')) AS volume,
           try_cast(max(f.value) FILTER (f.key = 'altitude') AS DOUBLE) AS altitude
    FROM facts f
    WHERE f.topic = 'filter_instance' AND f.host_id IS NOT NULL
    GROUP BY ALL
)
SELECT i.host, i.filter, i.volume, min(i.altitude) AS altitude, min(coalesce(c.path, i.content_id)) AS path,
       arg_min(i.line, coalesce(c.path, i.content_id)) AS line
FROM instances i
LEFT JOIN captures c USING (capture_id)
WHERE i.altitude >= 320000 AND i.altitude < 330000 AND regexp_full_match(i.volume, '[A-Z]:')
GROUP BY i.host, i.filter, i.volume
ORDER BY ALL;
