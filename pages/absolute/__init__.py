"""The screen Sinusoidal & learned."""
