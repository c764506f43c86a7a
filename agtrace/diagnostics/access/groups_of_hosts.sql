-- Which groups does each host have a replica of?
select distinct ag, host_id from (
    select ag, host_id from timeline where ag <> '' and host_id is not null
    union all
    select ag, host_id from roles where ag <> '' and host_id is not null
    union all
    select ag, host_id from replicas where ag <> '' and is_local and host_id is not null
    union all
    select ag, host_id from listeners where ag <> '' and host_id is not null
)
order by ag, host_id
