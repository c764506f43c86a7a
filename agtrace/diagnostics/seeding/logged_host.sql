-- Of which hosts was an ERRORLOG captured?
select host_id from log_messages where host_id is not null
union
select host_id from log_entries where host_id is not null and source = 'ERRORLOG';
