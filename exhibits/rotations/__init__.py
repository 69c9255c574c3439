"""What holds for rotary positions, and what goes wrong in the other layout."""
