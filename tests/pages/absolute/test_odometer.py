"""7 against 8: what the browser is sent is posenc's, and what it reports reaches the controls."""

import numpy as np

from posenc import sinusoidal_table
from tests.pages.drive import moving, open_screen, sentences


def sent(app) -> dict:
    return moving(app, "odometer")


def test_columns_are_those_of_posenc_in_every_layout() -> None:
    waves = {"s": np.sin, "c": np.cos, "0": np.zeros_like}
    widths = (("interleaved", 7), ("concatenated", 8), ("tensor2tensor", 7), ("interleaved", 1))
    for layout, width in (*widths, ("tensor2tensor", 1)):
        settings = {"layout": layout, "d_model": str(width), "length": "40", "base": "500"}
        data = sent(open_screen("absolute", view="odometer", **settings))
        rows = np.stack(
            [
                waves[letter](np.arange(40) * theta)
                for theta, letter in zip(data["theta"], data["wave"], strict=True)
            ],
            axis=1,
        )
        table = sinusoidal_table(40, width, 500.0, layout).numpy()
        np.testing.assert_allclose(rows, table, rtol=0, atol=1e-13)


def test_places_past_the_end_and_large_tables() -> None:
    app = open_screen("absolute", view="odometer", length="8")
    assert (sent(app)["at"]["a"], sent(app)["at"]["b"]) == (7, 7)
    assert any("7 and 7 are shown" in caption.value for caption in app.caption)
    for size in ({"d_model": "513"}, {"length": "8193"}):
        app = open_screen("absolute", view="odometer", **size)
        (sentence,) = sentences(app)
        assert "at most 512 numbers" in sentence
        assert not sent(app)
    assert sent(open_screen("absolute", view="odometer", length="8192"))
