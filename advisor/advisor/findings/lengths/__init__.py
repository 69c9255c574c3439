"""Findings about lengths and factors: which field says how far a model reads."""
