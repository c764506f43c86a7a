"""How any counter is distributed: which series are meant, and their quantiles, group by group."""
