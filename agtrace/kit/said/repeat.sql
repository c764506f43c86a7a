-- Looks at the server every 15 seconds: reads only. Needs VIEW SERVER STATE.
-- sqlcmd puts the number of minutes in: sqlcmd -v Minutes={{ kind.minutes }} -i {{ file }}
SET NOCOUNT ON;
{{ server }}
DECLARE @until datetime2(0) = DATEADD(MINUTE, $(Minutes), SYSDATETIME()), @look int = 0;
WHILE SYSDATETIME() < @until
BEGIN
    PRINT '';
{% if tells_time %}    PRINT 'Start time: ' + CONVERT(varchar(30), GETDATE(), 126);
{% endif %}{{ blocks | indent(4, first=true) }}
    SET @look = @look + 1;
    RAISERROR ('', 0, 1) WITH NOWAIT;
    WAITFOR DELAY '00:00:15';
END;
