-- Which files were found, and what became of each?
SELECT path, kind, host_id, first_time, last_time, first_local, last_local,
       "rows", bytes, status, reason, superseded_by IS NOT NULL AS is_superseded
FROM captures
ORDER BY host_id NULLS LAST, path
