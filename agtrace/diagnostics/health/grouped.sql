-- Which hosts have a replica of a group?
select host_id from timeline where ag is not null and host_id is not null
union
select host_id from roles where host_id is not null
union
select host_id from replicas where is_local and host_id is not null
order by 1
