"""The screen Side by side."""
