-- What did any log write, when, and where does it stand?
SELECT time, time_local, host_id, 'ERRORLOG' AS source, content_id, line, concat_ws(' ', source, message) AS text
FROM errorlog
UNION ALL
SELECT time, time_local, host_id, 'cluster log', content_id, line, concat_ws(' ', level, text)
FROM cluster_log
UNION ALL
SELECT time, time_local, host_id, 'Windows event log', content_id, line,
    concat_ws(' ', level, source, CAST(event_id AS VARCHAR), message)
FROM os_events
