"""Drawn log blocks, hop by hop, and the events that both ends would have written."""
