"""The screen Lab."""
