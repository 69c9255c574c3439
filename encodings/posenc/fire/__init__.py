"""FIRE: a network reads the distance."""
