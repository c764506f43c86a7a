"""Runs in which a database was brought to a secondary: by backup, restore and join, or by automatic seeding.

Nothing is kept in the store: they are found among backups, seedings and joins when a comparison asks.
"""
