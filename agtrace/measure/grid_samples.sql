-- What did each series read in each step of its host's grid? Blank steps have no row.
-- The grid starts half a step before the first sample, so that jitter leaves a sample in its step.
select series_no,
       cast(floor((moment_us - first_us) / step_us + 0.5) as bigint) as step,
       avg(value) as value
from (
    select series_no, first_us, step_us, value,
           case when is_local then epoch_us(time_local) else epoch_us(time) end - ahead_us as moment_us
    from scratch.sampled('scratch.transport_series')
    where series_no between $first and $last
)
where moment_us >= coalesce($start_us, moment_us) and moment_us < coalesce($end_us, moment_us + 1)
group by series_no, step;
