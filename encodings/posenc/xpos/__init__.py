"""xPos: rotary positions that fade with distance."""
