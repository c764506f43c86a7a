"""Tests of the relation recoveries."""
