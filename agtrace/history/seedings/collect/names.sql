-- What do guids stand for? Groups, replicas and databases, by whatever names one.
with hosts_of as (
    select content_id, arg_min(host_id, path) as host_id from captures where content_id is not null group by content_id
),
replicas as (
    select availability_replica_id as guid, availability_replica_name as name from scratch.seeding_naming
    union all
    select fields['replica_id'], fields['replica'] from messages where topic in ('connection', 'database_connection')
    union all
    select fields['from_replica_id'], fields['from_replica'] from messages where topic = 'connection'
),
-- On one host a database id stands for one database at a time; where it was used again it says nothing.
ids as (
    select host_id, database_id, any_value(database) as database
    from scratch.seeding_reports where database_id is not null and database is not null
    group by host_id, database_id having count(distinct lower(database)) = 1
),
told as (
    select 'group' as kind, availability_group_id as guid, availability_group_name as name from scratch.seeding_naming
    union all
    select 'replica', guid, name from replicas
    union all
    select 'database', n.ag_database_id, i.database
    from scratch.seeding_naming n join hosts_of h on h.content_id = n._content_id
    join ids i on i.host_id = h.host_id and i.database_id = n.database_id
)
select kind, trim(lower(guid), '{} ') as guid, any_value(name) as name
from told
where nullif(name, '') is not null and trim(lower(guid), '{} ') not in ('', '00000000-0000-0000-0000-000000000000')
group by kind, trim(lower(guid), '{} ')
having count(distinct lower(name)) = 1;
