"""The screen Relative, Shaw, T5."""
