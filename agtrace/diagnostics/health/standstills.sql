-- Who stood still, in order of time?
-- null: sql_instance, clock_gained_s
-- not null: witnesses.time, witnesses.kind
select * from standstills order by start, host_id
