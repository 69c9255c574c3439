"""The lab from a terminal."""
