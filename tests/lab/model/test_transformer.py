"""The lab's model: causal, the same in row blocks, and what an encoding changes of it."""

import pytest
import torch

from lab.model.encodings import build_encoding, encoding_for
from lab.model.methods import scaling, tried
from lab.model.transformer import attend_in_rows
from lab.queue.perform import perform
from lab.spec import RunSpec, counting_spec, recall_spec, text_spec
from lab.tasks.counting import MIXES
from lab.training.loop import Trainer, batch_at, loss_of, new_model
from posenc import RoPE, attend
from posenc.catalogue import CATALOGUE

SMALL = {"updates": 6, "tokens_per_update": 256, "train_length": 32, "d_model": 16, "ffn": 24}


def small(encoding, **more):
    return recall_spec(encoding).changed(**{**SMALL, "head_dim": 8, **more})


@pytest.mark.parametrize("encoding", CATALOGUE)
def test_no_token_sees_a_later_one(encoding):
    model = new_model(small(encoding)).eval()
    tokens = torch.arange(32)[None] % 90
    changed = tokens.clone()
    changed[0, 20:] = 5
    before, after = model(tokens), model(changed)
    assert torch.equal(before[0, :20], after[0, :20])
    assert not torch.equal(before[0, 20:], after[0, 20:])


@pytest.mark.parametrize("encoding", CATALOGUE)
def test_row_blocks_give_what_one_attention_gives(encoding):
    torch.manual_seed(0)
    q, k, v = torch.randn(3, 2, 4, 40, 8, dtype=torch.float64)
    module = build_encoding(small(encoding, train_length=64)).double()
    positions = torch.arange(40)
    whole = attend(q, k, v, module, mask="causal", q_positions=positions, k_positions=positions)
    parts = attend_in_rows(q, k, v, module, positions, rows=16)
    torch.testing.assert_close(parts, whole, rtol=1e-12, atol=1e-12)


def test_a_window_hides_all_keys_but_the_last():
    torch.manual_seed(0)
    q, k, v = torch.randn(3, 1, 4, 40, 8, dtype=torch.float64)
    rope, positions = RoPE(8), torch.arange(40)
    out = attend_in_rows(q, k, v, rope, positions, window=7, rows=16)
    for row in (0, 5, 6, 20, 39):
        first = max(0, row - 6)
        alone = attend(
            q[..., row : row + 1, :],
            k[..., first : row + 1, :],
            v[..., first : row + 1, :],
            rope,
            q_positions=positions[row : row + 1],
            k_positions=positions[first : row + 1],
        )
        torch.testing.assert_close(out[..., row : row + 1, :], alone, rtol=1e-12, atol=1e-12)


def test_the_loss_counts_the_chosen_answers_only():
    spec = small("rope")
    model, batch = new_model(spec), batch_at(spec, 0)
    loss, accuracy = loss_of(model, batch)
    logits = model(batch.inputs, batch.positions)
    losses, rights = [], []
    for row, column in batch.weights.nonzero().tolist():
        probabilities = logits[row, column].softmax(0)
        losses.append(-probabilities[batch.targets[row, column]].log())
        rights.append(logits[row, column].argmax() == batch.targets[row, column])
    torch.testing.assert_close(loss, torch.stack(losses).mean())
    assert accuracy == torch.stack(rights).float().mean()


def test_a_resumed_training_gives_the_same_weights_bit_for_bit():
    spec = small("kerple")
    whole = Trainer(spec)
    values = [whole.advance() for _ in range(6)]
    first = Trainer(spec)
    for _ in range(2):
        first.advance()
    second = Trainer(spec)
    second.load({name: value.clone() for name, value in first.state().items()})
    assert [second.advance() for _ in range(4)] == values[2:]
    for name, weight in whole.model.state_dict().items():
        assert torch.equal(weight, second.model.state_dict()[name]), name
    assert second.done


def test_the_seed_decides_weights_and_data():
    spec, other = small("rope"), small("rope", seed=1)
    one, same = new_model(spec), new_model(spec)
    assert torch.equal(one.lm_head.weight, same.lm_head.weight)
    assert not torch.equal(one.lm_head.weight, new_model(other).lm_head.weight)
    assert torch.equal(batch_at(spec, 3).inputs, batch_at(spec, 3).inputs)
    assert not torch.equal(batch_at(spec, 3).inputs, batch_at(spec, 4).inputs)
    assert not torch.equal(batch_at(spec, 3).inputs, batch_at(other, 3).inputs)


@pytest.mark.parametrize("method", tried())
def test_at_the_training_length_a_method_changes_nothing(method):
    model = new_model(small("rope"))
    tokens = torch.arange(32)[None]
    how = scaling(method, 1.0, 32)
    read = model.with_encoding(encoding_for(model.encoding, 32, 0, how))
    assert torch.equal(read(tokens), model(tokens))


def test_another_encoding_shares_the_weights_of_the_first():
    model = new_model(small("rope"))
    how = scaling("linear", 2.0, 32)
    read = model.with_encoding(encoding_for(model.encoding, 64, 0, how))
    assert read.lm_head.weight is model.lm_head.weight
    assert model.encoding.scaling is None
    assert torch.equal(read.encoding.inv_freq, model.encoding.inv_freq / 2)


def test_a_longer_learned_table_keeps_the_trained_rows():
    model = new_model(small("learned"))
    longer = encoding_for(model.encoding, 80, seed=3)
    assert longer.table.shape == (80, 16)
    assert torch.equal(longer.table[:32], model.encoding.table)
    assert torch.equal(longer.table, encoding_for(model.encoding, 80, seed=3).table)


def test_only_rope_can_be_scaled():
    model = new_model(small("alibi"))
    with pytest.raises(ValueError, match="Only RoPE can be scaled, not ALiBi"):
        encoding_for(model.encoding, 64, 0, scaling("yarn", 2.0, 32))
    with pytest.raises(ValueError, match="method must be one of none, linear"):
        scaling("magic", 2.0, 32)


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ([], "must be an object"),
        ({"task": "recall"}, "must name its encoding"),
        ({"task": "chess", "encoding": "rope"}, "task must be one of recall, text, counting"),
        ({"task": "recall", "encoding": "rope", "steps": 0}, "steps must be a whole number from 1"),
        ({"task": "recall", "encoding": "rope", "seed": True}, "seed must be a whole number"),
        ({"task": "recall", "encoding": "rope", "d_model": 10**9}, "d_model must be a whole"),
        ({"task": "recall", "encoding": "rope", "lr": 1}, "Unknown names in the run: lr"),
        ({"task": "recall", "encoding": "rope", "settings": {"npos": 1}}, "has no setting 'npos'"),
        ({"task": "recall", "encoding": "rope", "settings": {"base": 1e99}}, "base must be"),
        ({"task": "recall", "encoding": "cope", "settings": {"max_positions": 2.5}}, "whole"),
        ({"task": "recall", "encoding": "rope", "train_length": 100}, "power of two"),
        ({"task": "recall", "encoding": "rope", "corpus": "a.txt"}, "only the task 'text'"),
        ({"task": ["recall"], "encoding": "rope"}, "task must be one of"),
    ],
)
def test_a_run_that_makes_no_sense_is_refused_with_a_sentence(values, sentence):
    with pytest.raises(ValueError, match=sentence):
        RunSpec.from_dict(values)


def test_a_run_survives_as_a_dictionary_and_has_its_key():
    spec = text_spec("rope", 2, base=128.0)
    assert RunSpec.from_dict(spec.to_dict()) == spec
    assert spec.name == "text-rope-base128-s2"
    assert spec.key == RunSpec.from_dict(spec.to_dict()).key
    assert spec.key != text_spec("rope", 2).key


@pytest.mark.parametrize("encoding", ["rope", "sinusoidal", "cope", "alibi"])
def test_the_attentions_of_the_layers_are_those_of_the_model(encoding):
    model = new_model(small(encoding)).eval()
    tokens = torch.arange(32)[None] % 90
    first, second = model.attentions(tokens)
    positions = torch.arange(32)
    x = model.encoding.embed(model.embed_tokens(tokens), positions)
    with torch.no_grad():
        x = model.layers[0](x, model.encoding, positions, None)
        expected = model.layers[1].self_attn.qkv(model.layers[1].input_layernorm(x))
    for got, want in zip((second.q, second.k, second.v), expected, strict=True):
        torch.testing.assert_close(got, want, rtol=1e-4, atol=1e-5)
    assert (first.content is None) == (encoding != "sinusoidal")
    assert second.content is None


def test_progress_rises_to_an_end_known_at_the_start(tmp_path):
    spec = counting_spec("nope").changed(
        updates=20, train_length=32, tokens_per_update=64, d_model=8, ffn=8
    )
    seen = []
    rows = perform(
        "train", {"spec": spec.to_dict()}, tmp_path, lambda *r: seen.append(r[:2]), lambda: False
    )
    lengths = {row["length"] for row in rows}
    assert {total for _, total in seen} == {20 + len(lengths) * len(MIXES)}
    done = [step for step, _ in seen]
    assert done == sorted(done)
    assert done[-1] == seen[-1][1]
