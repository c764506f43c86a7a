-- Which replicas does each group have, as looks at it show them?
select distinct ag, replica from replicas where ag <> '' and replica is not null order by ag, replica
