-- What did each capture give: topics of messages and facts, and counters?
select distinct content_id, 'topic' as kind, topic as name from facts
union
select distinct content_id, 'topic', topic from messages
union
select distinct content_id, 'counter', object || '\' || counter from counters where object is not null and counter is not null
