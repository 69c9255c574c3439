"""What low precision does to rotary angles."""
