-- Which samples and snapshots of its row versions and of tempdb does each server have from the time in which it had secondaries?
-- A server may have the primary of one group and a secondary of another.
with gauges as (
    select host_id, coalesce(sql_instance, 'MSSQLSERVER') as sql_instance, counter, time, time_local, value
    from counter_values
    -- A value beyond all memory and disks is damage.
    where object = 'SQLServer:Transactions' and host_id is not null and value between 0 and 1e15
      and counter in ('Version Store Size (KB)', 'Free Space in tempdb (KB)', 'Longest Transaction Running Time',
                        'Version Generation rate (KB/s)', 'Version Cleanup rate (KB/s)')
),
looks as (
    select host_id, coalesce(sql_instance, 'MSSQLSERVER') as sql_instance, unnest([
               {'counter': 'Version Store Size (KB)', 'value': size_kb}, {'counter': 'Free Space in tempdb (KB)', 'value': free_kb}
           ]) as told, time, time_local
    from version_stores
    where host_id is not null
),
-- Perfmon tells it more often than a collector looks: looks count where it does not.
every as (
    select *, 'perfmon' as source from gauges
    union all
    select host_id, sql_instance, told.counter, time, time_local, told.value::double, 'sys.dm_db_file_space_usage'
    from looks
    where told.value between 0 and 1e15
      and (host_id, sql_instance) not in (select (host_id, sql_instance) from gauges where counter = 'Version Store Size (KB)')
)
select e.*, r.is_readable, r.host_id is not null as is_secondary,
       exists (
           from readable_roles p
           where p.host_id = e.host_id and p.role = 'PRIMARY'
             and if(p.is_local or e.time is null,
                    e.time_local between coalesce(p.start_local, '-infinity') and coalesce(p.end_local, 'infinity'),
                    e.time between coalesce(p.start, '-infinity') and coalesce(p."end", 'infinity'))
       ) as is_primary_too
from every e
left join readable_roles r
  on r.host_id = e.host_id and r.role = 'SECONDARY'
 and if(r.is_local or e.time is null,
        e.time_local between coalesce(r.start_local, '-infinity') and coalesce(r.end_local, 'infinity'),
        e.time between coalesce(r.start, '-infinity') and coalesce(r."end", 'infinity'))
-- Views of tempdb are collected where it is short of room: they count where nothing tells the role of the server, too.
where r.host_id is not null
   or (e.source <> 'perfmon' and not exists (from roles k where k.host_id = e.host_id and k.role in ('PRIMARY', 'SECONDARY'))
       and not exists (from replicas p where upper(split_part(split_part(coalesce(p.node, p.replica), '\', 1), '.', 1)) = upper(e.host_id)
                                         and upper(p.secondary_connections) = 'NO'))
-- A server may have secondaries of several groups.
qualify row_number() over (
    partition by e.host_id, e.sql_instance, e.counter, e.time_local, e.source order by r.is_readable desc nulls last) = 1
