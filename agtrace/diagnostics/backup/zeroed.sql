-- Which files were filled with zeros, and what does the last start of the server say of instant file initialisation?
-- null: host_id, sql_instance, database, seconds, bytes, time, time_local, operation, instant
with said as (
    select host_id, arg_max(instant_file_initialization, time_local) as instant
    from server_starts
    where host_id is not null
    group by host_id
)
select z.*, s.instant
from (select *, row_number() over () as place from zeroed_files) z left join said s using (host_id)
order by z.place;
