-- How far is the clock of each host ahead of the common one?
create or replace table scratch.timeline_clocks as
select unnest($hosts::varchar[]) as host_id, unnest($ms::double[]) as skew_ms;
