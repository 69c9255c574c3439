"""Transformer-XL: sinusoids of the relative distance."""
