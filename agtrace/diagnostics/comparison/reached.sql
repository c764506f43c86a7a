-- Until when does the ERRORLOG of each host reach?
select host_id as host, max(time) as time from errorlog
where host_id is not null and time is not null group by host_id;
