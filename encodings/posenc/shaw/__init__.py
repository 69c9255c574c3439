"""Shaw's relative positions."""
