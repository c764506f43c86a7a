-- Which counters have no canonical English name? (their values are kept under the name as written)
-- null: hosts, example
SELECT object_written AS object, counter_written AS counter, count(*) AS series,
       string_agg(DISTINCT host_id, ', ' ORDER BY host_id) AS hosts, min(path) AS example
FROM counters
WHERE counter IS NULL OR object IS NULL
GROUP BY ALL
ORDER BY object, counter;
