-- What did the ERRORLOGs say about roles (1480, 19406) and about data movement (35264, 35265)?
select host_id, topic, message_id, content_id, line,
       epoch_us(time) / 1e6 as time_s, epoch_us(time_local) / 1e6 as local_s,
       fields['ag'] as ag, fields['database'] as database,
       coalesce(fields['old_state'], fields['old_role']) as before,
       coalesce(fields['new_state'], fields['new_role']) as after,
       fields['reason'] as reason
from messages
where topic in ('role_change', 'replica_state', 'data_movement') and host_id is not null
order by host_id, time_local, line;
