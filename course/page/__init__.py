"""Parts that all plain pages share."""
