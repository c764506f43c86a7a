-- Which files were filled with zeros, and what does the last start of the server say of instant file initialisation?
with said as (
    select host_id, arg_max(value, time_local) as instant
    from facts
    where topic = 'startup' and key = 'instant_file_initialization' and host_id is not null
    group by host_id
)
select z.*, s.instant
from (select *, row_number() over () as place from zeroed_files) z left join said s using (host_id)
order by z.place;
