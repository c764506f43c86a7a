-- One look at the server: reads only. Needs VIEW SERVER STATE.
SET NOCOUNT ON;
PRINT 'Start time: ' + CONVERT(varchar(30), GETDATE(), 126);
{{ blocks }}
