"""The course: plain pages of words and pictures, made without a session and served as files."""
