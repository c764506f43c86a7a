PRINT '-- sql server performance counters --';
SELECT CONVERT(varchar(23), SYSDATETIME(), 121) AS runtime, c.object_name, c.counter_name, c.instance_name,
    c.cntr_value, c.cntr_type
FROM sys.dm_os_performance_counters AS c
WHERE SUBSTRING(c.object_name, CHARINDEX(N':', c.object_name) + 1, 128) IN ({{ objects }});
