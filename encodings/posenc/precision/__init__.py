"""Effects of low precision on rotary angles."""
