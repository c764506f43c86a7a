"""Simulators: small physical models that write captures whose cause is known."""
