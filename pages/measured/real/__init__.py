"""The pictures of the real model on *Extrapolation, measured*."""
