"""Drawn lives of availability groups, and the files that their nodes would have written."""
