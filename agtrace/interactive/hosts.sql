-- Which hosts left captures, over which span? What no host is known of is a row of its own.
SELECT a.host_id, any_value(h.aliases) AS aliases, count(*) AS captures,
       list_sort(list(DISTINCT a.kind)) AS kinds, min(a.first_time) AS first_time, max(a.last_time) AS last_time,
       min(a.first_local) AS first_local, max(a.last_local) AS last_local, any_value(h.zone) AS zone
FROM captures a LEFT JOIN hosts h USING (host_id)
WHERE a.status = 'ingested'
GROUP BY a.host_id
ORDER BY a.host_id NULLS LAST
