-- What is damaged, and how much of it?
-- null: path, first_offset
SELECT path, severity, kind, message, sum("count")::BIGINT AS times, min("offset") AS first_offset
FROM issues
GROUP BY path, severity, kind, message
ORDER BY CASE severity WHEN 'data_loss' THEN 0 WHEN 'warning' THEN 1 ELSE 2 END, path, first_offset, kind;
