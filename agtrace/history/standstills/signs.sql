-- Which signs of life surround and break each stretch in which a sample was late? Those of the instance are what it wrote
-- itself; those of its machine are all else that was written there, the cluster's resource of the group among it.
with late as (
    select unnest($place::integer[]) as place, unnest($host::varchar[]) as host_id, unnest($instance::varchar[]) as sql_instance,
           unnest($since::timestamptz[]) as since, unnest($until::timestamptz[]) as until
),
signs as (
    select l.place, w.of_machine, w.time - to_microseconds(coalesce(k.ahead_us, 0)) as time
    from late l
    left join reference_clock k using (host_id)
    join (/* written */) w
      on w.host_id = l.host_id
     and w.time between l.since + to_microseconds(coalesce(k.ahead_us, 0)) and l.until + to_microseconds(coalesce(k.ahead_us, 0))
     and (w.of_machine or w.sql_instance is null or l.sql_instance is null or w.sql_instance = l.sql_instance)
)
select place, of_machine, time from signs
group by all
order by place, time
