"""Mistakes that are easily made with positions: each beside its right form and what catches it."""
