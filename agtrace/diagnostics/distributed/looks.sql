-- Which hops of distributed groups did looks at the sending servers show, as each stood last?
-- A server knows of other replicas only where it is the primary of a group: the global primary of the distributed one,
-- the forwarder of its own. Times of commits are by one clock: that of the global primary.
-- null: time, time_local, queue, rate, redo_queue, secondary_lag_s, commit_lag_s, suspend_reason
with spans as (
    select ag as dag from topology where is_distributed
),
told as (
    select s.dag, upper(r.replica) as member, r.is_local, r.role, r.capture_id, r.time_local
    from spans s join replicas r on r.ag = s.dag
),
receiving as (
    select dag, member, arg_max(role, time_local) as role from told where role is not null group by all having arg_max(role, time_local) = 'SECONDARY'
),
heads as (
    -- Who has the primary role of each group, and so receives for it or sends for it.
    select upper(ag) as member, arg_max(case when coalesce(sql_instance, 'MSSQLSERVER') = 'MSSQLSERVER' then host_id else host_id || '\' || sql_instance end, time_local) as host
    from replicas where is_local and role = 'PRIMARY' and host_id is not null group by all
),
own as (
    select capture_id, ag, "database", max(last_commit_local) as last_commit from database_states where is_local group by all
),
hops as (
    select t.dag, d.ag, true as is_between, coalesce(h.host, d.replica) as receiver, h.host is null as is_group, d.* exclude (ag)
    from database_states d
    join (select distinct dag, capture_id from told where is_local and role = 'PRIMARY') t on t.dag = d.ag and t.capture_id = d.capture_id
    left join heads h on h.member = upper(d.replica)
    union all by name
    select r.dag, d.ag, false as is_between, d.replica as receiver, false as is_group, d.* exclude (ag)
    from database_states d
    join receiving r on r.member = upper(d.ag)
)
select p.dag, p.ag, p.is_between, coalesce(case when coalesce(p.sql_instance, 'MSSQLSERVER') = 'MSSQLSERVER' then p.host_id else p.host_id || '\' || p.sql_instance end, '') as sender, p.receiver, p.is_group, p."database", p.time, p.time_local,
       p.log_send_queue_kb * 1024 as queue, p.log_send_rate_kb_s * 1024 as rate, p.redo_queue_kb * 1024 as redo_queue,
       p.secondary_lag_s, epoch(o.last_commit - p.last_commit_local) as commit_lag_s, coalesce(p.is_suspended, false) as is_suspended,
       p.suspend_reason, coalesce(c.path, p.capture_id) || coalesce(' line ' || p.line, '') as place
from hops p
left join own o on o.capture_id = p.capture_id and o.ag = p.ag and o."database" = p."database"
left join captures c on c.capture_id = p.capture_id
where not coalesce(p.is_local, false) and p.receiver is not null and p."database" is not null
  and coalesce(p.log_send_queue_kb, p.secondary_lag_s, epoch(o.last_commit - p.last_commit_local)) is not null
qualify row_number() over (partition by p.dag, p.is_between, p.host_id, p.receiver, p."database" order by p.time_local desc nulls last, p.line) = 1
order by p.dag, p.is_between desc, sender, receiver, p."database";
