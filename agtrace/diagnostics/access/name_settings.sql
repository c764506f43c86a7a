-- How are the names of listeners registered, as far as an output of the cluster's parameters tells?
-- null: item
select item, setting, any_value(value order by time desc nulls last, content_id, line) as value
from cluster_settings
where setting in ('RegisterAllProvidersIP', 'HostRecordTTL') and value is not null
group by item, setting
order by item, setting
