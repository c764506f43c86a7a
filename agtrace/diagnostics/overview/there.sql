-- What does the case have of what support tools never collect, whoever captured it?
SELECT 'TCP settings' AS kind FROM facts WHERE topic = 'tcp_global'
UNION
SELECT 'counters over time' FROM counters
UNION
SELECT 'seeding events' FROM information_schema.tables WHERE table_name = 'events_hadr_physical_seeding_progress';
