-- Which kinds of captures are there of each host that a group's events name?
select host_id as host, kind, path
from captures
where host_id is not null and kind is not null
order by all
