-- Which files were read, although no relation and no fact comes from them? Rows of a view that counts since the start
-- need a second snapshot; others are of views that no question asks for.
WITH used AS (
    /* relations */
    UNION ALL SELECT content_id FROM facts WHERE topic NOT IN ('file', 'event_log')
    UNION ALL SELECT content_id FROM errorlog
),
tables AS (
    SELECT h.content_id, h.rowset, list_transform(h.columns, lambda c: lower(c)) AS names, h.columns, count(r.line) AS n
    FROM rowset_heads h LEFT JOIN rowset_rows r USING (content_id, rowset)
    GROUP BY ALL
)
SELECT c.path, list_slice(arg_min(t.columns, t.rowset), 1, 4) AS names, sum(t.n) AS n,
       bool_or(list_has_any(t.names, ['wait_time_ms', 'io_stall_read_ms', 'iostallreadms', 'numberreads', 'num_of_reads'])) AS is_cumulative
FROM captures c JOIN tables t USING (content_id)
WHERE c.status = 'ingested' AND c.superseded_by IS NULL AND c.content_id NOT IN (SELECT content_id FROM used)
GROUP BY c.path
ORDER BY c.path
