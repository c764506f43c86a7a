-- Does any log tell that a version store was full (full.sql)?
select 1 from log_entries
where source = 'ERRORLOG'
  and (error in (3958, 3959, 3966, 3967) or starts_with(text, 'Version store is full.')
       or starts_with(text, 'Insufficient space in tempdb'))
limit 1
