-- Which databases does each group have, and since when is that known?
-- null: since
select ag, database_key, "database", since from group_databases order by ag, database_key;
