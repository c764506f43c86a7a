-- How was each server, group and cluster set? Several values where it changed meanwhile, in order of time where
-- that is known.
with said as (
    select 'host' as kind, host_id as item, 'TCP ' || replace(key, '_', ' ') as setting, value, unit,
           coalesce(epoch_us(time), epoch_us(time_local), 0) as us
    from facts where topic = 'tcp_global'
    union all
    select 'host', host_id, replace(key, '_', ' '), value, unit,
           coalesce(epoch_us(time), epoch_us(time_local), 0)
    from facts
    where topic = 'startup'
      and list_contains(['product_version', 'edition', 'os', 'logical_processors', 'licensed_processors',
                         'memory_mb', 'locked_pages', 'instant_file_initialization', 'default_collation'], key)
    union all
    select 'host', host_id, 'power plan', value, null, coalesce(epoch_us(time), epoch_us(time_local), 0)
    from facts where topic = 'power_plan' and key = 'active'
    union all
    select 'host', host_id, 'trace flag ' || flag, if(is_on, 'on', 'off'), null, coalesce(epoch_us(start), 0)
    from trace_flags where is_on is not null
    union all
    select 'host', host_id, option, value, null, coalesce(epoch_us(start), epoch_us(start_local), 0)
    from server_options
    union all
    select if(replica is null, 'ag', 'replica'), coalesce(ag, '') || chr(31) || coalesce(upper(replica), ''), option, value,
           null, coalesce(epoch_us(time), 0)
    from group_options
    union all
    select if(scope = 'member', 'host', scope), if(scope = 'cluster', '', if(scope = 'member', upper(item), item)),
           setting, value, unit, coalesce(epoch_us(time), epoch_us(time_local), 0)
    from cluster_settings
),
-- A value that is told again is no change.
told as (
    select kind, item, setting, value, any_value(unit) as unit, min(us) as first
    from said where item is not null and value is not null
    group by all
)
select kind, item, setting, list(value order by first, value) as values, any_value(unit) as unit,
       count(distinct first) filter (first > 0) = count(*) as is_in_order
from told
group by all
order by all
