"""The course: its contents, its terms, its questions."""
