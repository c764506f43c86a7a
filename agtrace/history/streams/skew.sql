-- What do entries that both hosts logged say of how their clocks differ, and of which time?
select host_id, other_host_id, ms / 1000 as seconds,
       epoch_us(first_time) / 1e6 as first_s, epoch_us(last_time) / 1e6 as last_s
from skew
where ms is not null;
