-- When was the gate of each database closed and opened?
insert into scratch.commit_gates
select 'database gate', lower(database_replica_id::varchar), _time, _seq, control_action::varchar = 'Set'
from events_hadr_database_flow_control_action
where _time is not null and control_action is not null;
