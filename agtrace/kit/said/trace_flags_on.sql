-- Lets backups and restores write their phases, buffers and files into the ERRORLOG. trace_flags_off.sql ends it.
DBCC TRACEON ({{ plan.flags | join(", ") }}, -1);
