"""The course in the browser: its chapters, compiled for `static/course/`."""
