"""Choices for files whose layers rotate: what to set, decided in the order in which one asks."""

from dataclasses import replace

from advisor.choosing import clauses
from advisor.choosing.change import declaring_alone, same, stretched, without_scaling
from advisor.choosing.choice import Choice, Reason, Sureness, Verdict, reason
from advisor.choosing.reasons import engines, mended, said, stretch
from advisor.choosing.request import Request
from advisor.data import Config
from advisor.extend import NotSaid, covering_factor
from advisor.facts import refused_file
from advisor.fields import DECLARED, LENGTH_TAKEN, ORIGINAL
from advisor.released import ROOM, is_unscaled
from posenc.scaling.dynamic import DynamicNTK
from posenc.scaling.linear import Linear
from posenc.scaling.llama3 import Llama3
from posenc.scaling.longrope import LongRoPE
from posenc.scaling.proportional import Proportional
from posenc.scaling.yarn import YaRN
from posenc.words import Sentence


def rotary(request: Request) -> Choice:
    """The choice for layers that rotate."""
    if request.repair.kind == "unclear":
        return _unclear(request)
    choice = _with_repair(request, _without_repair(request))
    return replace(
        choice,
        clause=request.fill(choice.clause, choice.factor),
        reasons=(*request.repair.reasons(request.layer_types), *choice.reasons),
        layer_types=request.layer_types,
        lengths=request.lengths,
    )


def _without_repair(request: Request) -> Choice:
    """The choice for the file put right, its clause with places that are empty yet."""
    lengths = request.lengths
    scaling = request.layer.scaling
    if not request.layer_types:
        return _windows(request)
    if lengths.reach is None:
        why = reason("no_length", "Give max_position_embeddings, or the trained length.")
        return Choice("cannot", clauses.NO_LENGTH, "none", (why,))
    if _is_open(request):
        return _open(request)
    if lengths.with_own is False and request.target <= (lengths.before or 0):
        return _remove(request)
    is_followed = isinstance(scaling, DynamicNTK) and request.target > scaling.original_length
    if request.target <= lengths.reach and not is_followed:
        return _within(request) if lengths.own is None else _own(request)
    if isinstance(scaling, LongRoPE):
        why = reason("lists", "Longer texts need other lists, from the makers or trained anew.")
        return Choice("cannot", clauses.LISTS, "none", (why,))
    base = lengths.reach if lengths.with_own else lengths.before
    if request.target > stretch.SHOWN * (base or request.target):
        far = (
            stretch.not_shown(request.target / (base or 1)),
            *said.declared(request.config, lengths),
        )
        return Choice("cannot", clauses.NOT_SHOWN, "none", far)
    if isinstance(scaling, DynamicNTK):
        return _dynamic(request)
    return _extend(request)


def _windows(request: Request) -> Choice:
    """Nothing to gain: no distance is longer than the window."""
    config = request.config
    if request.has_wrong_window and request.target > (request.window or 0):
        return Choice("windows", clauses.WINDOW_FIRST, "guess", config=request.declared())
    why = [reason("windows", "A scaling would only change angles that training has shown.")]
    if request.without_window:
        without = reason(
            "no_windows",
            "Without windows for {model}: {engines}. There every token sees all before it, "
            "unscaled, and the cache keeps them all.",
            model=config.model_type,
            engines=request.without_window,
        )
        why.append(without)
    is_added = not request.lengths.with_own
    if is_added and not all(map(is_unscaled, config.rotary.values())):
        length = max(request.target, request.lengths.declared or 0)
        after = without_scaling(config, config.rotary, length)
    else:
        after = request.declared()
    if request.window is None:
        clause = clauses.WINDOWS
    elif after == config and request.target <= request.window:
        clause = clauses.WITHIN_WINDOW
    else:
        clause = clauses.WINDOW if is_added else clauses.WINDOW_SCALED
    beyond = stretch.beyond_known(config, request.lengths, request.window, request.target)
    sureness: Sureness = "guess" if beyond else "setting"
    return Choice("windows", clause, sureness, (*why, *beyond), config=after)


def _is_open(request: Request) -> bool:
    """Whether the file leaves the trained length open, and what to do depends on it."""
    lengths = request.lengths
    if lengths.before is not None:
        return False
    if isinstance(request.layer.scaling, YaRN | Llama3 | LongRoPE):
        return True  # the frequencies themselves depend on it
    return bool(lengths.either) and not lengths.with_own and request.target > (lengths.reach or 0)


def _open(request: Request) -> Choice:
    """The file can be read in two ways."""
    lengths = request.lengths
    is_linear = isinstance(request.layer.scaling, Linear | Proportional)
    if is_linear and request.target <= request.factor * (lengths.declared or 0):
        # LlamaConfig of transformers 4.31 asked for this: "don't update max_position_embeddings".
        doubt = reason(
            "either",
            "The file does not say whether {declared:,} is the length before or after scaling. "
            "Files of 2023 declare the one or the other.",
            declared=lengths.declared,
        )
        return Choice(
            "reaches",
            clauses.ONE_READING,
            "guess",
            (doubt,),
            "declared",
            request.factor,
            request.declared(),
        )
    write = reason("either", "Write {field}: the length before scaling.", field=ORIGINAL)
    both = (_if_it_was(before, request) for before in lengths.either)
    return Choice("cannot", clauses.TWO_READINGS, "none", (write, *both))


def _if_it_was(before: int, request: Request) -> Reason:
    """The need of the target, if that was the length of the training."""
    target = request.target
    if target <= before:
        return reason(
            "either",
            "If it was {before:,}, {target:,} tokens need no scaling.",
            before=before,
            target=target,
        )
    return reason(
        "either",
        "If it was {before:,}, {target:,} tokens need {kind} scaling with factor {factor:.6g} on "
        "{before:,}.",
        before=before,
        target=target,
        kind=request.kind,
        factor=covering_factor(target, before),
    )


def _remove(request: Request) -> Choice:
    """A scaling that was added for texts longer than this one."""
    before = request.lengths.before
    assert before is not None
    plain = without_scaling(request.config, request.layer_types, before)
    why = (
        mended.own(request.lengths, request.is_restored),
        *mended.more_than_needed(request.factor, 1.0),
    )
    return Choice("remove", clauses.REMOVE, "likely", why, "none", 1.0, plain)


def _within(request: Request) -> Choice:
    """The target is within a length that needs no scaling, and may be above the declared one."""
    config = request.config
    target = request.target
    word = request.lengths.told
    why = (*engines.chunks(config, target), *said.base_raised(config, target))
    sureness: Sureness = "guess" if why else "likely"
    if request.lengths.by_word:
        return Choice("reaches", _within_file(config), "sure", (mended.by_word(),), config=config)
    if not request.is_beyond_file:
        return Choice("reaches", _within_file(config), sureness, why, config=config)
    if word is None:
        clause = clauses.WITHIN_MODEL
    elif word.kind == "trained":
        clause = clauses.WITHIN_TRAINED
    else:
        clause = clauses.WITHIN_DOCUMENTED
    # The length alone: all else in the file stays as it is.
    longer = declaring_alone(config, target)
    return Choice("reaches", clause, sureness, why, config=longer)


def _within_file(config: Config) -> Sentence:
    """The clause by where the declared length comes from."""
    if config.text.get(LENGTH_TAKEN):
        return clauses.WITHIN_TAKEN
    is_class = DECLARED in config.family.defaults and not config.text.given(DECLARED)
    return clauses.WITHIN_CLASS if is_class else clauses.WITHIN_DECLARED


def _own(request: Request) -> Choice:
    """The file's own scaling reaches the target."""
    sureness, why = _sureness_of_own(request)
    clause = _own_clause(request)
    longer = request.declared()
    return Choice("reaches", clause, sureness, why, "declared", request.factor, longer)


def _own_clause(request: Request) -> Sentence:
    before = request.lengths.before
    is_declared = request.target <= (request.lengths.declared or request.target)
    if not is_declared and request.layer.original_length is not None:
        return clauses.OWN_UNDECLARED  # of what is declared the scaling says nothing
    if request.lengths.with_own is False and request.layer.original_length == before:
        return clauses.OWN_ADDED
    if request.target <= (before or 0):
        return clauses.OWN_PRETRAINED
    if not request.is_beyond_file:
        return clauses.OWN
    return clauses.OWN_BEYOND_FILE if before is None else clauses.OWN_BEYOND_FILE_ON


def _sureness_of_own(request: Request) -> tuple[Sureness, tuple[Reason, ...]]:
    """How sure it is that the file's own scaling reaches the target, and what that rests on."""
    lengths = request.lengths
    scaling = request.layer.scaling
    own = mended.own(lengths, request.is_restored)
    if lengths.by_word:
        return "sure", (own,)
    other = mended.counted_otherwise(request.layer, lengths)
    if other is not None:
        return "guess", (own, other)
    if lengths.with_own is False:
        family = said.in_family(request.config, request.factor)
        enough = covering_factor(request.target, lengths.before or request.target)
        less = mended.more_than_needed(request.factor, enough)
        less = less or mended.unlike_documented(request.config, request.layer)
        return "likely" if family else "guess", (own, *family, *less)
    # The makers may give far less than their file declares: 32,768 for DeepSeek-V2-Lite.
    word = None if lengths.told is None else lengths.told.tokens
    if lengths.released_with or (word is not None and request.target > ROOM * word):
        return "guess", (own,)
    if lengths.with_own or isinstance(scaling, LongRoPE):
        return "likely", (own,)
    if not isinstance(scaling, YaRN):
        return "guess", (own,)
    if scaling.factor > stretch.UNDOCUMENTED:
        return "guess", (own, stretch.undocumented(scaling.factor))
    return "likely", (own,)


def _dynamic(request: Request) -> Choice:
    """The file's own dynamic scaling, which has no end."""
    layer = request.layer
    most = int((request.lengths.before or 0) * request.factor)
    angles = stretch.angles(layer, layer, request.lengths, request.target)
    why = (*engines.dynamic(request.config, most), angles)
    return Choice(
        "reaches", clauses.DYNAMIC, "guess", why, "declared", request.factor, request.config
    )


def _extend(request: Request) -> Choice:
    """Beyond what the file reaches: YaRN, or the file's own scaling with a larger factor."""
    lengths = request.lengths
    layer = request.layer
    target = request.target
    longer = request.config
    try:
        for key in request.layer_types:
            longer = stretched(longer, key, lengths, target)
    except NotSaid:
        return _not_said(request)
    after = same(longer, request.layer_types[0])
    factor = float(getattr(after.scaling, "factor", 1.0))
    sureness, rests_on = _sureness_of_extension(request, factor)
    why = (
        *rests_on,
        *mended.trained_with(request.repair.before.rotary[request.layer_types[0]], lengths),
        *said.declared(request.config, lengths),
        *said.longer_release(request.config, target),
        stretch.angles(layer, after, lengths, target),
        *engines.windows_too(request.config),
    )
    if layer.scaling is not None:
        clause = clauses.LARGER
    else:
        clause = clauses.YARN if factor <= stretch.DOCUMENTED else clauses.YARN_FAR
    # The types of scaling have the names of their methods.
    return Choice("extend", clause, sureness, why, after.rope_type, factor, longer)


def _not_said(request: Request) -> Choice:
    """No file of this class says the scaling that is needed."""
    why = [
        reason(
            "not_said",
            "What is written into such a file is read back as something else: the class of "
            "{model} has its own idea of the trained length, or takes one kind of scaling alone. "
            "Write {field} into the file, the length that the model was trained with, and ask "
            "again.",
            model=request.config.model_type,
            field=ORIGINAL,
        )
    ]
    refused = [one.message for one in request.config.findings if one.code in mended.NOT_LOADED]
    why += [Reason("refused", str(one)) for one in refused]
    return Choice("cannot", clauses.NOT_SAID, "none", tuple(why))


def _sureness_of_extension(request: Request, factor: float) -> tuple[Sureness, list[Reason]]:
    """How sure an extension is without the makers' word on it, and what that rests on."""
    lengths = request.lengths
    own = [] if lengths.own is None else [mended.own(lengths, request.is_restored)]
    # What the makers trained with their scaling reaches needs no stretching.
    times = request.target / (lengths.reach or request.target) if lengths.with_own else factor
    if times > stretch.DOCUMENTED:
        return "guess", [stretch.far(times), *own]
    if request.layer.scaling is not None and lengths.with_own is not False:
        unknown = reason(
            "stretched_on", "No source is known here for this scaling with a larger factor."
        )
        return "guess", [*own, unknown]
    family = said.in_family(request.config, times)
    if family:
        return "likely", [*family, *own]
    if times > stretch.UNDOCUMENTED:
        return "guess", [stretch.undocumented(times), *own]
    return "likely" if lengths.model else "guess", own


def _with_repair(request: Request, choice: Choice) -> Choice:
    """The choice for the file as it was given: what was put right in it is to be set as well."""
    if choice.config is None:
        return choice
    if request.repair.kind == "replaced" and choice.verdict == "reaches":
        return replace(choice, verdict="remove", clause=clauses.REMOVE, method="none", factor=1.0)
    clause = _written_first(request, choice)
    if clause is None:
        return choice
    return replace(
        choice,
        verdict="extend",
        clause=clause,
        method=request.layer.rope_type,
        factor=choice.factor or request.factor,
    )


def _written_first(request: Request, choice: Choice) -> Sentence | None:
    """The clause for a scaling that must first be written elsewhere; None where it is in place."""
    if request.repair.kind == "restored":
        return _released(request, choice.verdict)
    if choice.verdict != "reaches":
        return None
    if request.repair.kind == "counted" and choice.config is request.config:
        is_dynamic = isinstance(request.layer.scaling, DynamicNTK)
        return clauses.COUNTED_DYNAMIC if is_dynamic else clauses.COUNTED
    if refused_file(request.config) is not None:
        return clauses.AS_ARGUMENT if request.lengths.own is None else clauses.AS_ARGUMENT_TO
    return None


def _released(request: Request, verdict: Verdict) -> Sentence:
    """How the scaling is put into words that the file gets back."""
    released = request.repair.released
    if released is not None and released.change == "declared":
        return clauses.RELEASED_LENGTH
    if verdict == "windows":
        return clauses.RELEASED_WINDOW
    if verdict == "extend":
        return clauses.RELEASED_LARGER
    if isinstance(request.layer.scaling, Linear):
        return clauses.RELEASED_LINEAR
    if isinstance(request.layer.scaling, LongRoPE):
        return clauses.RELEASED_LISTS
    return clauses.RELEASED


def _unclear(request: Request) -> Choice:
    """The file has none of several released scalings."""
    released = request.repair.released
    assert released is not None
    one, other = (known.model for known in released.models[:2])
    is_edited = released.change == "edited"
    clause = clauses.UNCLEAR_EDITED if is_edited else clauses.UNCLEAR_LOST
    why = reason("restored", "Copy rope_scaling from the released file of your model.")
    return Choice(
        "cannot", clause.filled(one=one, other=other), "none", (why,), lengths=request.lengths
    )
