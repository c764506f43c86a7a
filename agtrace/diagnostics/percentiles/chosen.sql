-- The chosen series: role 0 is the counter itself, role 1 what it is divided by.
create or replace temp table percentile_series as
select unnest($counter_id) as counter_id, unnest($role) as role, unnest($host) as host,
       unnest($sql_instance) as sql_instance, unnest($name) as name, unnest($instance) as instance;
