-- Stops the events of the kit "{{ kind.name }}" and takes the session away. Its files stay in the log folder of the instance.
IF EXISTS (SELECT 1 FROM sys.dm_xe_sessions WHERE name = N'{{ session }}')
    ALTER EVENT SESSION {{ session }} ON SERVER STATE = STOP;
GO
IF EXISTS (SELECT 1 FROM sys.server_event_sessions WHERE name = N'{{ session }}')
    DROP EVENT SESSION {{ session }} ON SERVER;
GO
