"""The screen Without positions."""
