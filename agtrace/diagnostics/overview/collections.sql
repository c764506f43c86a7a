-- What do the logs of support tools say of the collection?
SELECT c.path, max(f.value) FILTER (f.key = 'tool_version') AS tool_version,
       max(f.value) FILTER (f.key = 'scenarios') AS scenarios
FROM facts f JOIN captures c USING (capture_id)
WHERE f.topic = 'collection' AND f.key IN ('tool_version', 'scenarios')
GROUP BY c.path
ORDER BY c.path;
