-- Which series were chosen? By number: role 0 is the counter itself, role 1 what it is divided by. A member is
-- what adds up (a series, or the instances of a host), a pair is what divides, a grp what is grouped.
create or replace table scratch.percentile_series as
select unnest($counter_id::bigint[]) as counter_id, unnest($role::bigint[]) as role, unnest($member::bigint[]) as member,
       unnest($pair::bigint[]) as pair, unnest($grp::bigint[]) as grp, unnest($content_no::bigint[]) as content_no;
