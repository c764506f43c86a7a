"""Interactive methods of an opened case: tables, plots, searches and the explorer."""
