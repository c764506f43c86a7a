-- By how much is the clock of each host ahead of the other's?
-- null: ms, spread_ms
SELECT * FROM skew ORDER BY host_id, other_host_id;
