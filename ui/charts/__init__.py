"""The one chart, what is drawn with it, and the one way to choose and follow a point."""
