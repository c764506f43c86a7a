-- Which entries of ERRORLOGs are copies: of another log that holds the same time, or of the log's own beginning?
CREATE TABLE scratch.logs AS
SELECT a.content_id, a.host_id, a.first_local, a.last_local
FROM captures a JOIN contents USING (capture_id) WHERE a.first_entry IS NOT NULL;

-- Texts are read of those logs alone that may be copies: they are of one time, or step back in time.
CREATE TABLE scratch.log_suspects AS
SELECT a.content_id FROM scratch.logs a JOIN scratch.logs b
  ON a.content_id <> b.content_id AND a.first_local <= b.last_local AND b.first_local <= a.last_local
 AND (a.host_id IS NULL OR b.host_id IS NULL OR a.host_id = b.host_id)
UNION
SELECT content_id
FROM (SELECT content_id, time_local < lag(time_local) OVER (PARTITION BY content_id ORDER BY line) - INTERVAL 1 SECOND
               AS is_back FROM raw_errorlog)
WHERE is_back;

-- A table of its own: a window over the texts themselves would hold all of them.
CREATE TABLE scratch.log_hashes AS
SELECT e.content_id, o.host_id, e.line, e.time_local, hash(e.time_local, e.source, e.message) AS entry
FROM raw_errorlog e JOIN scratch.logs o USING (content_id)
WHERE e.content_id IN (SELECT content_id FROM scratch.log_suspects);

CREATE TABLE scratch.log_entries AS
SELECT content_id, host_id, line, n, entry, count(if(is_back, 1, null)) OVER (PARTITION BY content_id ORDER BY n) AS part
FROM (
    SELECT content_id, host_id, line, entry, row_number() OVER log AS n,
           time_local < lag(time_local) OVER log - INTERVAL 1 SECOND AS is_back
    FROM scratch.log_hashes
    WINDOW log AS (PARTITION BY content_id ORDER BY line)
);
DROP TABLE scratch.log_hashes;
DROP TABLE scratch.log_suspects;
DROP TABLE scratch.logs;

CREATE TABLE scratch.log_sizes AS SELECT content_id, max(n) AS entries FROM scratch.log_entries GROUP BY content_id;

-- By how many entries is one log shifted against another? Most of the entries that both hold agree on it.
CREATE TABLE scratch.log_shifts AS
WITH firsts AS (
    SELECT content_id, host_id, entry, min(n) AS n FROM scratch.log_entries GROUP BY content_id, host_id, entry
),
shifts AS (
    SELECT short.content_id AS short, long.content_id AS long, long.n - short.n AS shift, count(*) AS agreeing
    FROM firsts short
    JOIN firsts long
      ON long.entry = short.entry AND long.content_id <> short.content_id
     AND (short.host_id IS NULL OR long.host_id IS NULL OR short.host_id = long.host_id)
    JOIN scratch.log_sizes s ON s.content_id = short.content_id
    JOIN scratch.log_sizes l ON l.content_id = long.content_id
    WHERE (s.entries, s.content_id) < (l.entries, l.content_id)
    GROUP BY ALL
)
SELECT short, long, arg_max(shift, agreeing) AS shift FROM shifts GROUP BY short, long;

-- Logs of one history agree in every entry of the time that both hold. The first and the last may be cut.
CREATE TABLE scratch.log_twins AS
WITH aligned AS (
    SELECT p.short, p.long, s.n, s.line, l.line AS long_line, s.entry = l.entry AS is_same, z.entries,
           min(s.n) OVER pair AS first_n, max(s.n) OVER pair AS last_n
    FROM scratch.log_shifts p
    JOIN scratch.log_entries s ON s.content_id = p.short
    JOIN scratch.log_entries l ON l.content_id = p.long AND l.n = s.n + p.shift
    JOIN scratch.log_sizes z ON z.content_id = p.short
    WINDOW pair AS (PARTITION BY p.short, p.long)
)
SELECT * FROM aligned
WINDOW pair AS (PARTITION BY short, long)
QUALIFY bool_and(is_same OR n IN (first_n, last_n)) OVER pair
    AND count(if(is_same, 1, null)) OVER pair >= least(entries, 2);

INSERT INTO superseded
SELECT short, arg_max(long, z.entries) FROM scratch.log_twins t JOIN scratch.log_sizes z ON z.content_id = t.long
WHERE t.first_n = 1 AND t.last_n = t.entries GROUP BY short;

-- Of two versions of an entry the one at the end of its log is the cut one.
INSERT INTO log_masks
SELECT DISTINCT if(is_same OR n IN (1, entries), short, long), if(is_same OR n IN (1, entries), line, long_line)
FROM scratch.log_twins WHERE first_n > 1 OR last_n < entries;

-- A log that was written behind itself repeats entries after a step back in time.
INSERT INTO log_masks
SELECT content_id, line FROM (
    SELECT content_id, line, part, entry,
           row_number() OVER (PARTITION BY content_id, part, entry ORDER BY n) AS time_in_part FROM scratch.log_entries
)
QUALIFY row_number() OVER (PARTITION BY content_id, entry, time_in_part ORDER BY part) > 1;

DROP TABLE scratch.log_twins;
DROP TABLE scratch.log_shifts;
DROP TABLE scratch.log_sizes;
DROP TABLE scratch.log_entries;
