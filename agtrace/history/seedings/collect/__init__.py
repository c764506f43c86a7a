"""What single captures tell of seedings."""
