PRINT '-- AG_hadr_automatic_seeding --';
SELECT SYSUTCDATETIME() AS sampled_utc, @@SERVERNAME AS server_name, d.name AS database_name,
    ag.name AS ag_name, s.*
FROM sys.dm_hadr_automatic_seeding AS s
LEFT JOIN sys.databases AS d ON d.group_database_id = s.ag_db_id
LEFT JOIN sys.availability_groups AS ag ON ag.group_id = s.ag_id;
