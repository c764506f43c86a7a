-- Which power plan did each look at a host show: its name, and its GUID where that is written?
SELECT f.host_id AS host, max(f.value) FILTER (f.key = 'active') AS plan,
       max(f.value) FILTER (f.key = 'guid') AS guid, coalesce(min(c.path), f.content_id) AS path, min(f.line) AS line
FROM facts f
LEFT JOIN captures c USING (capture_id)
WHERE f.topic = 'power_plan' AND f.host_id IS NOT NULL
GROUP BY f.host_id, f.capture_id, f.content_id, f.item
ORDER BY host, path;
