"""The screen Why position."""
