"""The shipped RoPE model in transformers: the same logits and the same losses, scaled by its code.

The other side computes frequencies in float32, hence 1e-3 on logits of size 10 and 1e-4 on losses
in bits. The controls that must fail show that these are tight enough to tell methods apart.
"""

import functools

import pytest
import torch
from torch.nn.functional import cross_entropy
from transformers import LlamaConfig, LlamaForCausalLM

from lab.measuring.text import text_chunks, token_losses
from lab.model.encodings import encoding_for
from lab.model.methods import reader, scaling
from lab.training.checkpoints import load_checkpoint
from lab.training.export_hf import export, find
from models.tokens import Vocabulary
from posenc.scaling.ntk import ntk_base

LONGER = (256, 512, 1024, 2048, 4096)
METHODS = ("none", "linear", "ntk", "dynamic_ntk", "yarn", "yarn_no_temperature", "llama3")
# At the training length only dynamic NTK, which follows the length, could differ from none.
CASES = [("none", 128), ("dynamic_ntk", 128), *((m, n) for m in METHODS for n in LONGER)]


@functools.cache
def shipped():
    return load_checkpoint(find("rope"))


@functools.cache
def chunk():
    return text_chunks(shipped().spec)[:1].long()


@pytest.fixture(scope="module")
def directory(tmp_path_factory):
    return export("rope", tmp_path_factory.mktemp("hf") / "llama")


def theirs(directory, method, factor):
    """transformers' model with its own scaling for `factor` times the training length."""
    config = LlamaConfig.from_pretrained(directory)
    length, base = config.max_position_embeddings, config.rope_parameters["rope_theta"]
    parameters = {
        "none": {"rope_type": "default"},
        "linear": {"rope_type": "linear", "factor": factor},
        "ntk": {"rope_type": "default", "rope_theta": ntk_base(config.head_dim, base, factor)},
        "dynamic_ntk": {"rope_type": "dynamic", "factor": 2.0},
        "yarn": {"rope_type": "yarn", "factor": factor, "original_max_position_embeddings": length},
        "yarn_no_temperature": {
            "rope_type": "yarn",
            "factor": factor,
            "original_max_position_embeddings": length,
            "attention_factor": 1.0,
        },
        "llama3": {
            "rope_type": "llama3",
            "factor": factor,
            "original_max_position_embeddings": length,
            "low_freq_factor": 1.0,
            "high_freq_factor": 4.0,
        },
    }[method]
    config.rope_parameters = {"rope_theta": base, **parameters}
    return LlamaForCausalLM.from_pretrained(directory, config=config).eval()


@torch.no_grad()
def logits_of(model, tokens):
    return model(tokens, use_cache=False).logits


@torch.no_grad()
def test_the_weights_are_the_same_and_so_are_the_logits(directory):
    tokens = chunk()[:, :128]
    ours = shipped().model(tokens)
    assert ours.std() > 2  # a trained model: a difference of 1e-3 is small against this
    torch.testing.assert_close(
        logits_of(theirs(directory, "none", 1.0), tokens), ours, rtol=0, atol=1e-3
    )


@pytest.mark.slow
@pytest.mark.parametrize(("method", "length"), CASES)
@torch.no_grad()
def test_every_scaling_gives_the_same_loss_at_every_length(directory, method, length):
    run, tokens = shipped(), chunk()[:, -length - 1 :]
    ours = token_losses(reader(run.model, run.spec, length, method), tokens)
    logits = logits_of(theirs(directory, method, length / 128), tokens[:, :-1])
    bits = cross_entropy(logits.mT, tokens[:, 1:], reduction="none") / torch.tensor(2.0).log()
    assert abs(float(bits.mean() - ours.mean())) < 1e-4
    assert (bits - ours).abs().max() < 5e-3


@pytest.mark.parametrize(
    ("mine", "other", "factor", "at_least"),
    [
        ("none", "yarn", 4.0, 1.0),
        ("linear", "yarn", 4.0, 1.0),
        ("yarn_no_temperature", "yarn", 4.0, 0.1),
        ("linear", "linear", 4.01, 0.01),
    ],
)
@torch.no_grad()
def test_what_is_not_the_same_is_told_apart(directory, mine, other, factor, at_least):
    run, tokens = shipped(), chunk()[:, -512:]
    encoding = encoding_for(run.model.encoding, 512, 0, scaling(mine, 4.0, 128))
    ours = run.model.with_encoding(encoding)(tokens)
    assert (logits_of(theirs(directory, other, factor), tokens) - ours).abs().max() > at_least


@torch.no_grad()
def test_one_changed_weight_is_told_apart(directory):
    model = theirs(directory, "none", 1.0)
    tokens = chunk()[:, :128]
    model.model.layers[0].self_attn.q_proj.weight[0, 0] += 0.05
    assert (logits_of(model, tokens) - shipped().model(tokens)).abs().max() > 1e-3


def test_what_is_not_rope_is_refused(tmp_path):
    with pytest.raises(ValueError, match="Only RoPE models can be written as a Llama"):
        export("text-alibi-s0", tmp_path / "out")
    with pytest.raises(ValueError, match="There is no checkpoint 'magic'"):
        export("magic", tmp_path / "out")
    (tmp_path / "file").write_text("mine")
    with pytest.raises(ValueError, match="not an empty folder"):
        export("rope", tmp_path)
    assert (tmp_path / "file").read_text() == "mine"


def test_the_tokens_of_the_directory_are_bytes(directory):
    text = "Größe 你 \t🙂 def f(x):"
    tokens = Vocabulary.read(directory).cut(text).ids
    assert tokens == list(text.encode())
