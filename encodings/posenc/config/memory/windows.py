"""Whether everything that rotates sees a window only."""

from posenc.config.data import Config
from posenc.config.memory.cache import layer_kinds, window_of
from posenc.config.memory.sizes import Sizes


def widest_window(config: Config) -> int | None:
    """The widest window of the layers that rotate; None where one of them sees everything.

    Args:
        config: A model's configuration.

    Returns:
        Tokens; None as well where the file does not say what its layers see.
    """
    try:
        sizes = Sizes.of(config)
        kinds = layer_kinds(config, sizes)
        turning = config.rope_layers or (True,) * len(kinds)
        seen = [
            window_of(sizes, kind)
            for kind, turns in zip(kinds, turning, strict=False)
            if turns and kind not in ("state", "nothing")
        ]
    except ValueError:
        return None
    return max((w for w in seen if w), default=None) if all(seen) else None
