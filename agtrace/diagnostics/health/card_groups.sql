-- How is each group built, and what did the last look at it show?
-- null: kind, cluster_type, failure_condition_level, health_check_timeout_ms
with looks as (
    select ag, arg_max(failure_condition_level, time_local) as failure_condition_level,
           arg_max(health_check_timeout_ms, time_local) as health_check_timeout_ms
    from groups where ag is not null group by ag
)
select t.ag, t.kind, t.cluster_type, l.failure_condition_level, l.health_check_timeout_ms
from topology t left join looks l using (ag)
where t.ag is not null
order by t.ag
