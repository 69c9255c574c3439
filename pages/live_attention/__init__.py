"""The screen Attention of your sentence."""
