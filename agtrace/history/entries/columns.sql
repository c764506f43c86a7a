-- Which columns, in their order and with their types, does the view of each Extended Event have?
SELECT table_name AS "table", list(column_name ORDER BY column_index) AS names,
    list(data_type ORDER BY column_index) AS kinds
FROM duckdb_columns()
WHERE starts_with(table_name, 'events_') AND NOT starts_with(column_name, '_') AND NOT ends_with(column_name, '__key')
GROUP BY ALL
