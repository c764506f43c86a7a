-- Which captures were read, and nothing tells for certain which machine wrote them?
SELECT path, host_source FROM captures c
WHERE status = 'ingested' AND host_id IS NULL
  AND NOT EXISTS (FROM counters s WHERE s.content_id = c.content_id AND s.host_id IS NOT NULL)
ORDER BY path;
