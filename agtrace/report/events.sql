-- What happened to the groups and their servers, when?
SELECT time, host_id, kind, before, after, ag, replica, "database"
FROM timeline WHERE time IS NOT NULL ORDER BY ALL
