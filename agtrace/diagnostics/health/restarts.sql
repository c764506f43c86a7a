-- Which instances were started again, how had each ended, and what bounds its absence?
select * from restarts order by started, host_id, sql_instance, line
