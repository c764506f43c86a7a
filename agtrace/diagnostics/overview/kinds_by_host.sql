-- What would an analysis of the transport want of each machine of a group, and what is there?
-- The machines: those whose captures speak of availability groups, and those that are named as replicas.
-- $names and $hosts: names of replicas, and which host each of them means.
-- null: named_by
WITH known AS (
    SELECT unnest($names::VARCHAR[]) AS replica, unnest($hosts::VARCHAR[]) AS host_id
),
written AS (
    SELECT regexp_extract(instance, '[^:]*$') AS replica,
           'replica ' || instance || ' in a perfmon log of ' || coalesce(host_id, 'an unknown host') AS named_by
    FROM counters
    WHERE object = 'SQLServer:Availability Replica' AND instance LIKE '%_:_%'
    UNION ALL
    SELECT fields['replica'],
           'replica ' || fields['replica'] || ' in an ERRORLOG of ' || coalesce(host_id, 'an unknown host')
    FROM log_messages
    WHERE topic IN ('connection', 'database_connection') AND fields['replica'] IS NOT NULL
    UNION ALL
    SELECT replica, 'replica ' || replica || ' in a look of ' || coalesce(host_id, 'an unknown host')
    FROM replicas
    WHERE replica IS NOT NULL
),
resolved AS (
    SELECT k.host_id, min(w.named_by) AS named_by
    FROM written w JOIN known k USING (replica)
    GROUP BY 1
),
members AS (
    SELECT host_id, min(named_by) AS named_by FROM (
        FROM resolved
        UNION ALL
        SELECT DISTINCT host_id, 'its own counters of availability groups' FROM counters
        WHERE host_id IS NOT NULL AND object IN ('SQLServer:Availability Replica', 'SQLServer:Database Replica')
        UNION ALL
        SELECT DISTINCT host_id, 'states of a replica in its own ERRORLOG' FROM log_messages
        WHERE host_id IS NOT NULL AND topic = 'replica_state'
          -- Of a host without a name nobody can be asked for more.
          AND host_id NOT IN (SELECT host_id FROM captures WHERE starts_with(host_source, 'placeholder'))
    ) GROUP BY host_id
)
SELECT m.host_id AS host, m.named_by,
       EXISTS (FROM counters c WHERE c.host_id = m.host_id) AS perfmon,
       EXISTS (FROM log_entries e WHERE e.source = 'ERRORLOG' AND e.host_id = m.host_id) AS errorlog,
       EXISTS (FROM network_facts f WHERE f.host_id = m.host_id AND f.topic = 'tcp_global') AS tcp_settings
FROM members m
ORDER BY host;
