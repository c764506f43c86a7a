SELECT p.replica_server_name AS WhenThisServerIsPrimary, l.routing_priority AS Priority,
    t.replica_server_name AS RouteToThisServer, t.secondary_role_allow_connections_desc AS ConnectionsAllowed,
    t.read_only_routing_url AS RoutingURL
FROM sys.availability_read_only_routing_lists AS l
JOIN sys.availability_replicas AS p ON p.replica_id = l.replica_id
JOIN sys.availability_replicas AS t ON t.replica_id = l.read_only_replica_id;
