-- # connections
-- The last sign of each pair
select host_id, replica_host_id, arg_max(kind, time) as kind, max(time) as time from connections
group by all order by all

-- Lost connections, by pair
select host_id, replica, count(*) as n, min(time) as first, max(time) as last from connections
where not is_connected and kind <> 'snapshot' group by all order by n desc

-- Attempts without an answer
select time, host_id, replica, text from connections where kind = 'connection_failed' order by time

-- Replicas that a snapshot does not show as connected
select c.time, c.host_id, c.replica, s.path, c.line from connections c
left join contents s using (content_id) where c.kind = 'snapshot' and c.is_connected is not true

-- Connections within a minute of each failover
select f.failover_id, c.time, c.host_id, c.replica, c.kind from failovers f
join connections c on c.time between f.start - interval 1 minute and f.start + interval 1 minute
order by all

-- # listeners
-- Each listener with its addresses
select distinct ag, listener, port, ip_address, state from listeners order by ag, listener

-- Addresses that are offline
select ag, listener, ip_address, state from listeners where state <> 'ONLINE'

-- Listeners over several subnets
select listener, list(distinct ip_address) as addresses from listeners group by all
having count(distinct ip_address) > 1

-- Names
select distinct listener, dns_name from listeners

-- Listeners changed in the cluster only
select ag, listener from listeners where not is_conformant

-- # routing
-- The routes of each replica
select ag, replica, priority, routed_to, routing_url from routing order by ag, replica, priority

-- Routes to replicas that accept no connections
select distinct routed_to, connections_allowed from routing where connections_allowed = 'NO'

-- Routes without a URL
select replica, routed_to from routing where routing_url is null

-- Load-balanced sets (same priority)
select replica, priority, list(routed_to) as targets from routing group by all
having count(distinct routed_to) > 1

-- Replicas by number of routes
select routed_to, count(distinct replica) as replicas from routing group by all

-- # cluster_settings
-- Timeouts of groups and of the cluster
select scope, item, setting, value, unit from cluster_settings
where setting ilike '%timeout%' or setting ilike '%delay%' or setting ilike '%threshold%'

-- Votes
select item, value from cluster_settings where setting = 'quorum_votes'

-- The quorum
select setting, value from cluster_settings where scope = 'cluster' and setting like 'quorum%'

-- Settings that differ between two snapshots
select item, setting, list(distinct value) as values_ from cluster_settings group by all
having count(distinct value) > 1

-- All settings of one item
select setting, value, unit from cluster_settings where scope = 'group' order by setting

-- # cluster_items
-- States of members
select item, state, votes, time from cluster_items where scope = 'member' order by item, time

-- Resources that are offline
select item, type, state from cluster_items where scope = 'resource' and lower(state) <> 'online'

-- Votes
select sum(votes) as votes from cluster_items where scope = 'member' group by content_id

-- Resources of a role
select role, list(item order by item) as resources from cluster_items where scope = 'resource'
group by all

-- Types of resources
select type, count(distinct item) as n from cluster_items where scope = 'resource' group by all
