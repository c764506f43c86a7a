-- Which hosts have a replica of a group?
select host_id from timeline
where host_id is not null
  -- Only a replica of a group writes these.
  and (ag <> '' or kind in ('connection_timeout', 'connection_failed', 'database_connected', 'database_disconnected', 'database_role',
                            'movement_suspended', 'node_offline', 'cluster_unavailable', 'workers_exhausted'))
union
select host_id from roles where host_id is not null
union
select host_id from replicas where is_local and host_id is not null
order by 1
