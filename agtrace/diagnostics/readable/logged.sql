-- Does any log tell that a version store was full (full.sql)?
select 1 from errorlog
where error in (3958, 3959, 3966, 3967) or starts_with(message, 'Version store is full.') or starts_with(message, 'Insufficient space in tempdb')
limit 1
