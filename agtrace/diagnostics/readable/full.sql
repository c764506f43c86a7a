-- When was the version store of a server full while it had secondaries, how often was that logged, and which readers lost?
-- 3959: no version could be added. 3967: a transaction is the victim, named by its session and how long it ran. 3958 and
-- 3966: a reader was ended. 1105 counts where it names tempdb. Numbers tell them in any language; a log that leaves the
-- number out is told by its English words. Entries at most $apart_s seconds apart are one.
-- null: start, end, space_place, victim_s, victim
with written as (
    select content_id, line, host_id, sql_instance, time, time_local, text,
           case when error is not null then error
                when starts_with(text, 'Version store is full.') then 3959
                when starts_with(text, 'Insufficient space in tempdb to hold row versions.') then 3967 end as error
    from log_entries
    where source = 'ERRORLOG' and host_id is not null and time_local is not null
),
told as (
    select w.*, w.error = 1105 as is_space
    from written w
    where (w.error in (3958, 3959, 3966, 3967) or (w.error = 1105 and contains(lower(w.text), 'tempdb')))
      and exists (
        from readable_roles r
        where r.host_id = w.host_id and r.role = 'SECONDARY'
          and if(r.is_local or w.time is null,
                 w.time_local between coalesce(r.start_local, '-infinity') and coalesce(r.end_local, 'infinity'),
                 w.time between coalesce(r.start, '-infinity') and coalesce(r."end", 'infinity')))
),
stepped as (
    select *, coalesce(epoch(time_local) - epoch(lag(time_local) over w) > $apart_s, true)::int as is_new
    from told window w as (partition by host_id, sql_instance order by time_local, content_id, line)
),
numbered as (
    select *, sum(is_new) over (partition by host_id, sql_instance order by time_local, content_id, line) as episode
    from stepped
)
select n.host_id, coalesce(n.sql_instance, 'MSSQLSERVER') as sql_instance, min(n.time) as start, max(n.time) as "end",
       min(n.time_local) as start_local, max(n.time_local) as end_local,
       count(*) filter (n.error = 3959) as not_added, count(*) filter (n.error = 3967) as victims,
       count(*) filter (n.error in (3958, 3966)) as ended, count(*) filter (n.is_space) as no_space,
       arg_min(coalesce(c.path, 'ERRORLOG') || coalesce(' line ' || n.line, ''), n.time_local) filter (not n.is_space) as place,
       arg_min(coalesce(c.path, 'ERRORLOG') || coalesce(' line ' || n.line, ''), n.time_local) filter (n.is_space) as space_place,
       max(try_cast(regexp_extract(n.text, 'elapsed_time=(\d{1,10})', 1) as bigint)) filter (n.error = 3967) as victim_s,
       arg_max(try_cast(nullif(regexp_extract(n.text, 'spid=(\d{1,6})', 1), '') as bigint),
               try_cast(regexp_extract(n.text, 'elapsed_time=(\d{1,10})', 1) as bigint)) filter (n.error = 3967) as victim,
       bool_or(exists (
           from readable_roles p
           where p.host_id = n.host_id and p.role = 'PRIMARY'
             and if(p.is_local or n.time is null,
                    n.time_local between coalesce(p.start_local, '-infinity') and coalesce(p.end_local, 'infinity'),
                    n.time between coalesce(p.start, '-infinity') and coalesce(p."end", 'infinity')))) as is_primary_too
from numbered n
left join (select content_id, min(path) as path from captures group by content_id) c on c.content_id = n.content_id
group by n.host_id, n.sql_instance, n.episode
having count(*) filter (not n.is_space) > 0
order by n.host_id, start_local;
