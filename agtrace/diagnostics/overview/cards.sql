-- Which network cards has each host that has a team of them, how much can each of them carry, and how much did it?
-- Cards that two objects show are told by the one that is asked for first.
-- $team: what the name of a team's own card holds.
WITH shown AS (
    SELECT c.host_id AS host, c.object, c.instance AS card, c.counter, s.value, p.path
    FROM counters c
    JOIN samples s USING (counter_id)
    LEFT JOIN contents p ON p.content_id = c.content_id
    WHERE c.object IN ('Network Interface', 'Network Adapter') AND c.host_id IS NOT NULL AND c.instance <> '_Total'
      AND c.host_id IN (SELECT t.host_id FROM counters t WHERE contains(lower(t.instance), $team))
      AND c.counter IN ('Current Bandwidth', 'Bytes Sent/sec', 'Bytes Received/sec', 'Bytes Total/sec')
),
cards AS (
    SELECT host, object, card, max(value) FILTER (counter = 'Current Bandwidth') / 8 AS bandwidth,
           max(value) FILTER (counter <> 'Current Bandwidth') AS most_moved, min(path) AS path
    FROM shown
    GROUP BY host, object, card
),
teams AS (
    SELECT host, max(object) AS object
    FROM cards
    WHERE contains(lower(card), $team) AND (most_moved IS NULL OR most_moved > 0)
    GROUP BY host
)
SELECT c.host, c.card, contains(lower(c.card), $team) AS is_team, c.bandwidth, c.most_moved, c.path
FROM cards c JOIN teams t USING (host, object)
ORDER BY c.host, is_team DESC, c.card;
