-- What did any log write, when by the clock of its host, and where does it stand?
SELECT time, time_local, host_id, 'ERRORLOG' AS source, content_id, line, concat_ws(' ', source, message) AS text
FROM errorlog
UNION ALL
SELECT time + to_microseconds(coalesce(ahead_us, 0)), time_local, host_id, 'cluster log', content_id, line, concat_ws(' ', level, text)
FROM cluster_log LEFT JOIN reference_clock USING (host_id)
UNION ALL
SELECT time + to_microseconds(coalesce(ahead_us, 0)), time_local, host_id, 'Windows event log', content_id, line,
    concat_ws(' ', level, source, CAST(event_id AS VARCHAR), message)
FROM os_events LEFT JOIN reference_clock USING (host_id)
