-- Which entries of each host stand next to the moments that are marked, and how far away: the first on either side is 1
-- apart, what tells of a mark 0, and what stands around the headline as near as its mark? Only entries of steps that hold
-- some of them are sorted: what steps before them hold is counted.
create or replace table scratch.lines_near as
with asked as (
    select unnest($moments) as moment, unnest($headline) as is_headline
), clock as (
    select host_id, coalesce(ahead_us, 0) as ahead_us
    from (select unnest($hosts) as host_id) left join reference_clock using (host_id)
), ordinary as (
/* ordinary */
), timed as (
    select o.host_id, o.time as written, o.time - to_microseconds(c.ahead_us) as time,
        (epoch_us(o.time) - c.ahead_us) // $step_us as step, o.source, o.content_id, o.line
    from ordinary o join clock c on c.host_id = o.host_id where o.time is not null
), counted as materialized (
    select host_id, step, sum(n) over (partition by host_id order by step rows unbounded preceding) - n as before, n
    from (select host_id, step, count(*) as n from timed group by host_id, step)
), witnesses as materialized (
    select distinct w.content_id, w.line
    from (select unnest(witnesses) as w from timeline where list_contains($moments, time))
), reached as (
    select a.host_id, coalesce(c.before, 0) - $around as first, coalesce(c.before + c.n, 0) + $around + 1 as last
    from (select *, epoch_us(moment) // $step_us as step from asked, (select distinct host_id from counted)) a
    asof left join counted c on c.host_id = a.host_id and c.step <= a.step
), wanted as materialized (
    select host_id, step, any_value(before) as before
    from (
        select c.* from counted c join reached r on r.host_id = c.host_id and c.before < r.last and c.before + c.n >= r.first
        union all
        select c.* from counted c
        semi join (select t.host_id, t.step from timed t semi join witnesses w on w.content_id = t.content_id and w.line = t.line) t
          on t.host_id = c.host_id and t.step = c.step
    )
    group by host_id, step
), placed as materialized (
    select t.*, (w.before + row_number() over (partition by t.host_id, t.step order by t.time, t.content_id, t.line))::bigint as place
    from timed t join wanted w on w.host_id = t.host_id and w.step = t.step
), stood as (
    select a.host_id, a.is_headline, coalesce(p.place, 0) as place
    from (select * from asked, (select distinct host_id from placed)) a
    asof left join (select host_id, time, max(place) as place from placed group by host_id, time) p
      on p.host_id = a.host_id and p.time <= a.moment
), near as (
    select host_id, place, min(apart) as apart
    from (
        select host_id, place + shift as place, if(is_headline, 1, if(shift > 0, shift, 1 - shift)) as apart
        from stood, (select unnest(range(1 - $around, $around + 1)) as shift)
    )
    group by host_id, place
)
select p.* exclude (step), if(w.line is null, n.apart, 0) as apart
from placed p
left join near n on n.host_id = p.host_id and n.place = p.place
left join witnesses w on w.content_id = p.content_id and w.line = p.line
where n.apart is not null or w.line is not null;
