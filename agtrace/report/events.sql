-- What happened to the groups and their servers, when?
SELECT time, host_id, kind, before, after, ag, replica, "database",
       list_distinct([w.host_id for w IN coalesce(witnesses, [])]) AS hosts
FROM timeline WHERE time IS NOT NULL ORDER BY ALL
