"""The screen ALiBi & family."""
