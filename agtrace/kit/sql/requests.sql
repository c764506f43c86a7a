PRINT '-- Requests --';
SELECT CONVERT(varchar(30), GETDATE(), 126) AS runtime, r.session_id, r.database_id, r.command, r.status,
    r.wait_type, r.wait_time, r.blocking_session_id, r.transaction_isolation_level, s.is_user_process,
    s.host_name, s.program_name, s.login_name
FROM sys.dm_exec_requests AS r
JOIN sys.dm_exec_sessions AS s ON s.session_id = r.session_id
WHERE r.blocking_session_id > 0
    OR r.command IN (N'DB STARTUP', N'PARALLEL REDO TASK', N'PARALLEL REDO HELP TASK');
PRINT '-- Head blockers --';
SELECT CONVERT(varchar(30), GETDATE(), 126) AS runtime, s.session_id AS head_blocker_session_id, s.host_name,
    s.program_name, s.login_name, s.is_user_process, t.transaction_begin_time, LEFT(q.text, 400) AS stmt_text
FROM sys.dm_exec_sessions AS s
LEFT JOIN sys.dm_tran_session_transactions AS st ON st.session_id = s.session_id
LEFT JOIN sys.dm_tran_active_transactions AS t ON t.transaction_id = st.transaction_id
LEFT JOIN sys.dm_exec_connections AS c ON c.session_id = s.session_id
OUTER APPLY sys.dm_exec_sql_text(c.most_recent_sql_handle) AS q
WHERE s.session_id IN (SELECT b.blocking_session_id FROM sys.dm_exec_requests AS b WHERE b.blocking_session_id > 0);
PRINT '-- Names of databases --';
SELECT d.database_id, d.name, d.recovery_model_desc FROM sys.databases AS d WHERE @look = 0;
