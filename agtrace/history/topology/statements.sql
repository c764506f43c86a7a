-- What do the statements say that made a group, or joined one?
with made as (
    select e.availability_group_name as ag, e._content_id as content_id, e._seq as line, e._time as time,
           left(e.statement::varchar, 8000) as statement
    from events_alwayson_ddl_executed e
    where e.availability_group_name <> ''
      and regexp_matches(e.statement::varchar, '^\s*(create\s+availability\s+group|alter\s+availability\s+group\s+\S+\s+join)\b', 'i')
),
cut as (
    select *, regexp_matches(statement, '^\s*create\b', 'i') as is_created,
           regexp_extract(statement, '^[^()]*\bwith\s*\(([^()]*)\)', 1, 'is') as options,
           regexp_extract(statement, '\bavailability\s+group\s+on\b(.*)$', 1, 'is') as replicas
    from made
)
insert into scratch.topology_told by name
select ag, content_id, line, time, if(is_created, 'CREATE AVAILABILITY GROUP', 'ALTER AVAILABILITY GROUP .. JOIN') as how, 2 as rank,
       if(replicas <> '', null,
          coalesce(nullif(upper(regexp_extract(options, '\bcluster_type\s*=\s*(\w+)', 1, 'i')), ''), if(is_created, 'WSFC', null))) as cluster_type,
       if(is_created, regexp_matches(options, '\bbasic\b', 'i'), null) as is_basic,
       if(is_created, regexp_matches(options, '\bcontained\b', 'i'), null) as is_contained,
       if(is_created or replicas <> '', replicas <> '' or regexp_matches(options, '\bdistributed\b', 'i'), null) as is_distributed,
       if(replicas = '', null,
          list_transform(regexp_extract_all(replicas, 'N?''([^'']{1,128})''\s*with\s*\(', 1, 'is'), lambda name: upper(name))) as members,
       if(replicas = '', null, regexp_matches(replicas, '\.database\.(windows\.net|chinacloudapi\.cn|usgovcloudapi\.net)', 'i')) as is_link
from cut;
