-- What the logs said, and what events said in the same words (filled from events.sql).
create or replace temp table backup_event_messages (
    content_id varchar, host_id varchar, line bigint, time_local timestamp, time timestamptz, source varchar,
    topic varchar, message_id integer, fields map(varchar, varchar)
);
create or replace temp view backup_messages as
select content_id, host_id, line, time_local, time, source, topic, message_id, fields from messages
union all
select * from backup_event_messages;
