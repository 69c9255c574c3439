"""A token's cost in a real model by its place, and its methods' extra cost."""

from models.results import losses, tables

DRAWN = ("none", "window", "ntk")
"""Methods of which a curve is drawn."""


def data() -> dict[str, object]:
    """Bits of each thousand tokens, and those that a method costs more."""
    data = tables.load()
    trained = data.about.trained
    usual = tables.usual_length(data.losses)
    ways = {
        "none": tables.PLAIN,
        "window": tables.SLIDE,
        **{
            name: tables.Way(method, 4.0)
            for name, method in (
                ("linear", "linear"),
                ("ntk", "ntk"),
                ("yarn", "yarn"),
                ("parts", "ntk_by_parts"),
                ("llama3", "llama3"),
            )
        },
    }
    six, one = (
        losses.bits(data, length, list(ways.values()))
        for length in (usual, tables.lengths(data.losses)[-1])
    )
    return {
        "model": data.about.title,
        "trained": trained,
        "texts": len(six.texts),
        "places": one.middle.tolist(),
        "six": {name: _thousands(six, ways[name]) for name in DRAWN},
        "one": {name: _thousands(one, ways[name]) for name in DRAWN},
        "beyond": {
            name: round(float(six.gain(way, tables.SLIDE, trained, usual).mean), 2)
            for name, way in ways.items()
        },
    }


def _thousands(found: losses.Bits, way: tables.Way) -> list[float]:
    """Bits per token in each thousand, mean over texts."""
    return [round(float(value), 2) for value in found.of[way].mean(0)]
