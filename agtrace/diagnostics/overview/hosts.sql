-- Which machines does the case know, and how? Those of captures, and those that series name.
-- null: also_called, zone, first_time, last_time, known_from
WITH known AS (
    SELECT host_id FROM hosts
    UNION
    SELECT DISTINCT host_id FROM counters WHERE host_id IS NOT NULL
),
contents_of AS (
    SELECT host_id, content_id FROM captures WHERE host_id IS NOT NULL
    UNION
    SELECT host_id, content_id FROM counters WHERE host_id IS NOT NULL
)
SELECT k.host_id AS host, array_to_string(h.aliases, ', ') AS also_called, h.zone,
       count(c.capture_id) AS captures, min(c.first_time) AS first_time, max(c.last_time) AS last_time,
       string_agg(DISTINCT c.host_source, '; ' ORDER BY c.host_source) AS known_from
FROM known k
LEFT JOIN hosts h USING (host_id)
LEFT JOIN contents_of o ON o.host_id = k.host_id
LEFT JOIN captures c ON c.content_id = o.content_id
GROUP BY ALL
ORDER BY host;
