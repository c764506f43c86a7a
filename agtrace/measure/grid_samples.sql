-- What did each series read in each step of its host's grid? Blank steps have no row.
-- The grid starts half a step before the first sample, so that jitter leaves a sample in its step.
select series_no,
       cast(floor((moment_us - first_us) / step_us + 0.5) as bigint) as step,
       avg(value) as value
from (
    select m.series_no, m.first_us, m.step_us, s.value,
           case when m.is_local then epoch_us(s.time_local) else epoch_us(s.time) end - m.ahead_us as moment_us
    from samples s
    join (from scratch.transport_series where series_no between $first and $last) m using (counter_id)
)
where moment_us >= coalesce($start_us, moment_us) and moment_us < coalesce($end_us, moment_us + 1)
group by series_no, step;
