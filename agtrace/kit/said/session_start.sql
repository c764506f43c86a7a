-- Starts the events of the kit "{{ kind.name }}". Needs ALTER ANY EVENT SESSION. session_stop.sql takes it away again.
IF EXISTS (SELECT 1 FROM sys.server_event_sessions WHERE name = N'{{ session }}')
    DROP EVENT SESSION {{ session }} ON SERVER;
GO
CREATE EVENT SESSION {{ session }} ON SERVER
{% for event in plan.events %}    ADD EVENT sqlserver.{{ event }}{{ "," if not loop.last }}
{% endfor %}    ADD TARGET package0.event_file (SET filename = N'{{ session }}', max_file_size = ({{ file_mb }}), max_rollover_files = ({{ files }}))
    WITH (MAX_MEMORY = 64 MB, EVENT_RETENTION_MODE = ALLOW_MULTIPLE_EVENT_LOSS, STARTUP_STATE = OFF);
GO
{% if plan.guarded_events %}-- What not every build has is added where the server knows it.
{% for event in plan.guarded_events %}IF EXISTS (SELECT 1 FROM sys.dm_xe_objects WHERE object_type = N'event' AND name = N'{{ event }}')
    ALTER EVENT SESSION {{ session }} ON SERVER ADD EVENT sqlserver.{{ event }};
GO
{% endfor %}{% endif %}ALTER EVENT SESSION {{ session }} ON SERVER STATE = START;
GO
