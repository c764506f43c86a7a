-- In which logs, of those asked, did a group get its primary?
select distinct content_id
from raw_messages
where message_id = 19406 and fields['new_state'] = 'PRIMARY_NORMAL' and content_id in (select unnest($logs::varchar[]))
order by content_id;
