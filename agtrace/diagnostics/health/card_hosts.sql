-- What does the last start of each host's server, or the last look at it, tell of its version and machine, and what was
-- captured of it?
-- null: instance, version, product, level, edition, os, processors, memory_mb, first, last
with known as (
    select distinct host_id from captures
    where host_id is not null and not starts_with(coalesce(host_source, ''), 'placeholder')
    union
    select distinct host_id from counters where host_id is not null
), told as (
    select f.host_id, f.content_id, f.item, f.time_local, f.line, f.value,
           case f.key when 'ProductVersion' then 'product_version' when 'ProductUpdateLevel' then 'level'
                      when 'Edition' then 'edition' when 'cpu_count' then 'logical_processors' else f.key end as key
    from facts f
    where f.topic in ('startup', 'server_property') and f.value is not null and f.host_id is not null
), versions as (
    select host_id, arg_max(struct_pack(value := value, content_id := content_id, time_local := time_local),
                            (time_local, line)) as last
    from told where key = 'product_version' group by host_id
), machines as (
    select host_id, arg_max(value, (time_local, line)) filter (key = 'edition') as edition,
           arg_max(value, (time_local, line)) filter (key = 'os') as os,
           arg_max(value, (time_local, line)) filter (key = 'logical_processors') as processors,
           arg_max(value, (time_local, line)) filter (key = 'memory_mb') as memory_mb
    from told group by host_id
), levels as (
    select v.host_id, max(t.value) filter (t.key = 'level') as level, max(t.value) filter (t.key = 'product') as product
    from versions v join told t on t.host_id = v.host_id and t.content_id = v.last.content_id
         and t.time_local is not distinct from v.last.time_local
    group by v.host_id
), captured as (
    select host_id, list(distinct kind order by kind) as kinds, min(first_time) as first, max(last_time) as last,
           string_agg(distinct sql_instance, ', ' order by sql_instance) as instance
    from captures where status = 'ingested' group by host_id
)
select k.host_id, c.instance, v.last.value as version, l.product, l.level, m.edition, m.os, m.processors, m.memory_mb,
       coalesce(c.kinds, []) as kinds, c.first, c.last
from known k left join versions v using (host_id) left join levels l using (host_id) left join machines m using (host_id)
left join captured c using (host_id)
order by k.host_id
