-- Of which hosts has a capture in local time no place in UTC?
SELECT DISTINCT coalesce(host_id, 'an unknown host') AS host_id
FROM captures
WHERE first_local IS NOT NULL AND first_time IS NULL AND superseded_by IS NULL
ORDER BY 1
