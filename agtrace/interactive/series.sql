-- Which series are there, each once, in how many captures, over which span?
SELECT any_value(coalesce(c.host_id, c.host)) AS host_id, c.sql_instance,
       coalesce(c.object, c.object_written) AS object, c.instance,
       coalesce(c.counter, c.counter_written) AS counter, any_value(c.unit) AS unit, count(*) AS captures,
       min(a.first_time) AS first_time, max(a.last_time) AS last_time,
       min(a.first_local) AS first_local, max(a.last_local) AS last_local
FROM counters c SEMI JOIN wanted_series USING (counter_id)
JOIN contents o USING (content_id) JOIN captures a ON a.capture_id = o.capture_id
GROUP BY coalesce(c.host_id, c.host), c.sql_instance, coalesce(c.object, c.object_written), c.instance,
         coalesce(c.counter, c.counter_written)
ORDER BY object, counter, 1, c.sql_instance, c.instance
