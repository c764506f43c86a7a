-- Which stretches of time are to be looked at?
create or replace table scratch.usage_windows as
select unnest($number::bigint[]) as number, unnest($host::varchar[]) as host,
       unnest($start_us::bigint[])::double as start_us, unnest($end_us::bigint[])::double as end_us,
       unnest($is_local::boolean[]) as is_local;
