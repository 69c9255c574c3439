"""An empty page with one control and one chart: what Streamlit itself takes for a move."""

import numpy as np
import streamlit as st

from plots.figure import Figure
from ui.charts.component import chart

frequency = st.number_input("frequency", 1, 1000, value=1, key="frequency")
x = np.linspace(0, 1, 64)
drawn = {"type": "scatter", "x": x, "y": np.sin(frequency * x)}
chart(Figure([drawn], {"margin": {"t": 16, "r": 16, "b": 40, "l": 48}}), key="floor", alt="A sine")
