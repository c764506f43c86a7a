-- Which entries of ERRORLOGs did the sessions of a server keep as events, by its own host?
create or replace table scratch.daylight_kept (host_id varchar, moment timestamp, words ubigint);
-- And which connections, by any host?
create or replace table scratch.daylight_connected (host_id varchar, moment timestamp, ids varchar[]);
-- And when did the cluster bring which group online?
create or replace table scratch.daylight_online (host_id varchar, moment timestamp, ag varchar);
