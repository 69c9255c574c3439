"""What is changed about positions before the real model reads the text."""

from models.change import LARGEST_OFFSET, Change, methods
from models.opened import Model
from posenc.scaling.methods import METHODS
from posenc.words import say
from ui import controls
from ui.words import _

NONE = "none"
ROTARY = {
    "base": say("another base"),
    "method": say("a scaling method"),
    "unrotated": say("layers without rotation"),
    "layout": say("the other layout"),
    "stale": say("cached keys of another base"),
}
ANY = {
    "offset": say("positions shifted"),
    "equal": say("all positions equal"),
    "reversed": say("order reversed"),
    "rounded": say("positions in bfloat16"),
}
OWN = {NONE: say("nothing, as trained")}
ABOUT = {
    "base": say("Every layer rotates with this base instead of the one that it was trained with."),
    "method": say("The rotation is stretched by this method and factor, without any training."),
    "unrotated": say("These layers see no positions at all."),
    "layout": say(
        "Channels are paired as in the layout that the weights were not trained with: half for "
        "interleaved, or the reverse."
    ),
    "stale": say(
        "The keys of the first tokens come from a cache that was filled under another base, as "
        "when dynamic scaling changes the base while a text grows."
    ),
    "offset": say("This number is added to every position. Rotation sees distances alone."),
    "equal": say("Every token stands at position 0. What is left of order is the mask."),
    "reversed": say("The first token has the last position, and the last token position 0."),
    "rounded": say(
        "Positions are rounded to bfloat16, which holds eight bits: above 256 neighbours become "
        "equal. The offset takes the text to where that happens."
    ),
}
LAYERS = {
    "all": say("all layers"),
    "fourth": say("every fourth layer"),
    "half": say("every second layer"),
}
STEPS = {"all": 1, "half": 2, "fourth": 4}


def read_change(model: Model, tokens: int) -> tuple[str, Change]:
    """Draw the controls: the id of what is changed, and the change."""
    options = OWN | (ROTARY if model.rotates else {}) | ANY
    what = controls.choice(
        "what_if",
        _("What if: positions"),
        options,
        NONE,
        help=_("What is changed about positions before the model reads the text."),
    )
    return what, _change(what, model, tokens)


def _change(what: str, model: Model, tokens: int) -> Change:
    if what == "base":
        return Change(base=_base("base", 10_000.0))
    if what == "method":
        names = {name: METHODS[name].title for name in methods() if name != "none"}
        method = controls.choice(
            "method", _("Method"), names, "yarn", help=_("The methods of the Scaling screen.")
        )
        factor = controls.number(
            "factor",
            _("Factor s"),
            8.0,
            1.0,
            1024.0,
            help=_("Target length / trained length; dynamic NTK takes it as its α."),
        )
        return Change(method=method, factor=factor)
    if what == "unrotated":
        which = controls.choice(
            "which", _("Without rotation"), LAYERS, "all", help=_("Which layers do not rotate.")
        )
        step = STEPS[which]
        return Change(unrotated=tuple(range(step - 1, len(model.layers), step)))
    if what == "stale":
        count = controls.number(
            "cached",
            _("Cached keys"),
            max(1, tokens // 2),
            1,
            4096,
            help=_("How many of the first keys come from the cache."),
        )
        return Change(cached=count, cached_base=_base("cached_base", 10_000.0))
    if what in ("offset", "rounded"):
        offset = controls.number(
            "shift",
            _("Offset of the positions"),
            100_000,
            0,
            LARGEST_OFFSET,
            help=_("Added to every position."),
        )
        return Change(offset=offset, rounded=what == "rounded")
    if what in ("equal", "reversed"):
        return Change(order="equal" if what == "equal" else "reversed")
    return Change(other_layout=what == "layout")


def _base(key: str, default: float) -> float:
    base: float = controls.number(
        key,
        _("Base"),
        default,
        1.5,
        1e12,
        help=_("rope_theta: 10,000 in the paper, 100,000 in SmolLM2, 500,000 in Llama 3."),
    )
    return base
