-- What was measured, in a case without masks? The join goes last and its right side has one row a key: a query that
-- names no time is planned without it.
CREATE OR REPLACE VIEW samples AS
SELECT s.counter_id, s.content_id, s.counter_no, s.tick, t.time_local, t.time, s.value
FROM (
/* numbered */
) s
LEFT JOIN (
    SELECT content_id, tick, any_value(time_local) AS time_local, any_value(time) AS time FROM ticks GROUP BY content_id, tick
) t ON t.content_id = s.content_id AND t.tick = s.tick;
