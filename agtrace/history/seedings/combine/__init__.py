"""What single captures tell, put together."""
