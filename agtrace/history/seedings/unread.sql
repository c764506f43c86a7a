-- Which backups of seedings failed? A system session made them; the message about the file of the database that could not
-- be read decides, else the first that is no echo of the virtual device (995), else 3041.
select host_id, content_id, failure_lines[place] as line, "end" as time, message_ids[place] as message_id, "database", null::varchar as ag,
       failure_texts[place] as message, null::integer as state, null::varchar as reason_text, 'source' as role
from (
    select *, coalesce(list_position(list_transform(failure_texts, lambda t: contains(t, unread_file)), true),
                       list_position(list_transform(failure_texts, lambda t: contains(t, ' 995(')), false), 1) as place
    from backups
    where is_of_seeding and "end" is not null and host_id is not null and len(failure_texts) = len(message_ids)
)
order by time, content_id, line;
