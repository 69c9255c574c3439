"""Engines' plans for the key/value cache, one file each: `plan` gives bytes on each card."""
