-- When was the gate towards each replica closed and opened?
insert into scratch.commit_gates
select 'send gate', lower(target_availability_replica_id::varchar), _time, _seq, control_action::varchar = 'Set'
from events_hadr_transport_flow_control_action
where _time is not null and control_action is not null;
