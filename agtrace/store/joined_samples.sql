-- Which series is each value of a log of, where the rows of two logs may be masked?
SELECT c.counter_id, s.content_id, s.counter_no, s.tick, s.value
FROM raw_samples s JOIN counters c ON c.content_id = s.content_id AND c.counter_no = s.counter_no
