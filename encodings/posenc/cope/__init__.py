"""CoPE: positions counted by content."""
