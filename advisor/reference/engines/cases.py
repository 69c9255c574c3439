"""What is asked of every engine, and the judgement of what it answered."""

import copy
import hashlib
import json
import math
import re
from collections import Counter
from dataclasses import dataclass
from functools import cache
from typing import Any

from transformers import CONFIG_MAPPING
from transformers.models.auto import modeling_auto

from advisor import RopeConfig, extend_config, known_models
from advisor.comparing.layer import RopeLayer
from advisor.engines.engine import Written
from advisor.extend import EXTENSIONS
from advisor.memory.cache import layer_kinds, window_of
from advisor.memory.sizes import Sizes
from advisor.training import trained_length
from posenc.scaling import DynamicNTK

AS_IT_IS = "as it is"
TIMES = (2, 4, 8)
"""Target lengths, in trained lengths."""
BOUND = 1e-4
"""Largest relative difference of what is the same: the engines' tables are float32."""
CAUSAL = {
    **modeling_auto.MODEL_FOR_CAUSAL_LM_MAPPING_NAMES,
    "chatglm": "ChatGLMModel",
    "modernbert": "ModernBertModel",
}
WHOLE = modeling_auto.MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING_NAMES
"""Names of the classes of files that do not name one: of text models, and of those with more."""
EXPERTS = {"topk_method": "noaux_tc", "scoring_func": "sigmoid", "moe_layer_freq": 1}
FILLED = {
    "minimax_m2": {"scoring_func": "sigmoid", "use_routing_bias": True},
    "mimo_v2_flash": {
        "layernorm_epsilon": 1e-5,
        "sliding_window_size": 128,
        "moe_layer_freq": [0] + [1] * 47,
        "add_swa_attention_sink_bias": True,
        "add_full_attention_sink_bias": False,
        "topk_method": "noaux_tc",
        "scoring_func": "sigmoid",
    },
    **dict.fromkeys(("deepseek_v3", "deepseek_v32"), EXPERTS),
    "kimi_k2": EXPERTS | {"rms_norm_eps": 1e-6},
    "cohere2": {"order_of_interleaved_layers": "local_attn_first", "rotary_pct": 1.0},
    "deepseek_v2": EXPERTS | {"n_group": 8, "topk_group": 3},
    "gemma2": {"hidden_act": "gelu_pytorch_tanh"},
    "glm_moe_dsa": EXPERTS,
    "gemma4_text": {"layer_types": [*["sliding_attention"] * 5, "full_attention"] * 5},
    "apertus": {"mlp_bias": False, "post_norm": False, "qk_norm": True},
    "lfm2": {"conv_dim": 2048, "block_dim": 2048, "conv_bias": False},
    "qwen2_vl": {"vision_config": {"in_chans": 3}},
    "chatglm": {"original_rope": True, "tie_word_embeddings": False},
}
"""Fields without positions that released files have and the files here do not."""
POSITIONS = re.compile("rope|rotary|theta|position|window|layer_types|num_hidden|head|length")
Row = dict[str, Any]
SAME, REFUSED, NOTED, NOT_COMPARED, DIFFERS = "same", "refused", "noted", "not compared", "differs"


@cache
def released(model: str) -> RopeConfig:
    """A known model's own file."""
    return RopeConfig.from_hf(known_models()[model].config)


@cache
def configs(times: int) -> dict[tuple[str, str], RopeConfig]:
    """Every known model that rotates, by method, made longer so many times; 1 is as it is."""
    out = {}
    for name in known_models():
        config = released(name)
        if times == 1 and config.rotary:
            out[name, AS_IT_IS] = config
        key = next((k for k in config.rotary if k != "sliding_attention"), "")
        trained = trained_length(config, key) if key else None
        for method in EXTENSIONS if trained and times > 1 else ():
            out[name, method] = extend_config(config, key, method, times * (trained or 0))
    return out


@cache
def written(engine: str, model: str, method: str, times: int) -> Written | None:
    """Settings for an engine; None where it refuses."""
    try:
        return configs(times)[model, method].settings(engine, released(model))
    except ValueError:
        return None


def lengths(row: Row) -> list[int]:
    """Multiples of the trained length that a row is about; older records have one alone."""
    return row.get("times") or [1 if row["method"] == AS_IT_IS else 4]


def digest(engine: str, row: Row) -> str:
    """A short name for exactly the settings of a row."""
    texts = [written(engine, row["model"], row["method"], times) for times in lengths(row)]
    every = "\n".join(one.text for one in texts if one is not None)
    return hashlib.sha256(every.encode()).hexdigest()[:16]


@cache
def defaults(kind: str | None) -> dict[str, Any]:
    """What a class of transformers fills in; what concerns positions is for files to say."""
    if kind not in CONFIG_MAPPING:
        return {}
    said = json.loads(json.dumps(CONFIG_MAPPING[kind]().get_text_config().to_dict(), default=str))
    return {name: value for name, value in said.items() if not POSITIONS.search(name)}


@dataclass(frozen=True)
class Case:
    """One file and its settings for one engine; `written` is None where these are refused."""

    model: str
    method: str
    times: int
    config: RopeConfig
    written: Written | None

    def line(self) -> str:
        """What the engine's reader is told; weights, and so their quantisation, are not there."""
        file = known_models()[self.model].config
        file = copy.deepcopy(self.config.to_hf("new") if self.is_converted else file)
        file.pop("quantization_config", None)
        file = FILLED.get(file["model_type"], {}) | file
        text, kind = self.config.model_type, file["model_type"]
        if not file.get("architectures"):
            is_whole = bool(self.config.path) or kind not in CAUSAL
            file["architectures"] = [(WHOLE if is_whole else CAUSAL).get(kind, "unknown")]
        told = self.written.text if self.written else ""
        text_class = CAUSAL.get(text or "") if kind in WHOLE else None
        more = {"text_class": text_class, "path": self.config.path, "defaults": defaults(text)}
        return json.dumps({"file": file, "text": told, **more})

    @property
    def is_converted(self) -> bool:
        """Whether the settings are for a model file that is made of the changed config.json."""
        told = self.written
        return told is not None and any("convert_hf_to_gguf.py" in note for note in told.notes)


def cases(engine: str) -> list[Case]:
    """All files, as they are and by every method."""
    return [
        Case(model, method, times, config, written(engine, model, method, times))
        for times in (1, *TIMES)
        for (model, method), config in configs(times).items()
    ]


def difference(config: RopeConfig, parts: list[Row]) -> float:
    """The largest relative difference of frequencies and factors.

    Raises:
        ValueError: If the engine turns other layers than the file says.
    """
    worst, seen = 0.0, set()
    for part in parts:
        found = re.search(r"\.(\d+)\.", part["path"])
        number = int(found[1]) if found else -1
        kind = part.get("kind") or ""
        layers = [config.layer_at(number)] if found else [*config.rotary.values()]
        if kind in config.rotary:
            layers = [config.rotary[kind]]
        # Classes make parts that they do not call, for layers without rotation too.
        for layer in layers:
            if isinstance(layer, RopeLayer):
                worst = max(worst, apart(layer, part))
        seen.add(number)
    turning = {i for i in range(len(config.keys)) if isinstance(config.layer_at(i), RopeLayer)}
    if -1 not in seen and turning - seen:
        raise ValueError(f"Layers {sorted(turning - seen)} have no rotary part.")
    return worst


def apart(layer: RopeLayer, part: Row) -> float:
    """The largest relative difference of one layer, for a text as long as was asked for."""
    scaling, longest = layer.scaling, layer.max_length
    if isinstance(scaling, DynamicNTK) and longest:
        longest = int(longest * scaling.factor)
    ours, factor = layer.frequencies(longest)
    theirs = ours.new_tensor(part["frequencies"])
    if len(theirs) < len(ours) or bool((theirs[len(ours) :].abs() > BOUND).any()):
        raise ValueError(f"{part['path']} turns {len(theirs)} pairs instead of {len(ours)}.")
    theirs, moving = theirs[: len(ours)], ours > 0
    if bool((theirs[~moving].abs() > BOUND).any()):
        raise ValueError(f"{part['path']} turns pairs that stand still by the file.")
    scale = ours[moving].clamp(min=part.get("floor", 0))
    rate = ((theirs - ours).abs()[moving] / scale).max()
    return max(float(rate), abs(part["factor"] / factor - 1))


def check_windows(config: RopeConfig, found: dict[str, int | None]) -> None:
    """Whether layers see as far as in the file; one token more or less is how some count.

    Raises:
        ValueError: If one sees another number of tokens.
    """
    try:
        sizes = Sizes.of(config)
        kinds = layer_kinds(config, sizes)
        longest = config.reach or 0
        known = {kind: window_of(sizes, kind) for kind in {"full", "window"} & {*kinds}}
    except ValueError:  # not known for this family
        return
    for path, window in found.items():
        number = re.search(r"\.(\d+)\.", path)
        kind = kinds[int(number[1])] if number else ""
        # A window that no text fills is none.
        asked, seen = (min(one or math.inf, longest) for one in (known.get(kind), window))
        if kind in known and abs(asked - seen) > 1:
            raise ValueError(f"{path} sees {seen:,} tokens, and in the file {asked:,}.")


def judged(case: Case, answer: Row, usual: set[str]) -> Row:
    """A row of the record; `usual` are notes that say nothing about one file."""
    row: Row = {"model": case.model, "method": case.method, "times": [case.times]}
    if case.written is None:
        return row | {"outcome": REFUSED}
    if "why" in answer or not answer["parts"]:
        return row | {"outcome": NOT_COMPARED, "why": answer.get("why", "no rotary part")[:160]}
    row["class"] = answer["class"]
    try:
        found = difference(case.config, answer["parts"])
        row["difference"] = float(f"{found:.3g}")
        check_windows(case.config, answer.get("windows", {}))
        outcome = SAME if found <= BOUND else DIFFERS
    except ValueError as other:
        row["why"], outcome = str(other), DIFFERS
    if answer.get("length", math.inf) < (case.config.reach or 0):
        row["why"], outcome = f"it takes {answer['length']} tokens", DIFFERS
    if outcome == DIFFERS and not case.is_converted and {*case.written.notes} - usual:
        outcome = NOTED
    return row | {"outcome": outcome}


def usual_notes(asked: list[Case]) -> set[str]:
    """Notes of more than half of the settings."""
    told = [case.written for case in asked if case.written]
    counts = Counter(note for one in told for note in {*one.notes})
    return {note for note, count in counts.items() if 2 * count > len(told)}


def gathered(engine: str, rows: list[Row]) -> list[Row]:
    """Rows of one model and method that came out alike, as one."""
    out: dict[tuple[str, ...], Row] = {}
    for row in rows:
        one = out.setdefault((row["model"], row["method"], row["outcome"]), {**row, "times": []})
        one["times"] += row["times"]
        if "difference" in row:
            one["difference"] = max(row["difference"], one.get("difference", 0))
    for row in out.values():
        if row["outcome"] != REFUSED:
            row["text"] = digest(engine, row)
    return list(out.values())
