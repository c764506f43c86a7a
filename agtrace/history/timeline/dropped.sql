-- Which tables was the timeline made of, and are not needed any more?
drop table scratch.timeline_told;
drop table scratch.timeline_groups;
drop table scratch.timeline_kinds;
drop table if exists scratch.timeline_named;
drop table if exists scratch.gauges;
