-- When did gates of flow control close and open? (filled by the queries beside this one)
create or replace table scratch.commit_gates (what varchar, gate varchar, time timestamptz, seq bigint, is_set boolean);
