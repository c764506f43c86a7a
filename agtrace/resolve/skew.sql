-- How far apart are the clocks of two hosts?
-- Both ends log "connection established" (35202) for each other within moments: the median of the
-- differences is the skew (positive: the first host's clock is ahead). Only ever between zones that
-- are known. When the pairs were logged, by the clock of the first host, is when its clock was so.
INSERT INTO skew
WITH events AS (
    SELECT host_id, time, upper(split_part(split_part(map_extract_value(fields, 'replica'), '\', 1), '.', 1)) AS remote
    FROM messages
    WHERE topic = 'connection' AND message_id = 35202 AND time IS NOT NULL AND host_id IS NOT NULL
),
pairs AS (
    SELECT a.host_id AS host_id, b.host_id AS other_host_id, a.time AS time, date_diff('millisecond', b.time, a.time) AS ms
    FROM events a JOIN events b
      ON a.remote = b.host_id AND b.remote = a.host_id AND a.host_id < b.host_id
     AND a.time BETWEEN b.time - INTERVAL 30 SECONDS AND b.time + INTERVAL 30 SECONDS
    QUALIFY row_number() OVER (PARTITION BY a.host_id, b.host_id, a.time ORDER BY abs(ms)) = 1
)
SELECT host_id, other_host_id, median(ms), quantile_cont(ms, 0.75) - quantile_cont(ms, 0.25), count(*),
       'connection established (35202) logged by both', min(time), max(time)
FROM pairs GROUP BY host_id, other_host_id;
