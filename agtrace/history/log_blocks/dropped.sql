-- Which tables were the rows made of, and are not needed any more?
drop table scratch.block_part;
drop table scratch.block_hosts;
drop table scratch.block_primary;
drop table scratch.block_secondary;
drop table scratch.block_skews;
drop table scratch.block_contents;
drop table scratch.block_databases;
drop table scratch.block_names;
drop table scratch.block_modes;
