-- Which databases were seeded, and since when?
select distinct "database", start from seedings where "database" is not null and start is not null order by all
