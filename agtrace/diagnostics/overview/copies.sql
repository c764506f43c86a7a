-- Which hosts ran a bulk copy or a ping, whose output was captured?
SELECT DISTINCT host_id FROM facts WHERE topic IN ('robocopy', 'ping');
