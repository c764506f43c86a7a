PRINT '-- ServerProperty --';
SELECT v.PropertyName, v.PropertyValue
FROM (VALUES
    (N'SQLServerName', CAST(SERVERPROPERTY('ServerName') AS nvarchar(256))),
    (N'MachineName', CAST(SERVERPROPERTY('MachineName') AS nvarchar(256))),
    (N'ComputerNamePhysicalNetBIOS', CAST(SERVERPROPERTY('ComputerNamePhysicalNetBIOS') AS nvarchar(256))),
    (N'ProductVersion', CAST(SERVERPROPERTY('ProductVersion') AS nvarchar(256))),
    (N'Edition', CAST(SERVERPROPERTY('Edition') AS nvarchar(256))),
    (N'UTCOffset_in_Hours',
        CAST(CAST(DATEPART(TZOFFSET, SYSDATETIMEOFFSET()) / 60.0 AS decimal(6, 2)) AS nvarchar(256)))
) AS v (PropertyName, PropertyValue);
