"""Tests of the reader of grids."""
