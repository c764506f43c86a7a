-- Which replicas do perfmon logs, ERRORLOGs and looks at the group name, as they write them? A group is a replica of a
-- distributed one, and no server; perfmon names it as one and, on another server, as the group of others.
WITH instances AS (
    SELECT DISTINCT regexp_extract(instance, '^(.+):[^:]*$', 1) AS ag, regexp_extract(instance, '[^:]*$') AS replica
    FROM counters
    WHERE object = 'SQLServer:Availability Replica' AND instance LIKE '%_:_%'
)
SELECT replica
FROM (
    SELECT i.replica
    FROM instances i
    WHERE upper(i.replica) NOT IN (SELECT upper(o.ag) FROM instances o)
       OR upper(i.replica) IN (SELECT upper(host_id) FROM hosts)
    UNION
    SELECT fields['replica'] FROM log_messages WHERE topic IN ('connection', 'database_connection') AND fields['replica'] IS NOT NULL
    UNION
    SELECT replica FROM replicas WHERE replica IS NOT NULL
)
WHERE upper(replica) NOT IN (SELECT unnest(members) FROM topology)
ORDER BY replica;
