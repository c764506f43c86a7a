-- How far is each replica's clock ahead of its primary's, from stretch to stretch of ten seconds?
-- The log is taken to travel at once: the median of reception less sending is the skew. What the wire really took
-- that way lies in it, somewhere between nothing and all that block and acknowledgement took together on the
-- wire; nothing that two hosts write can tell the two ways apart. That sum is the spread, with what the median
-- itself may be off by, and with what the clocks drift apart within the stretch.
create or replace macro scratch.skew_spread(ahead, network, moment) as
    -- What both ways took is unknown, and so is the spread, where no acknowledgement was captured.
    if(median(network) < 0, 0, median(network))
    + (quantile_cont(ahead, 0.75) - quantile_cont(ahead, 0.25)) / sqrt(count(*))
    + if(max(moment) > min(moment), abs(regr_slope(ahead, moment)) * (max(moment) - min(moment)) / 2, 0);

create or replace table scratch.block_skews as
with pairs as (
    select p.h as primary_h, s.h as replica_h, p.t_sent as moment, s.t_received - p.t_sent as ahead,
           (s.t_received - p.t_sent) + (p.t_ack_received - s.t_ack_sent) as network
    from scratch.block_primary p
    join scratch.block_secondary s using (db, replica_id, id, attempt)
    where p.h <> s.h and p.t_sent is not null and s.t_received is not null
),
stretches as (
    select primary_h, replica_h, moment // 10000000 as stretch, count(*) as n, median(ahead) as ahead,
           scratch.skew_spread(ahead, network, moment) as spread
    from pairs group by all
),
-- One with few blocks is no better than its surroundings: ten minutes, or the whole.
wider as (
    select primary_h, replica_h, moment // 600000000 as stretch, count(*) as n, median(ahead) as ahead,
           scratch.skew_spread(ahead, network, moment) as spread
    from pairs group by all
)
select s.primary_h, s.replica_h, s.stretch,
       if(s.n >= 10, s.ahead, w.ahead) as ahead, coalesce(if(s.n >= 10, s.spread, w.spread), w.spread) as spread
from stretches s join wider w
  on w.primary_h = s.primary_h and w.replica_h = s.replica_h and w.stretch = s.stretch // 60;
