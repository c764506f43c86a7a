-- How far was each database hardened where its server changed its role? 0:0:0 means that it does not know.
select distinct host_id, fields['database'] as "database", time, fields['hardened_lsn'] as lsn, content_id, line
from messages
where topic = 'state_information' and host_id is not null and time is not null and fields['hardened_lsn'] <> '0:0:0'
order by time, content_id, line
