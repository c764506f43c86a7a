-- Which value had each configuration option of a server, and from when to when?
-- Message 15457 tells the value before a change and the one after it: what it was before the first
-- change is known as well, what it is without any change is not.
with changes as (
    select distinct on (m.host_id, m.sql_instance, m.option, m.time_local)
           m.host_id, m.sql_instance, m.option, m.old_value, m.new_value, m.time, m.time_local,
           m.content_id, m.line
    from (
        select m.*, c.sql_instance, fields['option'] as option, fields['old_value'] as old_value,
               fields['new_value'] as new_value
        from messages m
        left join (select content_id, any_value(sql_instance) as sql_instance from captures group by content_id) c
          using (content_id)
        where topic = 'option_changed'
    ) m
    where m.host_id is not null and m.option is not null
    order by m.host_id, m.sql_instance, m.option, m.time_local, m.line desc
),
placed as (
    select *, lead(time) over w as next_time, lead(time_local) over w as next_local,
           row_number() over w as place
    from changes
    window w as (partition by host_id, sql_instance, option order by time_local)
),
stretches as (
    select host_id, sql_instance, option, old_value as value, null::timestamptz as start, time as "end",
           null::timestamp as start_local, time_local as end_local, content_id, line
    from placed
    where place = 1
    union all
    select host_id, sql_instance, option, new_value, time, next_time, time_local, next_local, content_id, line
    from placed
)
select s.*, 'message 15457' as what, c.path
from stretches s
left join (select content_id, min(path) as path from captures group by content_id) c using (content_id)
order by host_id, sql_instance, option, end_local nulls last, start_local nulls first;
