-- Which groups are named?
create or replace table scratch.timeline_groups as
select distinct ag from scratch.timeline_told where ag is not null and ag <> '' limit 1000;
