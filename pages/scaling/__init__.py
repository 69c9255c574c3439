"""The screen Linear, NTK, YaRN."""
