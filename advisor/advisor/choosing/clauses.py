"""The clauses of choices, with places for the values of `Request.fill`."""

from posenc.words import say

UNCLEAR_LOST = say(
    "No advice: {one} and {other}, which have this shape and base, are each released with a "
    "scaling of its own, and this file has none"
)
UNCLEAR_EDITED = say(
    "No advice: {one} and {other}, which have this shape and base, are each released with a "
    "scaling of its own, and this file has another"
)

# Windows.
WINDOWS = say("No scaling: every layer that rotates sees a window only, at any length{but}")
WINDOW = say(
    "No scaling: every layer that rotates sees a window of {window:,} tokens, so that no distance "
    "is above {last:,} at any length{but}"
)
WINDOW_SCALED = say(
    "No further scaling: every layer that rotates sees a window of {window:,} tokens, so that no "
    "distance is above {last:,} at any length{but}"
)
WINDOW_FIRST = say(
    "First write sliding_window: null, as in the released file, and ask again: as it is, every "
    "layer sees a window of {window:,} tokens, and no scaling helps"
)
WITHIN_WINDOW = say(
    "Nothing to set: {target:,} tokens are within the {window:,} that every layer sees"
)
NOT_IN_EVERY = say("; not in {engines}, which have no windows for it")

# Files that leave open how long the training was.
NO_LENGTH = say("No advice: the file does not say how long the training was")
ONE_READING = say(
    "Nothing to set, if {declared:,} is the length before scaling: {kind} scaling, factor "
    "{own:.6g}, then reaches {scaled:,}"
)
TWO_READINGS = say(
    "No advice: the file asks for {kind} scaling, factor {own:.6g}, and does not say whether its "
    "{declared:,} tokens are the length before or after scaling"
)

# No scaling is needed.
REMOVE = say(
    "No scaling: leave out the one in the file, since {target:,} tokens are within the {before:,} "
    "that need none"
)
WITHIN_DECLARED = say("Nothing to set: {target:,} tokens are within the {declared:,} of the file")
WITHIN_CLASS = say(
    "Nothing to set: {target:,} tokens are within the {declared:,} that the model's class takes "
    "where the file names no length"
)
WITHIN_TAKEN = say(
    "Nothing to set: {target:,} tokens are within the {declared:,} that are taken for this "
    "params.json, which names no length"
)
WITHIN_TRAINED = say(
    "No scaling: {target:,} tokens are within the {published:,} of the training; the file declares "
    "{declared:,}"
)
WITHIN_DOCUMENTED = say(
    "No scaling: {target:,} tokens are within the {published:,} that the makers give; the file "
    "declares {declared:,}"
)
WITHIN_MODEL = say(
    "No scaling: {target:,} tokens are within the {before:,} that {model} declares; this file "
    "declares {declared:,}"
)

# The file's own scaling is enough.
OWN_ADDED = say(
    "Nothing to set: the file's own {kind} scaling, factor {own:.6g} on {before:,}, reaches "
    "{reach:,}; prompts under {before:,} may get worse"
)
OWN_PRETRAINED = say(
    "Nothing to set: {target:,} tokens are within the {before:,} of the pretraining, and the "
    "file's own {kind} scaling stays on"
)
OWN = say("Nothing to set: the file's own {kind} scaling reaches {reach:,} tokens")
OWN_BEYOND_FILE = say(
    "No more scaling: the file's own {kind} scaling, factor {own:.6g}, reaches {reach:,}; it "
    "declares {declared:,} tokens, so that a server must be told more"
)
OWN_BEYOND_FILE_ON = say(
    "No more scaling: the file's own {kind} scaling, factor {own:.6g} on {before:,}, reaches "
    "{reach:,}"
)
OWN_UNDECLARED = say(
    "No more scaling: the file's own {kind} scaling, factor {own:.6g} on {original:,}, reaches "
    "{reach:,}; it declares {declared:,} tokens, so that a server must be told more"
)
DYNAMIC = say(
    "Nothing to set: the file's dynamic scaling follows the text beyond {before:,} tokens, to "
    "{target:,}"
)

# More scaling is needed.
LISTS = say(
    "No method is known beyond {reach:,} tokens: the factors of the file's LongRoPE scaling were "
    "searched for that length"
)
NOT_SHOWN = say(
    "No: no scaling known here was shown to take a model from {trained:,} to {target:,} tokens "
    "without training"
)
DRAFT = say(
    "No setting for a draft model alone: it stands at its target's positions, so give both the "
    "target's scaling"
)
NOT_SAID = say("No setting for {target:,} tokens: this file cannot say the scaling that it needs")
YARN = say(
    "YaRN, factor {factor:.6g} on {trained:,}: to {target:,}; prompts under {trained:,} may get "
    "worse"
)
YARN_FAR = say(
    "YaRN, factor {factor:.6g} on {trained:,}: to {target:,}; prompts under {trained:,} may get "
    "worse (by how much is not known here)"
)
LARGER = say(
    "The file's own {kind} scaling, {larger}: to {target:,}; shorter prompts may get worse (by "
    "how much is not known here)"
)

# The file itself has to be put right.
RELEASED_WINDOW = say(
    "The released file's {kind} scaling, factor {own:.6g} on {original:,}, and no more: every "
    "layer that rotates sees a window only"
)
RELEASED_LARGER = say(
    "The released file's {kind} scaling, {larger}: to {target:,}; shorter prompts may get worse "
    "(by how much is not known here)"
)
RELEASED_LINEAR = say("The released file's {kind} scaling, factor {own:.6g}: to {reach:,}")
RELEASED_LISTS = say("The released file's {kind} scaling: to {reach:,}")
RELEASED = say("The released file's {kind} scaling, factor {own:.6g} on {original:,}: to {reach:,}")
RELEASED_LENGTH = say(
    "The file's own {kind} scaling, once max_position_embeddings says {reach:,} again: to {reach:,}"
)
COUNTED = say(
    "The file's {kind} scaling, factor {own:.6g} on {original:,}: to {reach:,}, once "
    "original_max_position_embeddings says {original:,}"
)
COUNTED_DYNAMIC = say(
    "The file's dynamic scaling, which follows the text beyond {original:,} tokens once "
    "max_position_embeddings says {original:,}"
)
AS_ARGUMENT = say(
    "Take the scaling out of the file, which transformers does not load with it, and give it to "
    "the engine: {kind} scaling, factor {own:.6g}"
)
AS_ARGUMENT_TO = say(
    "Take the scaling out of the file, which transformers does not load with it, and give it to "
    "the engine: {kind} scaling, factor {own:.6g}, to {reach:,}"
)
WITH_BASE = say(
    "First write {field} {value:,.0f}, the base of {model}, which this file lost. Then: {clause}"
)
