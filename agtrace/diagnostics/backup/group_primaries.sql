-- From when to when did some captured server have the primary role of each group?
select ag, host_id, start, "end" from roles
where role = 'PRIMARY' and ag is not null and host_id is not null and start_local is null and end_local is null
order by ag, start nulls first;
