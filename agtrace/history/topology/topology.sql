-- How is each group built? What a look shows counts before what a statement made it, and that before what else tells.
with named as (
    select ag, host_id from timeline where ag <> ''
    union all
    select ag, null from scratch.topology_told where ag <> ''
    union all
    select ag, host_id from roles where ag <> ''
),
hosts_of as (
    select ag, list_sort(list(distinct host_id) filter (host_id is not null)) as hosts from named group by ag
),
facts_of as (
    select ag, arg_min(cluster_type, (rank, -epoch(coalesce(time, 'epoch')))) filter (cluster_type is not null) as cluster_type,
           arg_min(is_basic, (rank, -epoch(coalesce(time, 'epoch')))) filter (is_basic is not null) as is_basic,
           arg_min(is_contained, (rank, -epoch(coalesce(time, 'epoch')))) filter (is_contained is not null) as is_contained,
           arg_min(is_distributed, (rank, -epoch(coalesce(time, 'epoch')))) filter (is_distributed is not null) as is_distributed,
           list_sort(list_distinct(flatten(list(members) filter (members is not null)))) as members, bool_or(is_link) as is_link,
           arg_min({'how': how, 'content_id': content_id, 'line': line}, (rank, -epoch(coalesce(time, 'epoch')), content_id, line)) as source
    from scratch.topology_told
    where ag is not null
    group by ag
),
pacemaker as (
    select distinct on (host_id) host_id, content_id from captures where reader = 'pacemaker' and host_id is not null order by host_id, path
),
external as (
    select h.ag, min(p.content_id) as content_id
    from hosts_of h, unnest(h.hosts) as t(host_id)
    join pacemaker p on p.host_id = t.host_id
    group by h.ag
),
sets as (
    -- Groups of the same hosts count at once: thousands of them share two.
    select h.hosts, count(*) filter (f.is_distributed is not true) as groups from hosts_of h left join facts_of f using (ag) group by h.hosts
),
hosts_shared as (
    select one.hosts, sum(other.groups) as groups
    from (select distinct a.hosts, b.hosts as others
          from (select hosts, unnest(hosts) as host_id from sets) a join (select hosts, unnest(hosts) as host_id from sets) b using (host_id)) one
    join sets other on other.hosts = one.others
    group by one.hosts
),
beside as (
    select h.ag,
           coalesce((select s.groups from hosts_shared s where s.hosts = h.hosts), 0)
               - (h.hosts is not null and h.ag not in (select ag from facts_of where is_distributed))::int as groups_beside,
           (select max(n) from (select host_id, count(distinct sql_instance) as n from captures where host_id is not null group by host_id) c
            where list_contains(h.hosts, c.host_id)) as instances_on_host,
           (select list(distinct n.host_id order by n.host_id) from scratch.instance_nodes n
            where n.is_cluster_instance and list_contains(h.hosts, n.host_id)) as cluster_instances
    from hosts_of h
),
joined as (
    select h.ag, coalesce(f.cluster_type, if(x.ag is not null, 'EXTERNAL', null)) as cluster_type, f.is_basic, f.is_contained, f.is_distributed,
           coalesce(f.members, []) as members, coalesce(f.is_link, false) as is_link, b.cluster_instances, b.groups_beside, b.instances_on_host,
           coalesce(f.source.how, if(x.ag is not null, 'log of Pacemaker', null)) as how,
           coalesce(f.source.content_id, x.content_id) as content_id, f.source.line as line
    from hosts_of h
    left join facts_of f using (ag)
    left join external x using (ag)
    left join beside b using (ag)
)
select ag,
       case when is_link then 'link' when is_distributed then 'distributed' when is_basic then 'basic' when is_contained then 'contained'
            when cluster_type = 'NONE' then 'read-scale' when cluster_type = 'EXTERNAL' then 'external' when how is not null then 'ordinary' end as kind,
       * exclude (ag, is_link)
from joined
order by ag
