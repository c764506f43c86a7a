-- Which replicas do perfmon logs, ERRORLOGs and looks at the group name, as they write them? A group is a replica of a
-- distributed one, and no server.
SELECT replica
FROM (
    SELECT DISTINCT regexp_extract(instance, '[^:]*$') AS replica
    FROM counters
    WHERE object = 'SQLServer:Availability Replica' AND instance LIKE '%_:_%'
    UNION
    SELECT fields['replica'] FROM messages WHERE topic IN ('connection', 'database_connection') AND fields['replica'] IS NOT NULL
    UNION
    SELECT replica FROM replicas WHERE replica IS NOT NULL
)
WHERE upper(replica) NOT IN (SELECT unnest(members) FROM topology)
ORDER BY replica;
