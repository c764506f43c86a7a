"""Captures whose truth is known: writers of each format, and drawn lives of groups, chains and commits.

Tests, benchmarks and sample_data use it; agtrace never does.
"""
