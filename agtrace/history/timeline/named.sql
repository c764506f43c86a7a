-- Which groups, replicas and databases do the texts of messages name? (told in Python, by the wordings of 21 languages)
create or replace table scratch.timeline_named as
select unnest($message::varchar[]) as message, unnest($ag::varchar[]) as ag, unnest($replica::varchar[]) as replica,
       unnest($database::varchar[]) as database, unnest($before::varchar[]) as before, unnest($after::varchar[]) as after;
