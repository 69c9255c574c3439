"""T5's relative bias."""
