"""A command line that somebody pasted is read, and what is dead or misplaced in it is named."""

import json

import pytest
from typer.testing import CliRunner

from advisor.__main__ import app
from advisor.inputs.read import read_text

YARN = '{"rope_type":"yarn","factor":4.0,"original_max_position_embeddings":32768}'
FINE = "Nothing in this command line is dead"


@pytest.mark.parametrize(
    ("line", "length", "words"),
    [
        (
            'vllm serve Qwen/Qwen3-8B --hf-overrides \'{"rope_parameters":{"rope_theta":1000000,'
            '"rope_type":"yarn","factor":4.0,"original_max_position_embeddings":32768},'
            '"max_position_embeddings":131072}\' --max-model-len 131072',
            131072,
            FINE,
        ),
        ("vllm serve Qwen/Qwen3-8B --max-model-len 32768", 32768, FINE),
        ("HF_HOME=/x vllm serve Qwen/Qwen3-8B", None, FINE),
        (
            f"vllm serve Qwen/Qwen3-8B --rope-scaling '{YARN}' --max-model-len 131072",
            131072,
            "vLLM has no --rope-scaling since",
        ),
        ("vllm serve Qwen/Qwen3-8B --max-model-len 131072", 131072, "reads at most 40,960 tokens"),
        (
            f"vllm serve Qwen/Qwen3.5-27B --hf-overrides '{{\"rope_scaling\":{YARN}}}'",
            None,
            "beside text_config, where this model's text part does not look",
        ),
        (
            'vllm serve Qwen/Qwen3-8B --hf-overrides \'{"text_config":{"x":1}}\'',
            None,
            "this model's file has none",
        ),
        ("vllm serve Qwen/Qwen3-8B --hf-overrides x=1", None, "must hold an object of JSON"),
        (
            "python3 -m sglang.launch_server \\\n  --model-path Qwen/Qwen3-8B \\\n"
            "  --context-length 131072",
            131072,
            "reads at most 40,960 tokens",
        ),
        (
            "llama-server -m Qwen3-8B.gguf -c 131072 --rope-scaling yarn --rope-scale 4 "
            "--yarn-orig-ctx 32768",
            131072,
            FINE,
        ),
        (
            "llama-server -m ./models/Qwen3-8B-Q4_K_M.gguf -c 131072 --rope-scaling yarn -np 4",
            131072,
            "shares 131,072 tokens among 4 slots: each reads 32,768.",
        ),
        (
            'vllm serve Qwen3-8B --hf-overrides \'{"rope_scaling":{"factor":4.0}}\'',
            None,
            "With this line: ",
        ),
    ],
)
def test_a_line_is_judged(line: str, length: int | None, words: str) -> None:
    given = read_text(line)
    assert given.target == length
    assert words in " ".join(given.line)
    assert (FINE in " ".join(given.line)) == (words == FINE)


def test_it_is_said_before_the_advice() -> None:
    line = "vllm serve Qwen/Qwen3-8B --rope-theta 1e6 --max-model-len 131072"
    told = CliRunner().invoke(app, ["explain", line])
    assert told.stdout.startswith("The command line\n")
    assert "vLLM has no --rope-theta since" in told.stdout.split("At 131,072 tokens")[0]
    document = json.loads(CliRunner().invoke(app, ["explain", line, "--json"]).stdout)
    assert len(document["input"]["line"]) == 2
