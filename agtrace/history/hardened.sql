-- How far was each database hardened where its server changed its role, by the reference clock? 0:0:0: it does not know.
select distinct host_id, fields['database'] as "database", time - to_microseconds(coalesce(k.ahead_us, 0)) as time,
       fields['hardened_lsn'] as lsn, content_id, line
from messages
left join reference_clock k using (host_id)
where topic = 'state_information' and host_id is not null and time is not null and fields['hardened_lsn'] <> '0:0:0'
order by 3, content_id, line
