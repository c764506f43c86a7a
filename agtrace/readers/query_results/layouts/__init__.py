"""Layouts in which tools show and save the result of a query; a module each."""
