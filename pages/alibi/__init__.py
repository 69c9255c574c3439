"""The screen ALiBi."""
