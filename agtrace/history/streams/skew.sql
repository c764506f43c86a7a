-- What do entries that both hosts logged say of how their clocks differ, how much of it does the reference clock leave, and
-- of which time do they tell?
select s.host_id, s.other_host_id, s.ms / 1000 as seconds,
       s.ms / 1000 - (coalesce(a.ahead_us, 0) - coalesce(b.ahead_us, 0)) / 1e6 as left_s,
       (epoch_us(s.first_time) - coalesce(a.ahead_us, 0)) / 1e6 as first_s, (epoch_us(s.last_time) - coalesce(a.ahead_us, 0)) / 1e6 as last_s
from skew s
left join reference_clock a on a.host_id = s.host_id
left join reference_clock b on b.host_id = s.other_host_id
where s.ms is not null;
