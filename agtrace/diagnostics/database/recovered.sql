-- Which recoveries of databases took long, the longest of each database, and how many virtual log files has its log?
-- null: sql_instance, start, end, start_local, end_local, analysis_ms, redo_ms, undo_ms, vlf_limit, vlf_line, promoted_local, content_id, line, vlf_count, vlf_place, ag
with slow as (
    select *, count(*) over (partition by host_id, sql_instance, "database") as n
    from recoveries where seconds >= $least
    qualify row_number() over (partition by host_id, sql_instance, "database" order by seconds desc, "end_local") = 1
)
select s.*, coalesce(c.path, 'ERRORLOG') as path, v.vlf_count, v.place as vlf_place,
       (select any_value(ag) from database_states d where d."database" = s."database" and d.host_id = s.host_id) as ag
from slow s
left join contents c on c.content_id = s.content_id
left join (
    select d.host_id, d."database", max(d.vlf_count) as vlf_count,
           arg_max(coalesce(c.path, 'a snapshot') || coalesce(' line ' || d.line, ''), d.vlf_count) as place
    from databases d left join contents c on c.content_id = d.content_id
    where d.vlf_count is not null
    group by d.host_id, d."database"
) v on v.host_id = s.host_id and v."database" = s."database"
order by s.seconds desc, s.host_id, s."database";
