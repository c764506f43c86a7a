-- What lies in the case? One row per file found, by host and time.
-- A log of several machines has no host of its own: its series name them.
-- null: kind, reader, reason, rows, bytes, content_id, host, host_source, first_time, last_time, first_local, last_local, shown_first, shown_last
SELECT c.path, c.kind, c.reader, c.status, c.reason, c.rows, c.bytes, c.capture_id, c.content_id,
       coalesce(c.host_id, (SELECT string_agg(DISTINCT s.host_id, ', ' ORDER BY s.host_id)
                            FROM counters s WHERE s.content_id = c.content_id)) AS host,
       c.host_source, c.first_time, c.last_time, c.first_local, c.last_local,
       -- A bar of the figure begins and ends here; local times stand in where the zone is unknown.
       coalesce(c.first_time, c.first_local AT TIME ZONE 'UTC') AS shown_first,
       coalesce(c.last_time, c.last_local AT TIME ZONE 'UTC') AS shown_last,
       c.first_local IS NOT NULL AND c.first_time IS NULL AS local_only,
       c.superseded_by IS NOT NULL AS superseded
FROM captures c
ORDER BY host NULLS LAST, shown_first NULLS LAST, c.path;
