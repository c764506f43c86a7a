-- What is damaged, and how much of it?
SELECT path, severity, kind, message, sum("count")::BIGINT AS "count", min("offset") AS first_offset
FROM issues
GROUP BY path, severity, kind, message
ORDER BY CASE severity WHEN 'data_loss' THEN 0 WHEN 'warning' THEN 1 ELSE 2 END, path, first_offset, kind;
