PRINT '-- traceflags --';
DBCC TRACESTATUS (-1);
PRINT '-- sys.configurations --';
SELECT c.configuration_id, c.name, c.value, c.value_in_use FROM sys.configurations AS c;
PRINT '-- sys.databases --';
SELECT d.database_id, d.name, d.recovery_model_desc, d.log_reuse_wait_desc, d.state_desc, d.is_encrypted,
    d.replica_id, d.group_database_id
FROM sys.databases AS d;
