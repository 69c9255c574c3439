"""The screen Measure a checkpoint."""
