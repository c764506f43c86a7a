"""agtrace: drop a folder of SQL Server captures, get the answer."""
