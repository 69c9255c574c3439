"""The site around the screens: the menu above them, and what their addresses say."""
