"""Queries scaled by their positions, and layers that do not rotate."""
