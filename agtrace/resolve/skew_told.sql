-- Which connections did each host note as established (35202), in its ERRORLOG?
CREATE TABLE scratch.skew_connected AS
SELECT host_id, time, upper(split_part(split_part(map_extract_value(fields, 'replica'), '\', 1), '.', 1)) AS remote,
       list_sort([upper(map_extract_value(fields, 'from_replica_id')), upper(map_extract_value(fields, 'replica_id'))]) AS ids
FROM messages
WHERE topic = 'connection' AND message_id = 35202 AND time IS NOT NULL AND host_id IS NOT NULL;
