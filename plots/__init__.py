"""Pure functions from arrays and labels to plotly figures; nothing here knows an encoding."""
