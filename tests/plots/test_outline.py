import numpy as np

from plots.heatmap import heatmap, outline


def test_the_frame_runs_along_the_edges_of_its_cells():
    figure = heatmap(np.zeros((5, 7)), title="t", x_title="x", y_title="y", signed=True)
    outline(figure, (2, 3), (1, 6))
    for shape in figure.layout.shapes:
        assert (shape.x0, shape.x1, shape.y0, shape.y1) == (0.5, 5.5, 1.5, 2.5)
    assert len(figure.layout.shapes) == 2
