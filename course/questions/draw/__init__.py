"""Small pictures in SVG: plain numbers in, text out. They are read at a width of 360 pixels."""
