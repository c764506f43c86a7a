-- Where does a row of a perfmon log stand before the row that was written earlier?
-- An hour back in local time of an unknown zone is the end of daylight saving, not a fault.
WITH steps AS (
    SELECT content_id, time IS NULL AS is_local, lag(moment) OVER w AS before,
           epoch(lag(moment) OVER w) - epoch(moment) AS back_s
    FROM (SELECT content_id, tick, time, coalesce(time, time_local AT TIME ZONE 'UTC') AS moment FROM ticks)
    WINDOW w AS (PARTITION BY content_id ORDER BY tick)
)
SELECT c.path, coalesce(c.host_id, '') AS host, s.before, s.back_s
FROM steps s
JOIN (SELECT content_id, min(path) AS path, min(host_id) AS host_id
      FROM captures WHERE superseded_by IS NULL GROUP BY ALL) c USING (content_id)
WHERE s.back_s > 0 AND NOT (s.is_local AND s.back_s BETWEEN 3000 AND 3600)
ORDER BY host, c.path, s.before;
