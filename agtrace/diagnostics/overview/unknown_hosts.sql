-- Which captures were read, and nothing tells for certain which machine wrote them? An ERRORLOG among them is of a host
-- without a name.
-- null: why
WITH machines AS (
    SELECT count(*) AS n
    FROM (SELECT host_id FROM captures UNION SELECT host_id FROM counters)
    WHERE host_id IS NOT NULL
)
SELECT path, regexp_replace(host_source, '^placeholder: ', '') AS why, starts_with(host_source, 'placeholder') AS is_kept,
       m.n AS machines
FROM captures c, machines m
WHERE status = 'ingested' AND (host_id IS NULL OR starts_with(host_source, 'placeholder'))
  AND NOT EXISTS (FROM counters s WHERE s.content_id = c.content_id AND s.host_id IS NOT NULL)
ORDER BY path;
