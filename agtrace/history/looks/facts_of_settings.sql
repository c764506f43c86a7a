-- How is the cluster set up, as facts of their own say (ClusterInfo)? The columns of cluster_settings.
with items as (
    select capture_id, item,
           max(value) filter (key = 'scope') as scope,
           max(value) filter (key = 'name') as name
    from facts
    where topic = 'cluster_setting'
    group by all
)
select f.capture_id, f.content_id, f.line, f.host_id, c.sql_instance, f.time_local, f.time,
       i.scope, i.name as item, f.key as setting, f.value, f.unit
from facts f
join items i using (capture_id, item)
left join captures c using (capture_id)
where f.topic = 'cluster_setting' and f.key not in ('scope', 'name')
