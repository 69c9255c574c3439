"""The trained length beside the declared one: missing, swapped, written twice, beyond the reach."""

from collections.abc import Iterator

from advisor.data import Config
from advisor.evidence import evidence_for
from advisor.facts import since
from advisor.fields import DECLARED, ORIGINAL
from advisor.findings.finding import Told, judge, judged_layers, layer_key, ratio
from advisor.reader.near_miss import OF_THE_OBJECT, meant
from advisor.training import QWEN3_TRAINED, are_swapped, is_consistent, is_extended, training
from posenc.scaling.llama3 import Llama3
from posenc.scaling.longrope import LongRoPE
from posenc.scaling.yarn import YaRN
from posenc.words import say


@judge("warning")
def trained_length_missing(config: Config) -> Iterator[Told]:
    """The scaling needs the trained length; without it the declared length is taken."""
    if config.text.given(ORIGINAL):
        return
    for judged in judged_layers(config, YaRN, Llama3, LongRoPE):
        is_misspelt = ORIGINAL in meant(judged.given.values.keys(), OF_THE_OBJECT).values()
        if judged.given.given(ORIGINAL) or is_misspelt:
            continue
        kind = judged.layer.rope_type
        length = judged.scaling.original_length
        if length != judged.layer.max_length:
            continue  # Phi3Config fills in its own 4,096
        trained = training(config, layer_key(config, judged))
        fields = (judged.given.label(ORIGINAL), DECLARED)
        said = say(
            "The file gives no trained length for its {kind} scaling, so transformers 5, and vLLM "
            "from {five} on, silently take {declared}, {length:,}. Older vLLM refuses the file.",
            five=since("transformers 5", "vllm"),
            kind=kind,
            length=length,
            declared=DECLARED,
        )
        if trained.known is not None and trained.length == length:
            said = say(
                "{said} That is right for {model}, which has this shape and base.",
                said=said,
                model=trained.known.model,
            )
        elif trained.known is not None:
            said = say(
                "{said} For {model}, which has this shape and base, it must be {trained:,}: every "
                "frequency that is blended is wrong.",
                said=said,
                model=trained.known.model,
                trained=trained.length,
            )
        else:
            said = say(
                "{said} If {declared} was raised already, every frequency that is blended is "
                "wrong.",
                said=said,
                declared=DECLARED,
            )
        is_right = trained.length == length
        is_wrong = trained.known is not None and not is_right
        yield Told(
            fields,
            said,
            say(
                "Write {original}: the length that the model was trained with, before any "
                "extension.",
                original=ORIGINAL,
            )
            if trained.known is None
            else say("Write {original}: {length}.", original=ORIGINAL, length=trained.length),
            severity="error" if is_wrong or kind != "yarn" else None,
        )


@judge("error")
def original_above_declared(config: Config) -> Iterator[Told]:
    """A trained length longer than the declared one."""
    for judged in judged_layers(config, YaRN, Llama3, LongRoPE):
        original = judged.scaling.original_length
        longest = judged.layer.max_length
        if longest is None or original <= longest:
            continue
        if isinstance(judged.scaling, Llama3 | YaRN) and not are_swapped(judged.layer, original):
            yield Told(
                (DECLARED,),
                say(
                    "The file declares {declared:,} tokens, fewer than the {trained:,} that its "
                    "scaling counts from: SGLang and llama-server stop there by themselves.",
                    trained=original,
                    declared=longest,
                ),
                say("Write {declared}: the length that you serve.", declared=DECLARED),
                severity="warning",
            )
        else:
            yield Told(
                (judged.given.label(ORIGINAL), DECLARED),
                say(
                    "The trained length {trained:,} is above the declared length {declared:,}: the "
                    "two fields are probably swapped.",
                    trained=original,
                    declared=longest,
                ),
                say(
                    "Write the trained length into {original} and the longer one into {declared}.",
                    original=ORIGINAL,
                    declared=DECLARED,
                ),
            )


@judge("warning")
def factor_against_lengths(config: Config) -> Iterator[Told]:
    """YaRN's factor against the ratio of the two lengths; the factor wins."""
    for judged in judged_layers(config, YaRN):
        factor = judged.scaling.factor
        original = judged.scaling.original_length
        reach = int(factor * original + 1e-6)
        declared = (judged.layer.max_length or original) / original
        if declared <= 1 or abs(declared - factor) < 0.01 * factor or _qwen3(config):
            continue
        if any(
            (row.factor, row.original, row.tokens) == (factor, original, judged.layer.max_length)
            for row in evidence_for(config)
        ):
            continue  # as the makers document it
        if _is_around_room(config, original) and factor * QWEN3_TRAINED == judged.layer.max_length:
            continue  # the factor is right: see `qwen3_length`
        message = say(
            "factor {factor} stretches {trained:,} trained tokens to {reach:,}, but {field} "
            "declares {declared:,}, {times} times the trained length. The factor is what counts.",
            factor=ratio(factor),
            trained=original,
            reach=reach,
            field=DECLARED,
            declared=judged.layer.max_length,
            times=ratio(declared),
        )
        if factor < declared:
            message = say(
                "{message} Positions beyond {reach:,} were never reached in training.",
                message=message,
                reach=reach,
            )
        remedy = say("Set {field} to {reach}.", field=DECLARED, reach=reach)
        if not is_extended(config, judged.layer):
            remedy = say(
                "Set factor to {factor}, or {field} to {reach}.",
                factor=ratio(declared),
                field=DECLARED,
                reach=reach,
            )
        yield Told(
            (judged.given.label("factor"), judged.given.label(ORIGINAL), DECLARED),
            message,
            remedy,
            severity="error" if factor < declared else None,
        )


@judge("info")
def declared_below_reach(config: Config) -> Iterator[Told]:
    """YaRN added while max_position_embeddings stays at the trained length."""
    if trained_length_missing(config) is not None:
        return
    for judged in judged_layers(config, YaRN):
        longest = judged.layer.max_length
        reach = judged.layer.target_length
        if training(config, layer_key(config, judged)).length != judged.scaling.original_length:
            continue  # another finding says from which length the scaling must count
        if longest != judged.scaling.original_length or reach == longest:
            continue
        message = say(
            "The scaling reaches {reach:,} tokens, and {field} declares {declared:,}: engines that "
            "allocate memory for the declared length stop there.",
            reach=reach,
            field=DECLARED,
            declared=longest,
        )
        remedy = say(
            "Give the engine the length itself (vLLM: --max-model-len {reach}).", reach=reach
        )
        # Without the field in the object itself that release takes the factor, as all others do.
        if judged.given.given(ORIGINAL):
            message = say(
                "{message} transformers {since} takes the ratio of the two lengths for the "
                "factor, so it scales nothing.",
                message=message,
                since=since(ORIGINAL, "transformers_4"),
            )
            remedy = say(
                "{remedy} For transformers {since} write {field}: {reach}.",
                remedy=remedy,
                since=since(ORIGINAL, "transformers_4"),
                field=DECLARED,
                reach=reach,
            )
        yield Told((DECLARED, judged.given.label("factor")), message, remedy)


@judge("info")
def qwen3_length(config: Config) -> Iterator[Told]:
    """40960 of Qwen3 is neither the trained nor the extended length."""
    for judged in judged_layers(config, YaRN):
        if _is_around_room(config, judged.scaling.original_length):
            reach = int(judged.scaling.factor * QWEN3_TRAINED + 1e-6)
            remedy = say("Write {original}: 32768.", original=ORIGINAL)
            if reach < (judged.layer.max_length or 0):
                remedy = say(
                    "Write {original}: 32768 and {declared}: {reach}, as far as factor {factor} "
                    "then reaches.",
                    original=ORIGINAL,
                    declared=DECLARED,
                    reach=reach,
                    factor=ratio(judged.scaling.factor),
                )
            yield Told(
                (judged.given.label(ORIGINAL), DECLARED),
                say(
                    "YaRN is computed around 40,960 tokens, but Qwen3 was trained with 32,768. "
                    "40,960 leaves room for 32,768 tokens of output and a prompt of 8,192."
                ),
                remedy,
                severity="warning" if is_consistent(judged.layer) else "error",
            )
    if not _qwen3(config):
        return
    yield Told(
        (DECLARED,),
        say(
            "40,960 is room for 32,768 tokens of output and a prompt of 8,192. Qwen3 was trained "
            "with 32,768 tokens: 40,960 is neither the trained nor an extended length."
        ),
    )


def _is_around_room(config: Config, original: int) -> bool:
    return (config.model_type or "").startswith("qwen3") and original == 40960


def _qwen3(config: Config) -> bool:
    longest = {judged.layer.max_length for judged in judged_layers(config)}
    return (config.model_type or "").startswith("qwen3") and longest == {40960}


@judge("warning")
def two_trained_lengths(config: Config) -> Iterator[Told]:
    """The trained length twice, at the top and within the object, and not the same."""
    for judged in judged_layers(config, YaRN, Llama3, LongRoPE):
        top = config.text.integer(ORIGINAL, 1)
        own = judged.given.integer(ORIGINAL, 1)
        if top is not None and own is not None and own != top:
            used = judged.scaling.original_length
            yield Told(
                (ORIGINAL, judged.given.label(ORIGINAL)),
                say(
                    "{field} is {top:,} at the top of the file, and {inner} is {own:,}; "
                    "transformers takes {used:,}.",
                    field=ORIGINAL,
                    inner=judged.given.label(ORIGINAL),
                    top=top,
                    own=own,
                    used=used,
                ),
                say("Keep one of the two."),
            )
