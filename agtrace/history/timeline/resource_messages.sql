-- What did the cluster's resource of a group say (SQLDIAG files)? Its texts are English everywhere.
select 'Extended Events' as source, 2 as rank, e._content_id as content_id, e._seq as line, o.host_id as witness,
       o.host_id, e._time as time, null::timestamp as time_local, null::varchar as ag,
       null::varchar as replica, null::varchar as database,
       case when contains(e.data, 'diagnostics heartbeat is lost') then 'health_timeout'
            when regexp_matches(e.data, 'the state of .{1,60} component is error') then 'health_error'
            when contains(e.data, 'service is not alive') then 'server_died'
            when contains(e.data, 'returned a process id 0') then 'server_died'
            when scratch.monitor_failure(e.data) is not null then 'monitor_failed'
            when contains(e.data, 'lease is expired') or contains(e.data, 'lease is no longer valid')
              or contains(e.data, 'Lease timeout detected') or contains(e.data, 'Lease renewal failed') then 'lease_lost'
       end as kind,
       null::varchar as before, scratch.monitor_failure(e.data) as after, null::double as value, null::varchar as unit,
       left(e.data, 400) as text
from (select * from events_info_message where starts_with(data, '[hadrag]')) e
join (select content_id, min(host_id) as host_id, min(sql_instance) as sql_instance from captures group by content_id) o on o.content_id = e._content_id
where o.host_id is not null and e._time is not null and kind is not null;
