-- Which commits were the slowest, when, and where did they spend their time?
select t_first as time, database, replica, bytes, commits, commit_ms, capture_ms, compression_ms, send_ms, network_ms,
       remote_ms, receive_ms, decompression_ms, remote_harden_ms, acknowledgement_ms, local_harden_ms, log_block_id
from log_blocks
where commit_ms is not null and commit_mode is distinct from 'asynchronous'
order by commit_ms desc, log_block_id
limit 50;
