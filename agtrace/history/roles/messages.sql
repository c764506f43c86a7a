-- What did the ERRORLOGs say about roles: states of replicas (19406), roles of databases (1480)?
select m.host_id, m.sql_instance, m.topic, epoch_us(m.time) / 1e6 as time_s, epoch_us(m.time_local) / 1e6 as local_s,
       m.fields['ag'] as ag, m.fields['database'] as database,
       coalesce(m.fields['old_state'], m.fields['old_role']) as before,
       coalesce(m.fields['new_state'], m.fields['new_role']) as after
from log_messages m
where m.topic in ('role_change', 'replica_state') and m.host_id is not null
order by m.host_id, m.time_local, m.line;
