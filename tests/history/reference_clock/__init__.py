"""Tests of the relation reference_clock."""
