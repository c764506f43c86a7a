-- Which hosts have a replica of a group?
select host_id from timeline where ag <> '' and host_id is not null
union
select host_id from roles where host_id is not null
union
select host_id from replicas where is_local and host_id is not null
order by 1
