-- What do guids stand for? What events and messages say comes first, then what was looked up on servers; an id with two
-- names says nothing.
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
named as (
    select 1 as place, 'group' as kind, availability_group_id as guid, availability_group_name as name
    from scratch.seeding_naming
    union all
    select 1, 'replica', guid, name from replicas
    union all
    select 1, 'database', n.ag_database_id, i.database
    from scratch.seeding_naming n join hosts_of h on h.content_id = n._content_id
    join ids i on i.host_id = h.host_id and i.database_id = n.database_id
    union all
    select 2, kind, id, name from ag_names
),
sure as (
    select place, kind, if(place = 1, trim(lower(guid), '{} '), guid) as id, any_value(name) as name
    from named
    where nullif(name, '') is not null
    group by place, kind, id
    having count(distinct lower(name)) = 1
)
select kind, id as guid, name from sure
where id not in ('', '00000000-0000-0000-0000-000000000000')
order by place;
