-- Of which hosts does something tell of some topics?
select host_id from facts where list_contains($names, topic)
union
select host_id from messages where list_contains($names, topic)
