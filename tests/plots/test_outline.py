import numpy as np

from plots.heatmap import heatmap, outline
from tests.drawn import as_plotly


def test_the_frame_runs_along_the_edges_of_its_cells():
    plain = heatmap(np.zeros((5, 7)), title="t", x_title="x", y_title="y", signed=True)
    figure = as_plotly(outline(plain, (2, 3), (1, 6)))
    assert "shapes" not in plain.layout
    for shape in figure.layout.shapes:
        assert (shape.x0, shape.x1, shape.y0, shape.y1) == (0.5, 5.5, 1.5, 2.5)
    assert len(figure.layout.shapes) == 2
