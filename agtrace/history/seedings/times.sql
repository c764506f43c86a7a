-- Which values may captures hold that mean nothing? A time that no server had, an empty guid.
create or replace macro scratch.seeding_time(moment) as
    case when moment between timestamp '1990-01-01' and timestamp '2200-01-01' then moment end;
create or replace macro scratch.seeding_guid(guid) as
    nullif(nullif(lower(trim(guid)), '00000000-0000-0000-0000-000000000000'), '');
