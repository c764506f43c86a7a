-- Ends what trace_flags_on.sql began. A flag that was on before for another reason is off then, too: DBCC TRACESTATUS (-1).
DBCC TRACEOFF ({{ plan.flags | join(", ") }}, -1);
