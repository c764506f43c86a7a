-- Which entries of each host stand next to the moments that are marked, as many before each as after it?
WITH asked AS (
    SELECT unnest($moments) AS moment, unnest($around) AS around
), clock AS (
    SELECT host_id, coalesce(ahead_us, 0) AS ahead_us
    FROM (SELECT unnest($hosts) AS host_id) LEFT JOIN reference_clock USING (host_id)
), placed AS (
    SELECT o.host_id, o.time AS written, o.time - to_microseconds(c.ahead_us) AS time,
        o.source, o.content_id, o.line,
        row_number() OVER (PARTITION BY o.host_id ORDER BY o.time, o.content_id, o.line) AS place
    FROM ordinary o JOIN clock c ON c.host_id = o.host_id WHERE o.time IS NOT NULL
), stood AS (
    SELECT a.host_id, a.around, coalesce(p.place, 0) AS place
    FROM (SELECT * FROM asked, (SELECT DISTINCT host_id FROM placed)) a
    ASOF LEFT JOIN placed p ON p.host_id = a.host_id AND p.time <= a.moment
), wanted AS (
    SELECT DISTINCT host_id, unnest(range(place - around + 1, place + around + 1)) AS place FROM stood
), witnesses AS (
    SELECT DISTINCT w.content_id, w.line
    FROM (SELECT unnest(witnesses) AS w FROM timeline WHERE list_contains($moments, time))
)
SELECT p.* FROM placed p SEMI JOIN wanted w ON p.host_id = w.host_id AND p.place = w.place
UNION
SELECT p.* FROM placed p SEMI JOIN witnesses w ON p.content_id = w.content_id AND p.line = w.line
ORDER BY time, host_id, place
