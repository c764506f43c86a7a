-- What was each host, as of the last that is known: the primary of a group, or a secondary of which kind?
with last as (
    select host_id, arg_max(role, coalesce(epoch_us(start), 0)) as role
    from roles where role in ('PRIMARY', 'SECONDARY') and host_id is not null
    group by ag, host_id
),
modes as (
    select replica_host_id as host_id, lower(max(commit_mode)) as mode
    from streams where replica_host_id is not null
    group by replica_host_id
    having count(distinct commit_mode) = 1
)
select l.host_id as host,
       if(bool_or(l.role = 'PRIMARY'), 'primary', trim(coalesce(any_value(m.mode), '') || ' secondary')) as role
from last l left join modes m using (host_id)
group by l.host_id
