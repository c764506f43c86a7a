-- Which values did each resource have: the chosen instances, summed at each instant?
create or replace view scratch.usage_series as
select s.number as "window", s.host, c.resource, s.time, sum(s.value * c.scale) as value,
       min(s.step_us) as step_us
from scratch.usage_samples s
join scratch.usage_chosen c
  on (s.number, s.host, s.resource, s.rank, s.instance)
   = (c.number, c.host, c.counted, c.rank, c.instance)
group by all;
