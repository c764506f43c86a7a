-- On which drives of each host do files of databases lie, by their paths? Those of the system's databases are none
-- that a group replicates.
-- null: line
WITH heads AS (
    SELECT capture_id, rowset, list_position(names, 'physical_name') AS path_at,
           list_position(names, 'database_name') AS database_at
    FROM (SELECT capture_id, rowset, list_transform(columns, lambda c: lower(trim(c))) AS names FROM rowset_heads)
    WHERE list_contains(names, 'physical_name')
),
files AS (
    SELECT r.host_id AS host, r.capture_id, r.line, r.cells[h.path_at] AS file, r.cells[h.database_at] AS database
    FROM rowset_rows r JOIN heads h USING (capture_id, rowset)
    WHERE r.host_id IS NOT NULL
)
SELECT f.host, upper(left(f.file, 2)) AS volume, count(DISTINCT lower(f.file)) AS files,
       count(DISTINCT lower(f.database)) AS databases, min(coalesce(c.path, f.capture_id)) AS path,
       arg_min(f.line, coalesce(c.path, f.capture_id)) AS line
FROM files f
LEFT JOIN captures c USING (capture_id)
WHERE regexp_matches(f.file, '^[A-Za-z]:\\')
  AND lower(f.database) NOT IN ('master', 'model', 'msdb', 'tempdb', 'mssqlsystemresource', 'distribution')
GROUP BY f.host, volume
ORDER BY ALL;
