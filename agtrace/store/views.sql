-- What does an opened case offer? The relations of docs/store.md, over the raw tables of the parts.
-- Raw tables (raw_counters, raw_ticks, ...) and the resolved tables captures, hosts, clocks, skew,
-- runs are there already.

-- Which capture speaks for a content? The same bytes may lie in several places; they count once.
CREATE TABLE contents AS
SELECT content_id, arg_min(capture_id, path) AS capture_id, arg_min(host_id, path) AS host_id,
       arg_min(sql_instance, path) AS sql_instance, arg_min(path, path) AS path
FROM captures WHERE content_id IS NOT NULL AND has_part
GROUP BY content_id;

-- Which contents are copies of a part of another one? (filled when overlaps are resolved)
CREATE TABLE superseded (content_id VARCHAR, by_content_id VARCHAR);

-- Which rows of which series does a better capture hold? (filled when overlaps are resolved)
CREATE TABLE masks (content_id VARCHAR, counter_no INTEGER, tick_from INTEGER, tick_to INTEGER);

-- Which entries of an ERRORLOG does another log, or its own beginning, hold? (filled when overlaps are resolved)
CREATE TABLE log_masks (content_id VARCHAR, line BIGINT);

-- Which series are there, of which host?
CREATE TABLE counters AS
SELECT row_number() OVER (ORDER BY c.content_id, c.counter_no) - 1 AS counter_id,
       c.content_id, c.counter_no, coalesce(h.host_id, o.host_id) AS host_id, c.host,
       coalesce(c.sql_instance, CASE WHEN c.object LIKE 'SQLServer:%' THEN o.sql_instance END) AS sql_instance,
       c.object, c.instance, c.counter, c.object_written, c.counter_written, c.path, c.unit, c.counter_type
FROM raw_counters c
JOIN contents o USING (content_id)
LEFT JOIN host_names h ON h.name = c.host;

-- When was each row sampled? Rows, not times, choose the clock: local times repeat when clocks are set back.
-- Each bound is a comparison of its own: of a CASE over them the planner cannot tell that it leaves one clock a row.
-- What is dated at the very ends of the calendar has no time in UTC, here and below (agtrace/readers/far_times.py).
CREATE VIEW ticks AS
SELECT t.content_id, t.tick, t.time_local,
       (t.time_local - to_minutes(k.offset_minutes)) AT TIME ZONE 'UTC' AS time
FROM raw_ticks t
JOIN contents o USING (content_id)
LEFT JOIN clocks k
  ON k.capture_id = o.capture_id
 AND t.time_local >= CASE WHEN k.tick_from IS NULL THEN k.local_from ELSE TIMESTAMP '0001-01-02' END
 AND t.time_local < CASE WHEN k.tick_from IS NULL THEN k.local_to ELSE TIMESTAMP '9999-12-31' END
 AND t.tick >= coalesce(k.tick_from, 0)
 AND t.tick < coalesce(k.tick_to, 2147483647)
 AND t.time_local >= TIMESTAMP '0001-01-02' AND t.time_local < TIMESTAMP '9999-12-31';

-- What was measured? One observation counts once.
CREATE VIEW samples AS
SELECT c.counter_id, s.content_id, s.counter_no, s.tick, t.time_local, t.time, s.value
FROM raw_samples s
JOIN counters c ON c.content_id = s.content_id AND c.counter_no = s.counter_no
JOIN ticks t ON t.content_id = s.content_id AND t.tick = s.tick
-- An explicit anti join: NOT EXISTS would keep filters on the series from reaching the files.
ANTI JOIN masks m
  ON m.content_id = s.content_id AND m.counter_no = s.counter_no
 AND s.tick >= m.tick_from AND s.tick <= m.tick_to;

-- What did the server log? Copies of a part of another log are left out. Where daylight saving changed inside the
-- log, its lines choose the clock: local times repeat.
CREATE VIEW errorlog AS
SELECT e.content_id, o.host_id, e.line, e.time_local,
       (e.time_local - to_minutes(k.offset_minutes)) AT TIME ZONE 'UTC' AS time,
       e.source, e.spid, e.error, e.severity, e.state, e.message, e.continuation_lines
FROM raw_errorlog e
JOIN contents o USING (content_id)
LEFT JOIN clocks k
  ON k.capture_id = o.capture_id
 AND e.time_local >= CASE WHEN k.tick_from IS NULL THEN k.local_from ELSE TIMESTAMP '0001-01-02' END
 AND e.time_local < CASE WHEN k.tick_from IS NULL THEN k.local_to ELSE TIMESTAMP '9999-12-31' END
 AND e.line >= coalesce(k.tick_from, 0)
 AND e.line < coalesce(k.tick_to, 9223372036854775807)
 AND e.time_local >= TIMESTAMP '0001-01-02' AND e.time_local < TIMESTAMP '9999-12-31'
ANTI JOIN log_masks x ON x.content_id = e.content_id AND x.line = e.line
WHERE e.content_id NOT IN (SELECT content_id FROM superseded);

-- What do its entries say?
CREATE VIEW messages AS
SELECT m.content_id, o.host_id, m.line, m.time_local,
       (m.time_local - to_minutes(k.offset_minutes)) AT TIME ZONE 'UTC' AS time,
       m.source, m.topic, m.message_id, m.language, m.fields
FROM raw_messages m
JOIN contents o USING (content_id)
LEFT JOIN clocks k
  ON k.capture_id = o.capture_id
 AND m.time_local >= CASE WHEN k.tick_from IS NULL THEN k.local_from ELSE TIMESTAMP '0001-01-02' END
 AND m.time_local < CASE WHEN k.tick_from IS NULL THEN k.local_to ELSE TIMESTAMP '9999-12-31' END
 AND m.line >= coalesce(k.tick_from, 0)
 AND m.line < coalesce(k.tick_to, 9223372036854775807)
 AND m.time_local >= TIMESTAMP '0001-01-02' AND m.time_local < TIMESTAMP '9999-12-31'
ANTI JOIN log_masks x ON x.content_id = m.content_id AND x.line = m.line
WHERE m.content_id NOT IN (SELECT content_id FROM superseded);

-- What do the small files say? The same text found for two hosts is a fact of each.
CREATE VIEW facts AS
SELECT a.capture_id, f.content_id, a.host_id, f.topic, f.item, f.key, f.value, f.unit, f.line, f.time_local,
       (f.time_local - to_minutes(k.offset_minutes)) AT TIME ZONE 'UTC' AS time
FROM raw_facts f
JOIN captures a ON a.content_id = f.content_id AND a.has_part
LEFT JOIN clocks k
  ON k.capture_id = a.capture_id AND f.time_local >= k.local_from AND f.time_local < k.local_to
WHERE f.content_id NOT IN (SELECT content_id FROM superseded);

-- Which capture of each host speaks for a content? A host's file may lie in its folder and in a zip, too.
CREATE VIEW speakers AS
SELECT DISTINCT ON (content_id, host_id) capture_id, content_id, host_id, sql_instance
FROM captures WHERE content_id IS NOT NULL AND has_part
ORDER BY content_id, host_id, path;

-- Which rowsets do the outputs of sqlcmd hold, and of which host?
CREATE VIEW rowset_heads AS
SELECT a.capture_id, r.content_id, r.rowset, r.name, r.line, a.host_id, a.sql_instance, r.time_local,
       (r.time_local - to_minutes(k.offset_minutes)) AT TIME ZONE 'UTC' AS time, r.columns
FROM raw_rowset_heads r
JOIN speakers a ON a.content_id = r.content_id
LEFT JOIN clocks k
  ON k.capture_id = a.capture_id
 AND r.time_local >= CASE WHEN k.tick_from IS NULL THEN k.local_from ELSE TIMESTAMP '0001-01-02' END
 AND r.time_local < CASE WHEN k.tick_from IS NULL THEN k.local_to ELSE TIMESTAMP '9999-12-31' END
 AND r.line >= coalesce(k.tick_from, 0)
 AND r.line < coalesce(k.tick_to, 9223372036854775807)
WHERE r.content_id NOT IN (SELECT content_id FROM superseded);

-- What are their rows?
CREATE VIEW rowset_rows AS
SELECT a.capture_id, r.content_id, r.rowset, r."row", r.line, a.host_id, a.sql_instance, r.time_local,
       (r.time_local - to_minutes(k.offset_minutes)) AT TIME ZONE 'UTC' AS time, r.cells
FROM raw_rowset_rows r
JOIN speakers a ON a.content_id = r.content_id
LEFT JOIN clocks k
  ON k.capture_id = a.capture_id
 AND r.time_local >= CASE WHEN k.tick_from IS NULL THEN k.local_from ELSE TIMESTAMP '0001-01-02' END
 AND r.time_local < CASE WHEN k.tick_from IS NULL THEN k.local_to ELSE TIMESTAMP '9999-12-31' END
 AND r.line >= coalesce(k.tick_from, 0)
 AND r.line < coalesce(k.tick_to, 9223372036854775807)
WHERE r.content_id NOT IN (SELECT content_id FROM superseded);

-- What is damaged?
CREATE VIEW issues AS
SELECT i.content_id, o.path, i."offset", i.severity, i.kind, i.message, i."count"
FROM raw_issues i JOIN contents o USING (content_id)
UNION ALL
SELECT NULL, NULL, "offset", severity, kind, message, "count" FROM drifts;
