-- Which ids do looks at servers name, all of them alike? An id with two names says nothing.
select kind, id, any_value(name) as name
from ag_names
where name <> '' and id not in ('', '00000000-0000-0000-0000-000000000000')
group by kind, id
having count(distinct lower(name)) = 1;
