"""One setting, every dialect."""
