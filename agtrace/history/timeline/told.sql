-- What do the files tell, each for itself? (filled by the queries beside this one)
create or replace table scratch.timeline_told (
    source varchar, rank integer, content_id varchar, line bigint, witness varchar, host_id varchar,
    time timestamptz, own_time timestamptz, ahead_us bigint, until timestamptz, time_local timestamp, ag varchar, replica varchar, database varchar,
    kind varchar, before varchar, after varchar, value double, unit varchar, sql_percent double,
    thing varchar, text varchar
);
