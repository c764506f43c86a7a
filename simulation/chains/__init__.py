"""Drawn chains of log transport, each hop with its capacity, and what perfmon would have shown."""
