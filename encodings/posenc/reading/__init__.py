"""One way of reading a text with rotary positions, and what it does to the scores."""
