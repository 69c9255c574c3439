"""The one attention: its formula, its rows for long texts, its masks, and what is read from it."""
