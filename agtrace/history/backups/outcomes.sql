-- How did each backup and restore end? Message 18264 and its like, or a failure with its causes. Beside the messages of
-- backups these are what any session logs just before: a page that cannot be read (823, 824, 825), no memory (701, 802).
create or replace table scratch.backup_causes as
select scratch.backup_chain(f.chain, f.gap_ends, e.time_local) as chain, f.file * 1000000000000 + e.line as seq,
       e.time_local + f.zone as time_local, e.time, e.source, e.error::integer as message_id
from errorlog e join scratch.backup_files f using (content_id)
where e.error in (701, 802, 823, 824, 825, 829);

-- Which failure message closes which causes? The next closing one within 10 seconds.
create or replace table scratch.backup_failures as
with failed as (
    select *, fields['reason'] as reason, coalesce(fields['command'], fields['statement']) as command
    from scratch.backup_lines
    where topic = 'backup_failed'
),
closing as (
    select chain, seq, time_local from failed where reason = 'command_failed'
),
owned as (
    select f.*, case when epoch(c.time_local - f.time_local) <= 10 then c.seq end as owner
    from failed f asof left join closing c on f.chain = c.chain and f.seq <= c.seq
    union all by name
    select e.* exclude (source), c.seq as owner
    from scratch.backup_causes e asof join closing c on e.chain = c.chain and e.seq <= c.seq
    where epoch(c.time_local - e.time_local) <= 10
),
-- What no message closes stands alone, with what its session said within 10 seconds before it.
paced as (
    select *, coalesce(epoch(time_local - lag(time_local) over w) > 10, true) as is_apart
    from owned
    window w as (partition by session, owner is null order by seq)
),
-- A backup reads nothing but the files of its database: what it could not read is one of them.
lumped as (
    select *, sum(is_apart::integer) over (partition by session, owner is null order by seq) as lump,
           reason = 'read_failed' or (fields['action'] = 'read' and regexp_matches(fields['device'], '(?i)[.](?:mdf|ndf|ldf)$')) as is_unread
    from paced
)
select chain, max(seq) as seq, arg_max(time, seq) as time, arg_max(time_local, seq) as time_local,
       any_value(command) as command,
       any_value(fields['device']) filter (not coalesce(is_unread, false)) as device,
       coalesce(any_value(fields['device']) filter (is_unread),
                any_value(fields['file']) filter (reason = 'damaged_page')) as unread,
       any_value(database) as database, bool_or(session in (select session from scratch.backup_sessions where source similar to 'spid[0-9]+s')) as is_system,
       list(message_id order by seq) as message_ids, list(seq order by seq) as places
from lumped
group by chain, owner, case when owner is null then session end, case when owner is null then lump end;

create or replace table scratch.backup_outcomes as
with parsed as (
    select *, regexp_extract(
        command,
        '(?is)^\s*(BACKUP|RESTORE)(?:\s+(DATABASE|LOG))?(?:\s+(\[(?:[^\]]|\]\])+\]|"[^"]+"|[^\s;]+))?',
        ['operation', 'scope', 'database']
    ) as said
    from scratch.backup_failures
),
failed as (
    select chain, seq, time, time_local, 'failed' as status,
           lower(nullif(said.operation, '')) as operation,
           lower(nullif(said.scope, '')) as scope,
           case when upper(said.scope) = 'LOG' then 'log'
                when regexp_matches(command, '(?i)\bDIFFERENTIAL\b') then 'differential'
                when upper(said.operation) = 'BACKUP' then 'full' end as kind,
           coalesce(replace(nullif(trim(said.database, '[]"'), ''), ']]', ']'), database) as database,
           -- A restore reads its device, a backup the files of the database.
           if(upper(said.operation) = 'BACKUP', device, coalesce(device, unread)) as device_names,
           if(upper(said.operation) = 'BACKUP', unread, null) as unread_file,
           is_system and upper(said.operation) = 'BACKUP' and regexp_matches(device, '^\{?[0-9A-Fa-f-]{36}\}?$') as is_of_seeding,
           command, message_ids, places
    from parsed
),
completed as (
    select chain, seq, time, time_local, 'completed' as status, topic as operation,
           case fields['kind'] when 'log' then 'log' else 'database' end as scope,
           fields['kind'] as kind, database, fields['device_names'] as device_names,
           fields['first_lsn'] as first_lsn, fields['last_lsn'] as last_lsn,
           try_cast(fields['pages'] as bigint) as pages_dumped,
           try_cast(fields['devices'] as integer) as stripes, fields['device_type'] as media
    from scratch.backup_lines
    where topic in ('backup', 'restore')
)
select *, lower(database) as database_key
from (select * from completed union all by name select * from failed);

-- Which message 3014 belongs to which of them? It follows at once and names neither the database nor
-- the session. Between two moments at which none is open, as many of one as of the other belong
-- together: by pages where both say them, else in their order. Elsewhere only neighbours do.
create or replace table scratch.backup_rates as
with rates as (
    select chain, seq, time_local, time, operation, fields['statement'] as statement,
           case when fields['statement'] like '% LOG%' then 'log' else 'database' end as scope,
           try_cast(fields['pages'] as bigint) as pages,
           try_cast(fields['seconds'] as double) as seconds,
           try_cast(fields['mb_per_s'] as double) as mb_per_s
    from scratch.backup_lines where topic = 'backup_rate'
),
merged as (
    select chain, operation, scope, seq, time_local, true as is_outcome, coalesce(pages_dumped, 0) as pages
    from scratch.backup_outcomes where status = 'completed'
    union all
    select chain, operation, scope, seq, time_local, false, coalesce(pages, 0) from rates
),
paced as (
    select *, epoch(time_local - lag(time_local) over w) as since,
           lag(is_outcome) over w as before, lead(is_outcome) over w as after, lag(seq) over w as before_seq
    from merged
    window w as (partition by chain, operation, scope order by seq)
),
stretched as (
    select *, sum(coalesce(since > 5, true)::integer) over (
               partition by chain, operation, scope order by seq) as stretch
    from paced
),
balanced as (
    select *, sum(case when is_outcome then 1 else -1 end) over (
               partition by chain, operation, scope, stretch order by seq) as open
    from stretched
),
runs_apart as (
    select *, coalesce(sum((open = 0)::integer) over (
               partition by chain, operation, scope, stretch order by seq
               rows between unbounded preceding and 1 preceding), 0) as run
    from balanced
),
ranked as (
    select *, sum(case when is_outcome then 1 else -1 end) over (
               partition by chain, operation, scope, stretch, run) = 0 as is_even,
           row_number() over (partition by chain, operation, scope, stretch, run, is_outcome
                              order by case when scope = 'log' then 0 else pages end, seq) as place
    from runs_apart
),
paired as (
    select o.seq as outcome_seq, r.seq
    from ranked o join ranked r using (chain, operation, scope, stretch, run, place)
    where o.is_outcome and not r.is_outcome and o.is_even and o.seq < r.seq
    union all
    select before_seq, seq
    from ranked
    where not is_outcome and not is_even and before and coalesce(after, true) and since <= 5
)
select * from rates left join paired using (seq);
