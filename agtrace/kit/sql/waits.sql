IF @look % 4 = 0
BEGIN
    PRINT '-- dm_os_wait_stats --';
    SELECT CONVERT(varchar(30), GETDATE(), 126) AS runtime, w.waiting_tasks_count, w.wait_time_ms,
        w.max_wait_time_ms, w.signal_wait_time_ms, w.wait_type
    FROM sys.dm_os_wait_stats AS w
    WHERE w.waiting_tasks_count > 0;
    PRINT '-- File Stats (full) --';
    SELECT CONVERT(varchar(30), GETDATE(), 126) AS runtime, f.database_id AS DbId, f.file_id AS FileId,
        f.num_of_reads AS NumberReads, f.num_of_bytes_read AS BytesRead, f.io_stall_read_ms AS IoStallReadMS,
        f.num_of_writes AS NumberWrites, f.num_of_bytes_written AS BytesWritten,
        f.io_stall_write_ms AS IoStallWriteMS, m.type_desc, DB_NAME(f.database_id) AS [database],
        m.physical_name AS [file]
    FROM sys.dm_io_virtual_file_stats(NULL, NULL) AS f
    JOIN sys.master_files AS m ON m.database_id = f.database_id AND m.file_id = f.file_id;
END;
