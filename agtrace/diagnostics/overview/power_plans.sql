-- Which power plan did each snapshot of a host show: its name, and its GUID where that is written?
-- null: plan, guid, line
SELECT p.host_id AS host, p.plan, p.guid, coalesce(c.path, p.content_id) AS path, p.line
FROM power_plans p
LEFT JOIN captures c USING (capture_id)
WHERE p.host_id IS NOT NULL
ORDER BY host, path;
