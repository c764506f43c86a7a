-- When did the cluster bring a name or an address online?
-- null: line
select regexp_extract(text, 'TransitionToState\((.{1,200})\) OnlinePending-->Online\.', 1) as resource, time, content_id, line
from cluster_log
where time is not null and contains(text, 'OnlinePending-->Online.')
order by time, content_id, line
