-- Which instances were started again, how had each ended, and what bounds its absence?
-- null: sql_instance, asked, last_sign, last_sign_by, missed_since, missed_by, content_id, line, asked_content_id, asked_line
-- null: last_sign_content_id
select * from restarts order by started, host_id, sql_instance, line
