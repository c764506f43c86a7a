-- Which distributed groups are there, and which of them are links of a managed instance?
select ag as dag, kind = 'link' as is_link from topology where is_distributed
union
select distinct s.ag, false from streams s where s.is_distributed and s.ag not in (select ag from topology where is_distributed)
order by dag;
