-- What does the last start of each host's server, or the last look at it, tell of its version and machine, and what was
-- captured of it?
-- null: instance, version, product, level, edition, os, processors, memory_mb, first, last
with known as (
    select distinct host_id from captures
    where host_id is not null and not starts_with(coalesce(host_source, ''), 'placeholder')
    union
    select distinct host_id from counters where host_id is not null
), said as (
    select host_id, content_id, time_local, line, version, product, level, edition, os, logical_processors, memory_mb
    from server_starts
    union all by name
    select host_id, content_id, time_local, line, version, level, edition, logical_processors from server_properties
), machines as (
    select host_id, arg_max(version, (time_local, line)) as version,
           -- Product and level are those of the last version.
           arg_max(coalesce(product, ''), (time_local, line)) filter (version is not null) as product,
           arg_max(coalesce(level, ''), (time_local, line)) filter (version is not null) as level,
           arg_max(edition, (time_local, line)) as edition, arg_max(os, (time_local, line)) as os,
           arg_max(logical_processors, (time_local, line)) as processors, arg_max(memory_mb, (time_local, line)) as memory_mb
    from said
    where host_id is not null
    group by host_id
), captured as (
    select host_id, list(distinct kind order by kind) as kinds, min(first_time) as first, max(last_time) as last,
           string_agg(distinct sql_instance, ', ' order by sql_instance) as instance
    from captures where status = 'ingested' group by host_id
)
select k.host_id, c.instance, m.version, nullif(m.product, '') as product, nullif(m.level, '') as level, m.edition, m.os, m.processors,
       m.memory_mb, coalesce(c.kinds, []) as kinds, c.first, c.last
from known k left join machines m using (host_id) left join captured c using (host_id)
order by k.host_id
