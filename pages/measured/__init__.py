"""The screen Measured curves."""
