-- What do the logs of support tools say of the collection?
-- null: tool_version, scenarios
SELECT c.path, max(l.tool_version) AS tool_version, max(l.scenarios) AS scenarios
FROM collections l JOIN captures c USING (capture_id)
GROUP BY c.path
ORDER BY c.path;
