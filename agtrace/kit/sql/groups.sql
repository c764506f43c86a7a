PRINT '-- AG_hadr_ag_states --';
SELECT ag.*, s.primary_replica, s.primary_recovery_health_desc, s.secondary_recovery_health_desc,
    s.synchronization_health_desc
FROM sys.availability_groups AS ag
LEFT JOIN sys.dm_hadr_availability_group_states AS s ON s.group_id = ag.group_id;
PRINT '-- AG_hadr_ag_replica_states --';
SELECT ag.name AS group_name, n.node_name, r.*, s.is_local, s.role_desc, s.operational_state_desc,
    s.connected_state_desc, s.recovery_health_desc, s.synchronization_health_desc,
    s.last_connect_error_number, s.last_connect_error_description, s.last_connect_error_timestamp
FROM sys.availability_replicas AS r
JOIN sys.availability_groups AS ag ON ag.group_id = r.group_id
LEFT JOIN sys.dm_hadr_availability_replica_states AS s ON s.replica_id = r.replica_id
LEFT JOIN sys.dm_hadr_availability_replica_cluster_nodes AS n
    ON n.group_name = ag.name AND n.replica_server_name = r.replica_server_name;
PRINT '-- AG_hadr_ag_database_replica_states --';
SELECT ag.name AS Availability_Group, r.replica_server_name AS replica_name, c.database_name,
    c.is_failover_ready, c.is_pending_secondary_suspend, c.is_database_joined, s.*
FROM sys.dm_hadr_database_replica_states AS s
JOIN sys.availability_groups AS ag ON ag.group_id = s.group_id
JOIN sys.availability_replicas AS r ON r.replica_id = s.replica_id
LEFT JOIN sys.dm_hadr_database_replica_cluster_states AS c
    ON c.replica_id = s.replica_id AND c.group_database_id = s.group_database_id;
