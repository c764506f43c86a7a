"""What the cases of sample_data are written from."""
