"""What the scripts of a kit leave behind, on servers whose life is known."""
