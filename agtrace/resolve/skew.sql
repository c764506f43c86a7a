-- How far apart are the clocks of two hosts?
-- Both ends log "connection established" (35202) for each other within moments: the median of the
-- differences is the skew (positive: the first host's clock is ahead). Only ever between zones that
-- are known. When the pairs were logged, by the clock of the first host, is when its clock was so.
INSERT INTO skew
WITH meant AS (
    SELECT a.host_id AS host_id, b.host_id AS other_host_id, a.time AS time, date_diff('millisecond', b.time, a.time) AS ms
    FROM scratch.skew_connected a JOIN scratch.skew_connected b
      ON a.remote = b.host_id AND b.remote = a.host_id AND a.host_id < b.host_id
     AND a.time BETWEEN b.time - INTERVAL 30 SECONDS AND b.time + INTERVAL 30 SECONDS
    UNION ALL
    -- A session of Extended Events tells it in the server's language: the ids of the two replicas name it.
    SELECT a.host_id, b.host_id, a.time, date_diff('millisecond', b.time, a.time)
    FROM scratch.skew_connected a JOIN scratch.skew_connected b
      ON a.ids = b.ids AND a.host_id < b.host_id AND (a.remote IS NULL OR b.remote IS NULL)
     AND a.time BETWEEN b.time - INTERVAL 30 SECONDS AND b.time + INTERVAL 30 SECONDS
),
pairs AS (
    SELECT * FROM meant
    QUALIFY row_number() OVER (PARTITION BY host_id, other_host_id, time ORDER BY abs(ms)) = 1
)
SELECT host_id, other_host_id, median(ms), quantile_cont(ms, 0.75) - quantile_cont(ms, 0.25), count(*),
       'connection established (35202) logged by both', min(time), max(time)
FROM pairs GROUP BY host_id, other_host_id;
DROP TABLE scratch.skew_connected;
