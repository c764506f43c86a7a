-- On which node did each start of an instance run? English logs only: the message is in no table of translations.
-- A node is named by its NetBIOS name, which is the beginning of a longer one.
with told as (
    select e.host_id, e.content_id, e.line, e.time,
           upper(regexp_extract(e.message, '^The NETBIOS name of the local node that is running the server is ''([^'']{1,63})''', 1)) as node
    from errorlog e
    where starts_with(e.message, 'The NETBIOS name of the local node that is running the server is ''')
),
instances as (
    select content_id, min(sql_instance) as sql_instance from captures group by content_id
)
select t.host_id, i.sql_instance, t.time, t.node,
       left(upper(split_part(t.host_id, '.', 1)), 15) <> left(split_part(t.node, '.', 1), 15) as is_cluster_instance,
       t.content_id, t.line
from told t
left join instances i using (content_id)
where t.host_id is not null and t.node <> ''
order by t.host_id, t.time nulls first, t.content_id, t.line
