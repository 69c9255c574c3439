"""The studio opens with what to do: sentence, reasons, cost and settings for the typed target."""

import json

import pytest

from advisor import known_models
from tests.pages.config.test_screen import pasted, verdicts
from tests.pages.drive import commands, metrics, open_screen, sentences

QWEN3 = {"model": "Qwen3-30B-A3B", "target_length": "131072", "engine": "transformers_5"}


def headline(app) -> str:
    return app.header[0].value


def said(app) -> str:
    return " ".join(block.value for block in (*app.markdown, *app.caption))


def in_detail(**query: str):
    """The studio with the fold open that says how its memory comes about."""
    app = open_screen("config", **query)
    app.session_state["memory_detail"] = True
    return app.run()


def test_the_sentence_is_first_and_settings_fit_the_target() -> None:
    app = open_screen("config", **QWEN3)
    assert sentences(app) == []
    assert headline(app) == (
        "YaRN, factor 4 on 32,768: to 131,072; prompts under 32,768 may get worse; the cache "
        "takes 12.0 GiB in bfloat16."
    )
    sure = (
        "**The makers' word covers setting and length; the quality of the answers is not certain.**"
    )
    assert sure in said(app)
    assert "Its makers document YaRN with factor 4 on 32,768" in said(app)
    written = json.loads(commands(app)[0])
    assert written["rope_parameters"]["factor"] == 4.0
    assert written["rope_parameters"]["original_max_position_embeddings"] == 32768
    assert written["max_position_embeddings"] == 131072
    numbers = metrics(app)
    assert (numbers["trained length L₀"], numbers["factor k"]) == ("32,768", "4")
    assert (numbers["cache"], numbers["weights"]) == ("12.0 GiB", "56.9 GiB")
    assert "k = 4, L₀ = 32,768" in verdicts(app)["YaRN"]


def test_both_trained_lengths_and_the_factor_that_is_written() -> None:
    query = {"model": "Llama-3.1-70B", "target_length": "262144", "methods": ["none", "linear"]}
    app = open_screen("config", engine="transformers_5", **query)
    assert headline(app).startswith("The file's own Llama-3 scaling, factor 16 instead of 8")
    numbers = metrics(app)
    assert numbers["trained length L₀"] == "8,192"
    assert numbers["with the file's scaling"] == "131,072"
    assert numbers["cache"] == "80.0 GiB"
    assert json.loads(commands(app)[0])["rope_parameters"]["factor"] == 16.0
    # The curve of what is set has the factor that is set, the others 262,144 / 8,192.
    lines = verdicts(app)
    assert list(lines) == ["none", "linear", "Llama-3"]
    assert "k = 16, L₀ = 8,192" in lines["Llama-3"]
    assert "no pair meets an angle" in lines["Llama-3"]
    assert "(k = 32)" in lines["linear"]


def test_sentence_settings_and_curves_are_of_one_method() -> None:
    app = open_screen("config", **QWEN3, extension="linear", methods=["none"])
    assert headline(app).startswith("With linear: factor 4 on 32,768, to 131,072")
    assert "**Your choice.**" in said(app)
    assert "Advised is: YaRN, factor 4 on 32,768" in said(app)
    assert json.loads(commands(app)[0])["rope_parameters"]["rope_type"] == "linear"
    assert list(verdicts(app)) == ["none", "linear"]
    app = open_screen("config", **QWEN3, extension="file", methods=["none"])
    assert headline(app).startswith("The file as it is: to 131,072")
    assert any(one.value == "Nothing to paste: it takes the file as it is." for one in app.markdown)


@pytest.mark.parametrize(
    ("query", "cache", "words"),
    [
        ({"cache_kind": "fp8"}, "6.0 GiB", "weights and cache in transformers**, with 9.1 GiB to"),
        ({"card": "rtx_4090", "weight_kind": "int4"}, "12.0 GiB", "**2 × RTX 4090 hold"),
        # Weights and cache in eight parts: 7 GiB and 48 GiB.
        ({"card": "l4", "batch": "32"}, "384.0 GiB", "**8 × L4 do not hold weights and cache"),
    ],
)
def test_the_cost_follows_its_controls(query, cache, words) -> None:
    app = open_screen("config", **QWEN3, **query)
    assert sentences(app) == []
    assert metrics(app)["cache"] == cache
    assert words in said(app)
    assert "takes 7.6 PFLOP, 89% of them in attention: about 19 s at 400 TFLOP/s" in said(app)


def test_weights_are_the_checkpoints_unless_asked_otherwise() -> None:
    app = in_detail(model="gpt-oss-120b")
    assert metrics(app)["weights"] == "60.7 GiB"
    assert "**One H100 holds weights and cache in vLLM**" in said(app)
    assert "The file says mxfp4: 4.25 bits for a converted weight with its scales." in said(app)
    assert "Left with 16 bits, wholly or in some layers: embedding, output layer" in said(app)
    app = in_detail(model="gpt-oss-120b", weight_kind="bfloat16")
    assert metrics(app)["weights"] == "217.5 GiB"
    assert "The file says mxfp4" not in said(app)


def test_what_layers_keep_is_told_by_kind() -> None:
    app = in_detail(model="Gemma-3-12B")
    assert "8 layers keep keys and values of every token, 4,096 numbers each." in said(app)
    assert "40 layers keep keys and values of the last 1,024 tokens, 4,096 numbers each." in said(
        app
    )
    assert by_planner(app) == ["the same"] * 5
    assert by_planner(in_detail(model="Falcon-H1-7B"))[:2] == ["the same", "–"]


def by_planner(app) -> list[str]:
    """Cells of the table of engines on their own planners."""
    column = "its own planner"
    return list(next(one.value for one in app.dataframe if column in one.value)[column])


def test_an_unknown_model_gets_a_warning_and_no_settings() -> None:
    file = known_models()["Llama-2-7B"].config | {"model_type": "frobnicate"}
    app = pasted(json.dumps(file), target_length="32768")
    assert not app.exception
    assert app.warning[0].value.startswith("**No advice: how the layers of this model")
    assert commands(app) == []
    assert "cache" not in metrics(app)


def test_what_a_file_calls_itself_is_no_markup() -> None:
    file = known_models()["Llama-2-7B"].config | {"model_type": "![x](//a.b/c.png)"}
    app = pasted(json.dumps(file), target_length="32768")
    assert not app.exception
    assert "![" not in app.warning[0].value
    assert "!\\[x\\]" in app.warning[0].value
