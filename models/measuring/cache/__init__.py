"""Measurements of keys that lie in a cache: moved to another place, or kept in few bits."""
