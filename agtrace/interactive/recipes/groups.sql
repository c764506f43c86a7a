-- # groups
-- Each group at the last snapshot
select ag, arg_max(synchronization_health, time_local) as health, arg_max(primary_replica, time_local) as primary_replica
from groups group by all

-- Failover conditions
select distinct ag, failure_condition_level, health_check_timeout_ms from groups

-- Backup preference
select distinct ag, backup_preference from groups

-- Type of each group
select distinct ag, kind, kind_source from groups

-- Servers that disagree about the primary
select ag, list(distinct primary_replica) as primaries from groups group by all
having count(distinct primary_replica) > 1

-- # replicas
-- Configuration of each replica
select distinct ag, replica, availability_mode, failover_mode, session_timeout_s from replicas
order by ag, replica

-- Not connected at a snapshot
select time_local, ag, replica, connected_state, last_connect_error from replicas
where connected_state <> 'CONNECTED'

-- Readable replicas
select distinct ag, replica, secondary_connections from replicas

-- Short session timeouts
select distinct ag, replica, session_timeout_s from replicas where session_timeout_s < 10

-- Health over time
select time_local, replica, role, synchronization_health from replicas order by time_local

-- # database_states
-- Queues at each snapshot
select time_local, replica, database, log_send_queue_kb, redo_queue_kb from database_states
order by time_local

-- Suspended databases, with the reason
select time_local, replica, database, suspend_reason from database_states where is_suspended

-- Databases that would lose data now
select replica, database, synchronization_state, is_failover_ready from database_states
where not is_failover_ready

-- Lag in seconds
select replica, database, max(secondary_lag_s) as seconds from database_states group by all
order by seconds desc nulls last

-- Time to redo the queue
select replica, database, redo_queue_kb / redo_rate_kb_s as seconds from database_states
where redo_rate_kb_s > 0

-- # group_options
-- Changed options, with time
select time, ag, replica, option, value from group_options where not is_look order by time

-- The last value of each option
select ag, replica, option, arg_max(value, time) as value from group_options where time is not null
group by all

-- Commit modes over time
select ag, replica, time, value from group_options where option = 'availability_mode' order by time

-- Options that differ between replicas
select ag, option, list(distinct replica || ': ' || value) as values_ from group_options
where replica is not null group by all having count(distinct value) > 1

-- Session timeouts
select ag, replica, value from group_options where option = 'session_timeout'

-- # group_databases
-- Databases of each group
select ag, list("database" order by "database") as databases from group_databases group by all

-- First evidence of each database
select ag, "database", since from group_databases order by since

-- Databases without a completed backup
select g.ag, g."database" from group_databases g anti
join backups b on lower(b."database") = g.database_key and b.status = 'completed'

-- Databases of several groups
select database_key, list(ag) as ags from group_databases group by all having count(*) > 1

-- Databases by group
select ag, count(*) as n from group_databases group by all

-- # topology
-- How groups are built
select ag, kind, cluster_type, members from topology order by ag

-- Distributed groups
select ag, members, how from topology where is_distributed

-- Groups on failover-cluster instances
select ag, cluster_instances from topology where len(cluster_instances) > 0

-- Groups beside each other on a host
select ag, groups_beside, instances_on_host from topology

-- Evidence
select t.ag, t.how, c.path, t.line from topology t left join captures c using (content_id)

-- # instance_nodes
-- Node of each start
select host_id, sql_instance, time, node from instance_nodes order by time

-- Failover-cluster instances
select distinct host_id, sql_instance from instance_nodes where is_cluster_instance

-- Nodes of each instance
select host_id, list(distinct node) as nodes from instance_nodes group by all

-- Current node
select host_id, arg_max(node, time) as node from instance_nodes where time is not null group by all

-- Number of moves
select host_id, count(distinct node) - 1 as moves from instance_nodes group by all

-- # ag_names
-- All names of ids
select distinct kind, id, name from ag_names order by kind, name

-- Groups
select distinct name, id from ag_names where kind = 'group'

-- Replicas
select distinct name, id from ag_names where kind = 'replica'

-- Databases
select distinct name, id from ag_names where kind = 'database'

-- Ids with two names
select id, list(distinct name) as names from ag_names group by all having count(distinct name) > 1

-- # databases
-- Logs with many virtual files
select host_id, database, max(vlf_count) as vlfs from databases group by all
order by vlfs desc nulls last

-- Recovery models
select recovery_model, count(distinct database) as databases from databases group by all

-- Databases that differ between hosts
select database, list(distinct recovery_model) as models from databases group by all
having count(distinct recovery_model) > 1

-- Names of ids
select host_id, database_id, database from databases order by host_id, database_id

-- Databases by server
select host_id, sql_instance, count(distinct database) as databases from databases group by all
