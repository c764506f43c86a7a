IF EXISTS (SELECT 1 FROM sys.dm_hadr_physical_seeding_stats)
BEGIN
    PRINT '-- AG_hadr_physical_seeding_stats --';
    SELECT SYSUTCDATETIME() AS sampled_utc, @@SERVERNAME AS server_name, p.*
    FROM sys.dm_hadr_physical_seeding_stats AS p;
END;
