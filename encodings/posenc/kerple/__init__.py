"""Kerple: a logarithmic or power penalty on distance."""
