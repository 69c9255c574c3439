"""Mistakes that real code makes with positions: each beside its right form and what catches it."""
