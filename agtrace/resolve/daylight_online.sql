-- When did a group come online on a server, by what the cluster wrote in UTC? Its log, where it is written so.
insert into scratch.daylight_online
select o.host_id, e.time_written,
       lower(regexp_extract(e.text, 'TransitionToState\((.{1,200})\) OnlinePending-->Online\.', 1))
from raw_cluster_log e
join contents o using (content_id)
where e.component = 'RCM' and contains(e.text, 'OnlinePending-->Online.') and o.host_id is not null
  and e.content_id in (select content_id from raw_facts where topic = 'cluster_log' and key = 'written_in' and value = 'utc');
