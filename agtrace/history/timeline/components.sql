-- Which components of sp_server_diagnostics changed to a state that is not clean, and what was short? A year has
-- millions of states: the one before is looked for in the files alone that hold one that is not clean.
with files as (
    select distinct content_id
    from component_health
    where state in ('warning', 'error')
),
states as (
    select time, content_id, seq, host_id, component, state,
           lag(state) over (partition by host_id, sql_instance, source, component order by time, seq) as previous
    from component_health
    where content_id in (from files) and host_id is not null and time is not null
),
changes as (
    select time, content_id, seq, host_id,
           {'kind': 'component_state', 'before': previous, 'after': state, 'value': null::double, 'unit': null::varchar,
            'sql_percent': null::double, 'text': concat('component ', component, ': ', state)} as u
    from states
    where state in ('warning', 'error') and state is distinct from previous
),
measured as (
    select c.*, coalesce(g.is_still, false) as is_still,
           if(g.is_still, if(g.is_sql_still, null, c.sql_cpu_percent), c.system_cpu_percent) as busy_percent
    from component_health c
    left join scratch.gauges g on g.content_id = c.content_id
),
short as (
    select time, content_id, seq, host_id, unnest([
        if(busy_percent >= $busy_percent,
           {'kind': 'processors_busy', 'before': null::varchar, 'after': null::varchar, 'value': busy_percent,
            'unit': '%', 'sql_percent': if(is_still, null, sql_cpu_percent),
            'text': if(is_still, concat('SQL Server ', sql_cpu_percent::integer, ' %; the gauge of the machine does not move'),
                                    concat('processors of the machine ', system_cpu_percent::integer, ' %, SQL Server ',
                                           sql_cpu_percent::integer, ' %'))}, null),
        if(interval_long_ios > 0,
           {'kind': 'long_io', 'before': null, 'after': null, 'value': interval_long_ios::double, 'unit': 'requests', 'sql_percent': null,
            'text': concat(interval_long_ios, ' I/O of more than 15 s')}, null),
        if(state in ('warning', 'error') and (last_notification = 'RESOURCE_MEMPHYSICAL_LOW' or out_of_memory_s > 0),
           {'kind': 'memory_low', 'before': null, 'after': null, 'value': available_memory_bytes, 'unit': 'B', 'sql_percent': null,
            'text': concat(last_notification, ', ', (available_memory_bytes / 1048576)::bigint, ' MB available')}, null),
        if(interval_dumps > 0,
           {'kind': 'dump', 'before': null, 'after': null, 'value': interval_dumps::double, 'unit': 'dumps', 'sql_percent': null,
            'text': concat(interval_dumps, ' requests for a dump')}, null),
        if(deadlocked_schedulers,
           {'kind': 'deadlocked_schedulers', 'before': null, 'after': null, 'value': null, 'unit': null,
            'sql_percent': null, 'text': 'deadlocked schedulers'}, null)]) as u
    from measured
    where host_id is not null and time is not null
      and (busy_percent >= $busy_percent or interval_long_ios > 0 or interval_dumps > 0 or deadlocked_schedulers
           or (component = 'resource' and state in ('warning', 'error')))
)
select 'Extended Events' as source, 2 as rank, content_id, seq as line, host_id as witness, host_id, time,
       null::timestamp as time_local, null::varchar as ag, null::varchar as replica, null::varchar as database,
       u.kind, u.before, u.after, u.value, u.unit, u.sql_percent, u.text
from (from changes union all from short)
where u is not null;
