-- Which hosts ran a bulk copy or a ping, whose output was captured?
SELECT DISTINCT host_id FROM network_facts WHERE topic IN ('robocopy', 'ping');
