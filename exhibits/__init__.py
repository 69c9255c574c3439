"""Exhibits of the screens: pitfalls, answers, portraits, numbers reached in two ways."""
