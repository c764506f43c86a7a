-- Which of them did AlwaysOn_health keep, of hosts whose ERRORLOGs tell none?
INSERT INTO scratch.skew_connected
WITH kept AS (
    SELECT o.host_id, e._time AS time,
           list_sort(list_distinct(regexp_extract_all(upper(e.message), '[0-9A-F]{8}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{12}'))) AS ids
    FROM events_error_reported e
    JOIN contents o ON o.content_id = e._content_id
    WHERE e.error_number = 35202 AND o.host_id IS NOT NULL AND e._time IS NOT NULL
)
SELECT host_id, time, NULL, ids
FROM kept
WHERE len(ids) = 2 AND host_id NOT IN (SELECT host_id FROM scratch.skew_connected);
