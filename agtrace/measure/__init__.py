"""Perfmon measurements over any window of any host, and the statistics based on them."""
