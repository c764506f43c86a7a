-- Which databases does each availability group have, as looks, counters, seedings and changes of role tell?
-- since is the first that tells of it: what was before is not known. Message 1480 names no group: of a server that is in one group alone, its databases are of that.
with apart as (
    select ag from topology where is_distributed
),
alone as (
    select host_id, min(ag) as ag from roles
    where ag is not null and ag not in (from apart)
    group by host_id having count(distinct ag) = 1
),
told as (
    select ag, "database", time as since from database_states
    union
    -- Counters leave the group open where a server has several: "A or B".
    select ag, "database", start from streams where not is_distributed and strpos(ag, ' or ') = 0
    union
    select ag, "database", coalesce("end", start) from seedings
    union
    select a.ag, m.fields['database'], m.time from log_messages m join alone a using (host_id) where m.topic = 'role_change'
)
select ag, lower("database") as database_key, min("database") as "database", min(since) as since
from told
where ag is not null and "database" is not null and ag not in (from apart)
group by all
order by ag, database_key
