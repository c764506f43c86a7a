-- How far was the local time of each host from UTC, and in which stretch of which capture?
-- What is in UTC by its format says nothing of the local time of its host.
SELECT DISTINCT a.host_id, k.local_from, k.local_to, k.offset_minutes, a.first_local, a.last_local
FROM clocks k JOIN captures a USING (capture_id)
WHERE a.host_id IS NOT NULL AND k.source <> $by_format
