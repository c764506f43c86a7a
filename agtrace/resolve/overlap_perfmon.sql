-- Which samples of a perfmon log does a better log hold, too?
-- The finer interval wins, then binary over text, then the earlier start, then the content id.

-- Intervals within a quarter of each other are equal: no timer is exact.
CREATE TABLE scratch.perfmon_logs AS
SELECT a.content_id, a.host_id, a.first_local, a.last_local, (a.interval_s * 1e6)::BIGINT AS interval_us,
       row_number() OVER (ORDER BY round(ln(a.interval_s) / ln(1.25)), a.reader NOT LIKE '%blg%',
                                   a.first_local, a.content_id) AS preference
FROM captures a JOIN contents USING (capture_id) WHERE a.interval_s > 0;

CREATE TABLE scratch.perfmon_pairs AS
SELECT worse.content_id AS worse, better.content_id AS better, better.interval_us
FROM scratch.perfmon_logs worse JOIN scratch.perfmon_logs better
  ON worse.host_id IS NOT DISTINCT FROM better.host_id AND better.preference < worse.preference
 AND better.first_local <= worse.last_local + INTERVAL 15 HOURS
 AND worse.first_local <= better.last_local + INTERVAL 15 HOURS;

CREATE TABLE scratch.perfmon_series AS
SELECT content_id, counter_no, host_id, sql_instance, upper(object_written) AS object,
       lower(instance) AS instance, lower(counter_written) AS counter
FROM counters WHERE content_id IN (SELECT worse FROM scratch.perfmon_pairs UNION SELECT better FROM scratch.perfmon_pairs);

CREATE TABLE scratch.perfmon_twins AS
SELECT p.worse, w.counter_no AS worse_no, p.better, b.counter_no AS better_no, p.interval_us
FROM scratch.perfmon_pairs p
JOIN scratch.perfmon_series w ON w.content_id = p.worse
JOIN scratch.perfmon_series b
  ON b.content_id = p.better
 AND w.host_id IS NOT DISTINCT FROM b.host_id
 AND w.sql_instance IS NOT DISTINCT FROM b.sql_instance
 AND w.object IS NOT DISTINCT FROM b.object
 AND w.instance IS NOT DISTINCT FROM b.instance
 AND w.counter IS NOT DISTINCT FROM b.counter;

-- Two logs are compared in UTC where both have it, else in local time.
CREATE TABLE scratch.perfmon_moments AS
SELECT content_id, tick, epoch_us(time_local) AS local_us, epoch_us(time) AS utc_us,
       bool_and(time IS NOT NULL) OVER (PARTITION BY content_id) AS is_utc
FROM ticks WHERE content_id IN (SELECT worse FROM scratch.perfmon_twins UNION SELECT better FROM scratch.perfmon_twins);

CREATE TABLE scratch.perfmon_counts AS
SELECT content_id, counter_no, count(*) AS n FROM raw_samples
WHERE content_id IN (SELECT worse FROM scratch.perfmon_twins UNION SELECT better FROM scratch.perfmon_twins)
GROUP BY ALL;

-- A rate has no value in the first row. Other blanks are times that the series does not hold.
CREATE TABLE scratch.perfmon_sparse AS
SELECT t.* FROM scratch.perfmon_twins t
JOIN (SELECT content_id, count(*) AS ticks FROM scratch.perfmon_moments GROUP BY ALL) m ON m.content_id = t.better
LEFT JOIN scratch.perfmon_counts n ON n.content_id = t.better AND n.counter_no = t.better_no
WHERE coalesce(n.n, 0) < m.ticks - 1;

-- The ticks of the worse log with a sample of the better one next to them. Half an interval away is a sample of
-- its own, as in the log that follows a full one; timers are late by a little.
CREATE TABLE scratch.perfmon_asked AS
SELECT p.worse, p.better, p.interval_us * 0.6 AS reach_us, w.tick,
       if(w.is_utc AND b.is_utc, w.utc_us, w.local_us) AS us, w.is_utc AND b.is_utc AS is_utc
FROM (SELECT DISTINCT worse, better, interval_us FROM scratch.perfmon_twins) p
JOIN scratch.perfmon_moments w ON w.content_id = p.worse
JOIN (SELECT DISTINCT content_id, is_utc FROM scratch.perfmon_moments) b ON b.content_id = p.better;

CREATE TABLE scratch.perfmon_covered AS
WITH held AS (
    SELECT p.worse, p.better, if(p.is_utc, m.utc_us, m.local_us) AS us
    FROM (SELECT DISTINCT worse, better, is_utc FROM scratch.perfmon_asked) p
    JOIN scratch.perfmon_moments m ON m.content_id = p.better
)
SELECT a.worse, a.better, a.tick
FROM scratch.perfmon_asked a
ASOF LEFT JOIN held before ON a.worse = before.worse AND a.better = before.better AND a.us >= before.us
ASOF LEFT JOIN held after ON a.worse = after.worse AND a.better = after.better AND a.us <= after.us
WHERE a.us - before.us <= a.reach_us OR after.us - a.us <= a.reach_us;

CREATE TABLE scratch.perfmon_covered_sparsely AS
WITH held AS (
    SELECT t.worse, t.better, t.worse_no, if(p.is_utc, m.utc_us, m.local_us) AS us
    FROM scratch.perfmon_sparse t
    JOIN (SELECT DISTINCT worse, better, is_utc FROM scratch.perfmon_asked) p USING (worse, better)
    JOIN raw_samples s ON s.content_id = t.better AND s.counter_no = t.better_no
    JOIN scratch.perfmon_moments m ON m.content_id = s.content_id AND m.tick = s.tick
),
asked AS (
    SELECT a.*, t.worse_no FROM scratch.perfmon_asked a JOIN scratch.perfmon_sparse t USING (worse, better)
)
SELECT a.worse, a.better, a.worse_no, a.tick
FROM asked a
ASOF LEFT JOIN held before
  ON a.worse = before.worse AND a.better = before.better AND a.worse_no = before.worse_no AND a.us >= before.us
ASOF LEFT JOIN held after
  ON a.worse = after.worse AND a.better = after.better AND a.worse_no = after.worse_no AND a.us <= after.us
WHERE a.us - before.us <= a.reach_us OR after.us - a.us <= a.reach_us;

INSERT INTO masks
WITH runs AS (
    SELECT worse, better, min(tick) AS tick_from, max(tick) AS tick_to
    FROM (SELECT *, tick - row_number() OVER (PARTITION BY worse, better ORDER BY tick) AS run FROM scratch.perfmon_covered)
    GROUP BY worse, better, run
)
SELECT t.worse, t.worse_no, r.tick_from, r.tick_to
FROM scratch.perfmon_twins t
JOIN runs r USING (worse, better)
ANTI JOIN scratch.perfmon_sparse s
  ON s.worse = t.worse AND s.better = t.better AND s.worse_no = t.worse_no AND s.better_no = t.better_no
UNION ALL
SELECT worse, worse_no, min(tick), max(tick)
FROM (SELECT *, tick - row_number() OVER (PARTITION BY worse, worse_no, better ORDER BY tick) AS run
      FROM scratch.perfmon_covered_sparsely)
GROUP BY worse, worse_no, better, run;

-- A log is superseded when none of its samples counts. Those of it that masks leave out in any case are not read.
INSERT INTO superseded
WITH reaching AS (
    SELECT *, max(tick_to) OVER (PARTITION BY content_id, counter_no ORDER BY tick_from, tick_to
                                 ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS reached
    FROM masks
),
masked AS (
    SELECT content_id, counter_no, sum(greatest(tick_to - greatest(tick_from, coalesce(reached + 1, tick_from)) + 1, 0)) AS n
    FROM reaching GROUP BY ALL
),
possible AS (
    SELECT c.content_id FROM scratch.perfmon_counts c LEFT JOIN masked m USING (content_id, counter_no)
    WHERE c.content_id IN (SELECT worse FROM scratch.perfmon_twins)
    GROUP BY c.content_id HAVING bool_and(c.n <= coalesce(m.n, 0))
),
counted AS (
    SELECT DISTINCT s.content_id
    FROM raw_samples s
    JOIN masked p USING (content_id, counter_no)
    JOIN (SELECT content_id, count(*) AS ticks FROM scratch.perfmon_moments GROUP BY ALL) t USING (content_id)
    ANTI JOIN masks m
      ON m.content_id = s.content_id AND m.counter_no = s.counter_no
     AND s.tick >= m.tick_from AND s.tick <= m.tick_to
    WHERE s.content_id IN (SELECT content_id FROM possible) AND p.n < t.ticks
)
SELECT content_id, NULL FROM possible WHERE content_id NOT IN (SELECT content_id FROM counted);

DROP TABLE scratch.perfmon_covered_sparsely;
DROP TABLE scratch.perfmon_covered;
DROP TABLE scratch.perfmon_asked;
DROP TABLE scratch.perfmon_sparse;
DROP TABLE scratch.perfmon_counts;
DROP TABLE scratch.perfmon_moments;
DROP TABLE scratch.perfmon_twins;
DROP TABLE scratch.perfmon_series;
DROP TABLE scratch.perfmon_pairs;
DROP TABLE scratch.perfmon_logs;
