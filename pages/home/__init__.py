"""The screen How a transformer knows where its tokens are."""
