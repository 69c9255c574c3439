"""What was measured of a real model and ships: numbers, curves paired by text, shares of keys."""
