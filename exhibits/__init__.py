"""What screens argue with: pitfalls, answers, portraits, numbers reached in two ways."""
