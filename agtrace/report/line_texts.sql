-- What do the chosen entries say, and in which file?
SELECT n.time, n.written, e.time_local, n.host_id, n.source, c.path AS file, n.line, n.place, n.apart, left(e.text, $longest) AS text
FROM scratch.lines_near n JOIN entries e ON e.source = n.source AND e.content_id = n.content_id AND e.line = n.line
LEFT JOIN contents c ON c.content_id = n.content_id
WHERE n.apart <= $around
ORDER BY n.time, n.host_id, n.place
LIMIT $most
