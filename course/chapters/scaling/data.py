"""A token's cost in a real model by its place, its methods' extra cost, and keys."""

from models.results import losses, tables
from models.results.keys import keys


def data() -> dict[str, object]:
    """Bits of each thousand tokens, and found keys."""
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
    asked = {name: tables.Way(name, 4.0) for name in ("yarn", "yarn_no_temperature")}
    found = {name: keys(data, [way])[way] for name, way in asked.items()}
    return {
        "model": data.about.title,
        "trained": trained,
        "texts": len(six.texts),
        "places": one.middle.tolist(),
        "six": {name: _thousands(six, way) for name, way in ways.items()},
        "one": {name: _thousands(one, way) for name, way in ways.items()},
        "beyond": {
            name: round(float(six.gain(way, tables.SLIDE, trained, usual).mean), 2)
            for name, way in ways.items()
        },
        "keys": {name: int(one.right[:, -1].sum()) for name, one in found.items()},
        "asked": int(found["yarn"].asked[:, -1].sum()),
    }


def _thousands(found: losses.Bits, way: tables.Way) -> list[float]:
    """Bits per token in each thousand, mean over texts."""
    return [round(float(value), 2) for value in found.of[way].mean(0)]
