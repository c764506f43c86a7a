"""The two seeding DMVs: their columns, values and facts."""
