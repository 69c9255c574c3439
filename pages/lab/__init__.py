"""The screen Trained models."""
