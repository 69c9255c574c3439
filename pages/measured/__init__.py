"""The screen Extrapolation, measured."""
