-- Which stretches of time does each source of each host and instance cover? Files join where one goes on where the
-- other ends: ERRORLOGs by their numbers, what is written at a steady pace where no step is missing.
with named as (
    select distinct on (c.content_id, c.host_id)
           c.content_id, c.host_id, c.sql_instance, c.path, c.interval_s,
           regexp_extract(c.path, '[^/\\]*$') as name
    from captures c
    where c.host_id is not null and c.superseded_by is null
    order by c.content_id, c.host_id, c.path
),
numbered as (
    select *, regexp_extract(path, '(?i)^(.*errorlog)(?:\.([0-9]{1,3}))?$', ['stem', 'number']) as place from named
),
-- Of a perfmon log each machine and instance that its series name.
seen as (
    select n.* exclude (host_id, sql_instance, place), n.place, n.host_id, n.sql_instance
    from numbered n
    where n.content_id not in (select content_id from counters)
    union all
    select distinct n.* exclude (host_id, sql_instance, place), n.place, k.host_id, k.sql_instance
    from numbered n
    join counters k using (content_id)
    where k.host_id is not null
    union all
    -- One log may hold the counters of several machines and be of none.
    select distinct c.content_id, c.path, c.interval_s, '' as name,
           {'stem': '', 'number': ''} as place, k.host_id, k.sql_instance
    from captures c
    join counters k using (content_id)
    where c.host_id is null and c.superseded_by is null and k.host_id is not null
),
pieces as (
    select s.host_id, s.sql_instance, s.content_id, p.is_utc, p.segment, p.low, p.high, p.n, p.first_local, p.last_local,
           p.silence, p.silence_end, s.place, s.path,
           case p.told
               when 'ticks' then 'perfmon' when 'errorlog' then 'ERRORLOG' when 'cluster_log' then 'cluster log'
               when 'os_events' then 'event log' when 'look' then 'support output'
               else case when s.name ilike '%alwayson_health%' then 'AlwaysOn_health'
                         when s.name ilike '%system_health%' then 'system_health'
                         when s.name ilike '%\_sqldiag\_%' escape '\' then 'SQLDIAG'
                         else coalesce(k.source, 'other Extended Events') end
           end as source,
           if(p.told = 'ticks', s.interval_s, y.expected_s) as expected_s, if(p.told = 'ticks', 'samples', y.expected) as expected
    from seen s
    join scratch.coverage_spans p using (content_id)
    left join scratch.coverage_steady y using (content_id)
    left join scratch.coverage_sessions k using (content_id)
),
-- The log before goes on in this one, whatever lies between: nobody wrote then. So does a perfmon log after rows
-- that are missing.
follow as (
    select p.*, max(o.high) as before
    from pieces p
    left join pieces o
      on (p.source = 'perfmon' and o.content_id = p.content_id and o.host_id = p.host_id
          and o.sql_instance is not distinct from p.sql_instance and o.is_utc = p.is_utc
          and o.segment = p.segment - 1)
      or p.source = 'ERRORLOG' and o.source = 'ERRORLOG' and o.host_id = p.host_id
     and o.sql_instance is not distinct from p.sql_instance and o.is_utc = p.is_utc
     and p.place['stem'] <> '' and o.place['stem'] = p.place['stem']
     and coalesce(try_cast(o.place['number'] as integer), 0) = coalesce(try_cast(p.place['number'] as integer), 0) + 1
     and p.segment = 0 and o.high <= p.low
    group by all
),
reaching as (
    select *, least(low, coalesce(before, low), low - coalesce(($gap_steps * expected_s * 1e6)::bigint, 0)) as since
    from follow
),
ordered as (
    select *, max(high) over (partition by host_id, sql_instance, source, is_utc order by since, high
                              rows between unbounded preceding and 1 preceding) as reached
    from reaching
),
islands as (
    select *, count(if(reached is null or since > reached, 1, null))
                  over (partition by host_id, sql_instance, source, is_utc order by since, high rows unbounded preceding) as island,
           -- What lies between two files is silence, too.
           if(reached is not null and since <= reached and low > reached and low - reached > coalesce(silence, 0),
              low - reached, silence) as quiet,
           if(reached is not null and since <= reached and low > reached and low - reached > coalesce(silence, 0),
              low, silence_end) as quiet_end
    from ordered
)
select host_id, sql_instance, source,
       if(is_utc, make_timestamptz(min(low)), null) as first, if(is_utc, make_timestamptz(max(high)), null) as last,
       min(first_local) as first_local, max(last_local) as last_local,
       sum(n)::bigint as records, count(distinct content_id) as captures,
       max(quiet) / 1e6 as longest_silence_s,
       if(is_utc, make_timestamptz(arg_max(quiet_end - quiet, quiet)), null) as silent_from,
       if(is_utc, make_timestamptz(arg_max(quiet_end, quiet)), null) as silent_to,
       max(expected_s) as expected_s, max(expected) as expected
from islands
group by host_id, sql_instance, source, is_utc, island
order by host_id, sql_instance nulls first, source, is_utc desc, min(low);
