-- Which perfmon log counts where several hold the same observation?
-- Binary perfmon logs win over text, then the finer interval, then the earlier start, then the content id.

CREATE VIEW scratch.perfmon_spans AS
SELECT a.content_id, a.host_id, a.first_local, a.last_local, coalesce(a.interval_s, 0) AS interval_s,
       a.reader NOT LIKE '%blg%' AS is_text,
       (SELECT first(offset_minutes ORDER BY tick_from) FROM clocks k WHERE k.capture_id = a.capture_id)
         AS offset_minutes
FROM captures a JOIN contents USING (capture_id) WHERE a.interval_s IS NOT NULL;

CREATE TABLE scratch.perfmon_series AS
SELECT c.content_id, c.counter_no, p.first_local, p.last_local, p.offset_minutes,
       row_number() OVER (ORDER BY p.is_text, p.interval_s, p.first_local, c.content_id) AS preference,
       c.host_id, c.sql_instance, upper(c.object_written) AS object, lower(c.instance) AS instance,
       lower(c.counter_written) AS counter
FROM counters c JOIN scratch.perfmon_spans p USING (content_id)
WHERE p.content_id IN (
    SELECT a.content_id FROM scratch.perfmon_spans a JOIN scratch.perfmon_spans b
      ON a.content_id <> b.content_id AND a.host_id IS NOT DISTINCT FROM b.host_id
     AND a.first_local <= b.last_local + INTERVAL 15 HOURS AND b.first_local <= a.last_local + INTERVAL 15 HOURS
);

-- The better capture's span, told in the local time of the other one.
INSERT INTO masks
SELECT worse.content_id, worse.counter_no,
       better.first_local + to_minutes(shift) AS local_from,
       better.last_local + to_minutes(shift) AS local_to
FROM (
    SELECT worse, better,
           CASE WHEN worse.offset_minutes IS NULL OR better.offset_minutes IS NULL THEN 0
                ELSE worse.offset_minutes - better.offset_minutes END AS shift
    FROM scratch.perfmon_series worse JOIN scratch.perfmon_series better
      ON worse.host_id IS NOT DISTINCT FROM better.host_id
     AND worse.sql_instance IS NOT DISTINCT FROM better.sql_instance
     AND worse.object IS NOT DISTINCT FROM better.object
     AND worse.instance IS NOT DISTINCT FROM better.instance
     AND worse.counter IS NOT DISTINCT FROM better.counter
     AND worse.content_id <> better.content_id AND worse.preference > better.preference
)
WHERE local_from <= worse.last_local AND local_to >= worse.first_local;
DROP TABLE scratch.perfmon_series;

-- A perfmon capture is superseded when every series of it is, over its whole span.
INSERT INTO superseded
SELECT p.content_id, NULL
FROM scratch.perfmon_spans p
JOIN (SELECT content_id, count(*) AS n FROM counters GROUP BY content_id) c USING (content_id)
JOIN (
    SELECT m.content_id, count(DISTINCT m.counter_no) AS n
    FROM masks m JOIN scratch.perfmon_spans s USING (content_id)
    -- A relog that keeps every n-th row may end up to one of its intervals after the finer one.
    WHERE m.local_from <= s.first_local + to_seconds(s.interval_s)
      AND m.local_to >= s.last_local - to_seconds(s.interval_s)
    GROUP BY m.content_id
) masked USING (content_id)
WHERE masked.n = c.n;
DROP VIEW scratch.perfmon_spans;
