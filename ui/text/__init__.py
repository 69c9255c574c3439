"""Typed text, its tokens, and attention computed on it."""
