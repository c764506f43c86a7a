-- Which offset from UTC holds for which stretch of which capture, and who says so?
SELECT c.path, c.host_id AS host, k.offset_minutes, k.source, k.confidence,
       greatest(k.local_from, c.first_local) AS local_from, least(k.local_to, c.last_local) AS local_to
FROM clocks k JOIN captures c USING (capture_id)
ORDER BY host NULLS LAST, c.path, k.local_from;
