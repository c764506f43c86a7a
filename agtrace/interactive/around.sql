-- Which entries of each source stand within a window, the nearest to its middle first?
SELECT e.*, c.path
FROM entries e LEFT JOIN contents c USING (content_id)
WHERE placed BETWEEN $start AND $end
QUALIFY row_number() OVER (PARTITION BY source ORDER BY abs(epoch_us(placed) - $middle), content_id, line) <= $most
