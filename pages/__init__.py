"""The screens, a folder each: `screen.py`, its parts, its words."""
