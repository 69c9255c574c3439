"""JSON is read as Python reads it, and every mistake is named."""

import contextlib
import json
import math

import pytest

from advisor import RopeConfig, known_models
from advisor.inputs.text import parse_config, plain_json
from advisor.memory.needs import needs

NOT_JSON = {
    '{"a": 1,\n "b": 2,\n}': "line 3, column 1: no comma is allowed before }.",
    '{"a": [1, 2,]}': "line 1, column 13: no comma is allowed before ].",
    '{"a": 1 // base\n}': "line 1, column 9: comments are not allowed.",
    "{'a': 1}": "line 1, column 2: names and strings stand in double quotes.",
    '{"a": 1': "line 1, column 8: a comma or a closing bracket is missing.",
    "": "line 1, column 1: there is nothing in it.",
}
NO_CONFIG = {
    "[1]": "got a list",
    '"text"': "got a string",
    "5": "got a number",
    "true": "got true or false",
    "null": "got null",
    "NaN": "got a number",
    '{"a": {"b": 1, "b": 2}}': "each field once, got 'b' twice",
    '{"a": "\\udc00"}': "valid Unicode",
    f'{{"a": -{"9" * 41}}}': "at most 40 digits, got 41 digits",
    f'{{"{"n" * 201}": 1}}': "at most 200 characters",
    "[" * 100000: "at most 64 levels deep",
    '{"a":' * 65 + "1" + "}" * 65: "at most 64 levels deep",
    "é" * (2**22 + 1): "at most 8388608 bytes, got 8388610",
}


def test_what_python_writes_of_an_infinity_is_read() -> None:
    # As Nemotron-H and Mamba 2 are released.
    text = '{"model_type": "nemotron_h", "time_step_limit": [0.0, Infinity], "a": [NaN, -Infinity]}'
    read = parse_config(text)
    assert read["time_step_limit"] == [0.0, math.inf]
    assert math.isnan(read["a"][0])
    assert read["a"][1] == -math.inf
    config = RopeConfig.from_hf(read)
    assert config.to_hf()["time_step_limit"] == [0.0, math.inf]
    assert json.loads(json.dumps(config.to_hf()))["time_step_limit"] == [0.0, math.inf]


@pytest.mark.parametrize("value", [math.inf, -math.inf, math.nan])
@pytest.mark.parametrize("name", ["Llama-3.1-8B", "DeepSeek-V3", "Gemma-3-12B", "Phi-3-mini-128k"])
def test_an_infinite_field_is_read_or_named(name: str, value: float) -> None:
    source = known_models()[name].config
    path = ("text_config",) if "text_config" in source else ()
    part = source["text_config"] if path else source
    for field in part:
        changed = {**part, field: value}
        with contextlib.suppress(ValueError):  # anything else is a traceback on the screen
            config = RopeConfig.from_hf({**source, "text_config": changed} if path else changed)
            assert all(finding.message for finding in config.findings)
            needs(config, 4096)


@pytest.mark.parametrize("text", NOT_JSON)
def test_a_mistake_has_line_and_column(text) -> None:
    with pytest.raises(ValueError, match=r"^config\.json is not JSON at line") as caught:
        parse_config(text)
    assert str(caught.value).endswith(NOT_JSON[text])


@pytest.mark.parametrize("text", NO_CONFIG, ids=[text[:12] for text in NO_CONFIG])
def test_what_is_no_config_is_refused(text) -> None:
    with pytest.raises(ValueError, match=r"^config\.json must") as caught:
        parse_config(text)
    assert NO_CONFIG[text] in str(caught.value)
    assert len(str(caught.value)) < 150


def test_64_levels_and_40_digits_are_read() -> None:
    text = '{"a":' * 64 + "9" * 40 + "}" * 64
    assert json.dumps(parse_config(text), separators=(",", ":")) == text


def test_an_object_of_a_program_becomes_plain_json() -> None:
    given = {"id2label": {0: "a", True: "b"}, "shape": (1, 2.5), "none": None}
    plain = {"id2label": {"0": "a", "true": "b"}, "shape": [1, 2.5], "none": None}
    assert plain_json(given) == plain == json.loads(json.dumps(given))
    inner: dict = {}
    inner["itself"] = inner
    with pytest.raises(ValueError, match=r"^config must be nested at most 64 levels deep"):
        plain_json(inner)
    with pytest.raises(ValueError, match=r"^config must be a JSON object, which cannot hold a set"):
        plain_json({"a": [{1, 2}]})
    with pytest.raises(ValueError, match=r"^config must be a JSON object, where no field's name"):
        plain_json({("a", 1): 2})
