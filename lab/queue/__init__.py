"""Jobs: what may be ordered, who does it, and how it survives."""
