-- Which value did each option of a group or of its replicas have last, set by a statement or seen at a look?
select ag, coalesce(replica, '') as replica, option, arg_max(value, (coalesce(time, '-infinity'), option_id)) as value
from group_options
where ag is not null and option is not null and value is not null
group by ag, coalesce(replica, ''), option
order by ag, replica, option
