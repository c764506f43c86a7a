-- Which failures of seeding did the ERRORLOGs report, and which end does each tell of? The reason's
-- hundreds digit says it; else what the same host says within 10 seconds: a statement that was
-- terminated, or a traced operation; else the role that the host had then.
with failures as (
    select content_id, host_id, line, time, topic, message_id, fields['database'] as database, fields['ag'] as ag,
           fields['reason'] as reason, fields['reason_text'] as reason_text
    from log_messages
    where (topic = 'seeding_failed' or (topic = 'seeding_trace' and fields['reason'] is not null)) and time is not null
),
signs as (
    select host_id, time, case when fields['statement'] ilike 'BACKUP%' then 'source'
                               when fields['statement'] ilike 'RESTORE%' then 'target' end as role
    from log_messages where topic = 'backup_failed'
    union all
    select host_id, time, case when fields['role'] ilike 'secondary%' then 'target' else 'source' end
    from log_messages where topic = 'seeding_trace' and fields['role'] is not null
    union all
    select host_id, time, case try_cast(fields['reason'] as integer) // 100 when 1 then 'source' when 2 then 'target' end
    from log_messages where topic = 'seeding_trace' and fields['reason'] is not null
),
near as (
    select f.content_id, f.line, arg_min(s.role, abs(epoch(s.time - f.time))) as role
    from failures f join signs s on s.host_id = f.host_id and abs(epoch(s.time - f.time)) <= 10
    where s.role is not null
    group by f.content_id, f.line
),
roles as (
    select host_id, time, case when coalesce(fields['new_role'], fields['new_state']) ilike 'PRIMARY%' then 'source'
                               when coalesce(fields['new_role'], fields['new_state']) ilike 'SECONDARY%' then 'target' end as role
    from log_messages where topic in ('role_change', 'replica_state') and time is not null
),
held as (
    select f.content_id, f.line, r.role
    from failures f asof join (from roles where role is not null) r on r.host_id = f.host_id and r.time <= f.time
)
select f.host_id, f.line, f.time, f.message_id, nullif(f.database, '$') as database, f.ag, coalesce(e.message, f.reason) as message,
       case when f.topic = 'seeding_trace' then try_cast(f.reason as integer) end as state, f.reason_text,
       coalesce(n.role, h.role) as role
from failures f
left join near n using (content_id, line)
left join held h using (content_id, line)
left join errorlog e on e.content_id = f.content_id and e.line = f.line
order by f.time, f.content_id, f.line;
