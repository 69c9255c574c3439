"""Links that carry numbers from one screen to another."""
