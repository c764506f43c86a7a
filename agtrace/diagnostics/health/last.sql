-- Until when do the captures reach whose time is known?
select max(last_time) as last from captures where last_time is not null
