"""Numbers of posenc for the tests of the JavaScript; `python -m tests.static.values` writes them.

`NAME.test.js` reads `NAME.json`, which git does not keep: `make script` writes it anew.
"""

import json
import math
from pathlib import Path

import torch
from torch import Tensor

from models.results import keys, losses, tables
from models.results.tables import ABOUT, Way
from posenc import (
    ALiBi,
    CoPE,
    MRoPE,
    NoPE,
    RoPE,
    Sinusoidal,
    alibi_bias,
    alibi_slopes,
    apply_rope,
    attend,
    cope_gates,
    cope_logits,
    cope_positions,
    fox_bias,
    gated_delta_influence,
    gated_delta_rule,
    kerple_bias,
    llama4_temperature,
    mrope_axis_of_pair,
    mrope_positions,
    relative_position_ids,
    rope_inv_freq,
    sinusoidal_table,
    stick_breaking_weights,
    t5_bucket,
)
from posenc.study import angle_coverage
from posenc.alibi.window import alibi_flat_weights, alibi_window
from posenc.attention.habits import HABITS, Habits, Queries
from posenc.attention.masks import causal_mask
from posenc.cache.policy import decode_work
from posenc.cache.stale_keys import stale_phase, written_inv_freq
from posenc.cache.window import WindowCache
from advisor.known_models import known_models
from advisor.comparing.layer import RopeLayer
from advisor.memory.cache import cache_bytes
from advisor.memory.weights import count_weights
from advisor.rope import RopeConfig
from posenc.reading.formula import Reading, neighbour_change
from posenc.rope.score import rope_score_at_distance
from posenc.shaw.profiles import profile_bias
from posenc.waves import wave_sum
from posenc.scaling.dynamic import DynamicNTK
from posenc.scaling.methods import METHODS, Case
from posenc.scaling.yarn import yarn_mscale
from posenc.sinusoidal.formula import sinusoidal_at, sinusoidal_inv_freq
from posenc.t5.edges import t5_bucket_lower_edges
from posenc.transformer_xl.formula import relative_sinusoid
from course.chapters.absolute import data as absolute
from course.chapters.kv_cache.data import MODELS
from course.chapters.measured.data import WAYS
from course import build
from course.chapters import COURSE
from course.page.chapter import compiled
from course.page.words import chapter
from serving.course import voice
from ui.words import pseudo
from course.chapters.why_position import data as why_position
from course.page.index import search_index
from tests.static.by_hand import by_hand
from tests.kinds import known

FOLDER = Path(__file__).parent


def waves() -> dict[str, object]:
    positions = [0, 1, 7, 127, 4095, 8191]
    table = sinusoidal_table(16, 8)
    return {
        "theta": sinusoidal_inv_freq(8).repeat_interleave(2).tolist(),
        "positions": positions,
        "rows": sinusoidal_at(torch.tensor(positions), 8).tolist(),
        "table": table.flatten().tolist(),
        "products": (table @ table[7]).tolist(),
    }


def distances() -> dict[str, object]:
    back = torch.arange(160)
    buckets = {
        f"buckets_{buckets}_{most}": t5_bucket(-back, False, buckets, most).tolist()
        for buckets, most in ((32, 128), (16, 64))
    }
    numbers = torch.linspace(-1, 1, 32, dtype=torch.float64)
    lengths = [1, 16, 128, 512]
    return {
        "rows_4": relative_position_ids(16, 16, 4).tolist(),
        "rows_15": relative_position_ids(16, 16, 15).tolist(),
        **buckets,
        "edges": t5_bucket_lower_edges(bidirectional=False).tolist(),
        "sinusoids": relative_sinusoid(torch.tensor([0, 1, 15, 4000]), 16).tolist(),
        "numbers": numbers.tolist(),
        "lengths": lengths,
        "shares": [
            torch.zeros(32, dtype=torch.float64).index_add(0, of, numbers[of].softmax(0)).tolist()
            for of in (t5_bucket(-torch.arange(length), False) for length in lengths)
        ],
    }


def penalties() -> dict[str, object]:
    slopes, lengths, bend = alibi_slopes(8), [1, 624, 10_624, 1_048_944], 0.15
    distances = torch.tensor([0, 1, 2, 9, 400, 10_000])
    bends = torch.full((8,), bend, dtype=torch.float64)
    bent = kerple_bias(slopes / bend, bends, -torch.arange(10_624))
    return {
        "slopes": slopes.tolist(),
        "slopes_of_4": alibi_slopes(4).tolist(),
        "distances": distances.tolist(),
        "lengths": lengths,
        "penalties": (-alibi_bias(slopes, -distances, dtype=torch.float64)).tolist(),
        "windows": [alibi_window(slopes, length).tolist() for length in lengths],
        "shares": alibi_flat_weights(slopes, distances, lengths[2]).tolist(),
        "bend": bend,
        "bent": (-bent[:, distances]).tolist(),
        "bent_own_shares": bent.softmax(-1)[:, 0].tolist(),
    }


def rotation() -> dict[str, object]:
    """A head of 8 pairs whose content makes all of them agree one word back; Llama 2's far arcs."""
    inv_freq, _ = rope_inv_freq(16, 1000.0)
    key = torch.tensor([1.0, 0.0], dtype=torch.float64).repeat(8)
    query = torch.stack((torch.cos(-inv_freq), torch.sin(-inv_freq)), -1).flatten()
    scores = rope_score_at_distance(query, key, inv_freq, torch.arange(32), "interleaved")
    row = torch.tensor([0.5403, 1.0, 0.5403], dtype=torch.float64)
    llama, _ = rope_inv_freq(128, 10000.0)
    return {
        "theta": inv_freq.tolist(),
        "scores": scores.tolist(),
        "row": row.tolist(),
        "shares": row.softmax(-1).tolist(),
        "llama_theta": llama.tolist(),
        "widest": (4095 * llama).tolist(),
        "angles": (6000 * llama).remainder(2 * torch.pi).tolist(),
    }


def sinusoids() -> dict[str, object]:
    """Of the rows with 16 numbers of the chapter on absolute positions."""
    width, places, hidden, tolerance = 16, 128, 86, 0.5
    table, speeds = sinusoidal_table(256, width), sinusoidal_inv_freq(width)
    shown = [0, 1, 7, 53, 86, 127, 128, 150, 255]
    hands = torch.outer(torch.arange(places), speeds)
    apart = torch.exp(1j * (hands - hands[hidden])).angle().abs() <= tolerance
    made = absolute.words_and_matrices()
    (dog, cat), (w_q, w_k) = made["words"][:2], made["matrices"]
    further = 3
    parts = []
    for q, k in ((torch.eye(width).double(),) * 2, (w_q, w_k)):
        words, rows = (q @ dog, k @ cat), (table @ q.T, table @ k.T)
        for at in shown[:5]:
            keys, queries = (words[1], rows[1][at + further]), (words[0], rows[0][at])
            parts.append([float(a @ b) for b in keys for a in queries])
    low, high = table[:places].amin(0), table[:places].amax(0)
    new = ((table < low - 1e-9) | (table > high + 1e-9)).sum(1)
    return {
        "places": shown,
        "rows": table[shown].tolist(),
        "products": [float(table[0] @ table[at]) for at in range(20)],
        "alike": [int(apart[:, :count].all(1).sum()) for count in (1, 2, 3)],
        "turns": [float(torch.rad2deg(further * speed)) for speed in speeds[:4]],
        "parts": parts,
        "low": low.tolist(),
        "high": high.tolist(),
        "new": [int(new[at]) for at in shown],
    }


def gates() -> dict[str, object]:
    seed = torch.Generator().manual_seed(5)
    tokens, width, last = 9, 4, 3
    q, k = torch.randn(2, tokens, width, generator=seed, dtype=torch.float64)
    cope = CoPE(width, last + 1, scale_gates=False, scale_sum=False, scale=1.0).double()
    cope.embedding.data = torch.randn(width, last + 1, generator=seed, dtype=torch.float64)
    scores = (q @ k.T).masked_fill(~causal_mask(tokens, tokens), -torch.inf)
    positions = cope_positions(scores, last + 1)
    trace = attend(
        q[None, None], k[None, None], k[None, None], cope, mask="causal", scale=1.0, trace=True
    )
    return {
        "q": q.flatten().tolist(),
        "k": k.flatten().tolist(),
        "last": [last],
        "gates": cope_gates(scores).flatten().tolist(),
        "free": cope_positions(scores, tokens + 1).flatten().tolist(),
        "positions": positions.flatten().tolist(),
        "products": (q @ cope.embedding).flatten().tolist(),
        "added": cope_logits(q, positions, cope.embedding).flatten().tolist(),
        "weights": trace.weights.flatten().tolist(),
        "counted": [int(causal_mask(n, n).sum()) for n in (1, 11, 4096)],
    }


def scalings() -> dict[str, object]:
    """SmolLM2-135M read twice and four times its length by methods with factor 4."""
    about = ABOUT["smollm2-135m-instruct"]
    plain = rope_inv_freq(about.head_dim, about.base)[0]
    case = Case(FACTOR, about.trained, inv_freq=plain)
    names = ("none", "linear", "ntk", "yarn", "ntk_by_parts", "llama3")
    scaled = {
        name: rope_inv_freq(about.head_dim, about.base, METHODS[name].scaling(case))[0]
        for name in names
    }
    lengths = [2 * about.trained, 4 * about.trained]
    found = {
        name: [angle_coverage(plain, about.trained, length, theta) for length in lengths]
        for name, theta in scaled.items()
    }
    keys, leads = [about.trained, 2 * about.trained, 4 * about.trained], [3.0, 5.0, 8.0]
    return {
        "plain": plain.tolist(),
        "slowed": [(plain / theta).tolist() for theta in scaled.values()],
        "unseen": [[one.unseen.tolist() for one in both] for both in found.values()],
        "new": [[int(one.is_new.sum()) for one in both] for both in found.values()],
        "near": [_near(theta, plain) for theta in scaled.values()],
        "hand_off": [
            [_hand_off(theta, plain, about.trained, back, 18) for back in BACK]
            for theta in scaled.values()
        ],
        "back": BACK,
        "keys": keys,
        "leads": leads,
        "shares": [[_share(count, lead) for lead in leads] for count in keys],
        "factors": [yarn_mscale(count / about.trained) for count in keys],
    }


def cached() -> dict[str, object]:
    """Work, memory, a window that is numbered anew, and Llama 2's keys under dynamic NTK."""
    counts, lengths, window, sinks = [1, 12, 199, 1000], [12, 4096, 131_072, 1_000_000], 4, 2
    configs = [known(name) for name in MODELS.values()]
    full, gib = configs[0], 2**30
    weights = count_weights(full).in_bytes("bfloat16")
    cache = WindowCache(RoPE(4), window, sinks, numbering="cache", rotate_on_write=True)
    for _ in range(counts[1]):
        cache.step(*torch.ones(3, 1, 1, 1, 4, dtype=torch.float64))
    trained, grown = 4096, [4096, 4128, 4136]
    scaling = DynamicNTK(2.0, trained)
    plain, *others = (rope_inv_freq(128, 10000.0, scaling, length)[0] for length in grown)
    places = torch.tensor([0, 500, 4000])
    written = written_inv_freq(places, trained, 128, 10000.0, scaling)
    phases = [stale_phase(places, written, now) for now in others]
    (phi3,) = known("Phi-3-mini-128k").rotary.values()
    assert isinstance(phi3, RopeLayer)
    listed = [phi3.frequencies(length)[0] for length in (trained, trained + 1)]
    return {
        "counts": counts,
        "again": [1 + decode_work("recomputed", 1, n, 1).tokens_run for n in counts],
        "turned": [decode_work("on_read", 4096, n, 4096).keys_rotated for n in grown],
        "lengths": lengths,
        "bytes": [cache_bytes(config, length) for config in configs for length in lengths],
        "weights": [count_weights(config).in_bytes("bfloat16") for config in configs],
        "fits": [
            max(n for n in range(138_000, 138_300) if weights + cache_bytes(full, n) <= 80 * gib)
        ],
        "kept": cache.kept.tolist(),
        "written_at": cache.rotated_at.tolist(),
        "grown": grown,
        "bases": [scaling.new_base(64, 10000.0, length) for length in grown],
        "speeds": torch.stack([plain, *others]).flatten().tolist(),
        "places": places.tolist(),
        "phases": torch.stack(phases).flatten().tolist(),
        "worst": [int(phases[-1][-1].cos().argmin())],  # nearest to half a turn
        "listed": torch.stack(listed).flatten().tolist(),
        "jump": stale_phase(places[2:], listed[0][None], listed[1]).flatten().tolist(),
    }


def _near(theta: Tensor, plain: Tensor) -> float:
    """How far neighbours are apart, as a share of training."""
    one = torch.tensor([1])
    after, before = (
        neighbour_change(Reading(its), one, 3, width=2 * len(its)) for its in (theta, plain)
    )
    return float(after / before)


def _hand_off(theta: Tensor, plain: Tensor, trained: int, distance: int, long: int) -> float:
    """Degrees from a dial to where training had it while the dial before stood as it does now.

    All of training is tried, in small steps.
    """
    shown = torch.arange(0, trained - 1, STEP, dtype=torch.float64)
    turned = [distance * theta[i] - shown * plain[i] for i in (long, long + 1)]
    off, short = (angle - TURN * (angle / TURN).round() for angle in turned)
    return float(short[off.abs() <= plain[long] * STEP].abs().min().rad2deg())


def _share(count: int, lead: float) -> float:
    """Attention of a key that leads all others; thousands of terms are summed exactly."""
    scores = torch.zeros(count, dtype=torch.float64)
    scores[0] = lead
    return 1 / math.fsum((scores - lead).exp().tolist())


def counts() -> dict[str, object]:
    """Intervals of counts, what a token costs in each half, and how many keys were found."""
    asked = [(0, 30), (7, 10), (22, 30), (23, 30), (30, 30)]
    bits = [0.03, 0.96, 1.0, 5.27, 13.91]
    data = tables.load()
    trained, length = data.about.trained, tables.usual_length(data.losses)
    its = losses.bits(data, length, list(WAYS.values()))
    window = WAYS["window"]
    found = keys.keys(data, [WAYS[name] for name in ("none", "ntk", "yarn")])
    return {
        "counts": asked,
        "intervals": [keys.share_and_interval(*one)[1:] for one in asked],
        "bits": bits,
        "probabilities": [2**-one for one in bits],
        "saved": [
            its.gain(WAYS[name], WAYS["none"], trained, length).values.tolist()
            for name in ("linear", "ntk", "yarn")
        ],
        "levels": [
            [its.between(way, *ends).mean() for ends in ((0, trained), (trained, length))]
            for way in WAYS.values()
        ],
        "over_window": [
            float(its.gain(Way("yarn", factor), window, trained, length).mean)
            for factor in (4.0, 2.0)
        ],
        "lengths": next(iter(found.values())).lengths[-3:],
        "keys": [
            [
                [int(one.right[:, at].sum()), *(end[at] for end in one.by_length()[1:])]
                for at in (-3, -2, -1)
            ]
            for one in found.values()
        ],
    }


def attention() -> dict[str, object]:
    """A sentence in several orders: no encoding and three, without a mask and with one."""
    made = why_position.words_and_matrices()
    sentence = [0, 1, 2, 0, 3]
    words = made["words"][sentence]
    orders = [[0, 1, 2, 3, 4], [0, 4, 2, 3, 1], [4, 3, 2, 1, 0], [1, 0, 2, 3, 4]]
    ways = {
        "none": NoPE(),
        "add": Sinusoidal(4),
        "subtract": ALiBi(8, symmetric=True),
        "turn": RoPE(4),
    }
    found: dict[str, object] = {"orders": [place for order in orders for place in order]}
    for name, encoding in ways.items():
        for mask in (None, "causal"):
            outputs, weights = [], []
            for order in orders:
                x = encoding.double().embed(words[order][None], torch.arange(5))
                q, k, v = (x @ matrix.T for matrix in made["matrices"])
                heads = (one[None].expand(1, 8, 5, 4) for one in (q[0], k[0], v[0]))
                trace = attend(*heads, encoding, mask=mask, trace=True)
                outputs.append(trace.output[0, 0])  # of the first head
                weights.append(trace.weights[0, 0])
            found[f"outputs_{name}_{mask}"] = torch.stack(outputs).flatten().tolist()
            found[f"weights_{name}_{mask}"] = torch.stack(weights).flatten().tolist()
    return found


def look_back() -> dict[str, object]:
    """Shares of three heads that want the word n back, in a text whose words are all alike."""
    wanted, text = [1, 15, 100, 300], torch.arange(4096)
    slopes = torch.tensor([math.log((n + 1) / n) for n in wanted], dtype=torch.float64)
    steep = alibi_bias(slopes, -text, dtype=torch.float64).softmax(-1)
    buckets = t5_bucket(-text, False)
    numbers = torch.stack([16.0 * (buckets == buckets[n]) for n in wanted]).double().softmax(-1)
    inv_freq = rope_inv_freq(64, 10000.0)[0]
    turned = []
    each = torch.full((64,), 2.0, dtype=torch.float64)  # of length 16
    for n in wanted:
        scores = rope_score_at_distance(each, each, inv_freq, text - n) / 8
        turned.append(scores.softmax(-1))
    shown = [0, 1, 14, 15, 99, 100, 112, 113, 299, 300, 301, 399]
    return {
        "wanted": wanted,
        "shown": shown,
        "alibi": steep[:, shown].flatten().tolist(),
        "t5": numbers[:, shown].flatten().tolist(),
        "rope": torch.stack(turned)[:, shown].flatten().tolist(),
    }


def picture_in_text() -> dict[str, object]:
    """Ids of texts with a picture or a film, and shares of a head that looks one patch up or left."""
    pictures = [(4, 6), (1, 7), (7, 1), (40, 40), (3, 3)]
    seconds = [0.5, 0.75, 1.0, 1.25, 1.5, 2.0]
    films = [mrope_positions([3, (3, 4, 6)], second_per_grid_t=one) for one in seconds]
    at = mrope_positions([(1, 4, 6)])
    query, ways, used, length = 15, [(-1, 0), (0, -1), (-2, 2)], 4, 24.0
    shares = []
    for sections, base, interleaved in (((16, 24, 24), 1e6, False), ((24, 20, 20), 5e6, True)):
        rope = MRoPE(128, sections, base, interleaved=interleaved)
        axes = mrope_axis_of_pair(sections, interleaved=interleaved)
        on = torch.cat([torch.nonzero(axes == axis)[:used, 0] for axis in (1, 2)])
        vector = torch.zeros(128, dtype=torch.float64)
        vector[on] = length / len(on) ** 0.5  # the first of each pair's two channels
        k = rope(vector.expand(1, 1, query + 1, -1), at[:, None, : query + 1])
        for down, across in ways:  # a query that is turned as the wanted patch is
            wanted = at[:, query] + torch.tensor([0, down, across])
            q = rope(vector.expand(1, 1, 1, -1), wanted[:, None, None])
            shares.append(((q @ k.mT) / 128**0.5).softmax(-1).flatten())
    long = [200 + 9 * 9, 200 + 40 * 40, 200 + 1 * 40]
    ends = [
        int(mrope_positions([200, (1, r, c)]).max()) + 1 for r, c in ((9, 9), (40, 40), (1, 40))
    ]
    return {
        "pictures": pictures,
        "ids": [mrope_positions([3, (1, r, c), 3]).mT.tolist() for r, c in pictures],
        "seconds": seconds,
        "times": [film[0, 3::24].tolist() for film in films],
        "films": [film.mT.tolist() for film in films],
        "query": query,
        "ways": ways,
        "blocks": torch.stack(shares[: len(ways)]).flatten().tolist(),
        "interleaved": torch.stack(shares[len(ways) :]).flatten().tolist(),
        "million": [1e6 * end / tokens for end, tokens in zip(ends, long, strict=True)],
    }


def turn_value() -> dict[str, object]:
    """Sums of values that turn, what an output is off by, keys in both orders, an indexer's scores."""
    pair = torch.tensor([torch.pi / 4.5], dtype=torch.float64)  # radians a place
    share = torch.tensor([0.35, 0.2, 0.25, 0.2], dtype=torch.float64)
    angle = torch.tensor([25.0, 90.0, -25.0, -50.0], dtype=torch.float64).deg2rad()
    value = share[:, None] * torch.stack([angle.cos(), angle.sin()], -1)
    states, sums = [(0, 0), (2, 0), (3, 0), (0, 1), (2, 1), (5, 1)], []
    for start, swap in states:
        places = start + torch.tensor([2, 1, 0, 3] if swap else [0, 1, 2, 3])
        added = apply_rope(value, places, pair).sum(0, keepdim=True)
        sums.append([value.sum(0), added[0], apply_rope(added, -places[-1:], pair)[0]])

    rope, numbers = RoPE(64), torch.ones(512, dtype=torch.float64)
    off = []
    for place in (places := [0, 1, 10, 100, 1000, 10000, 100000, 1000000]):
        there = numbers.clone()
        there[-64:] = rope(numbers[None, -64:], torch.tensor([place]))[0]
        off.append(float((there - numbers).norm() / numbers.norm()))

    key_of = torch.tensor([[1, 0.8], [0, 0.5]], dtype=torch.float64)
    latent, at = torch.tensor([0.75, 0.45], dtype=torch.float64).expand(9, 2), torch.arange(9)
    made = apply_rope(latent @ key_of.mT, at, pair)
    turned = apply_rope(latent, at, pair) @ key_of.mT

    theta, back = rope_inv_freq(16)[0], torch.arange(64)
    query = torch.cat([(20 * theta).cos(), -(20 * theta).sin()])
    key = torch.cat([torch.ones(8), torch.zeros(8)]).double()
    scores = [
        apply_rope(query[None], torch.tensor([63]), theta, layout)
        @ apply_rope(key.expand(64, 16), 63 - back, theta, layout).mT
        for layout in ("half", "interleaved")
    ]
    return {
        "states": states,
        "sums": [[one.tolist() for one in row] for row in sums],
        "places": places,
        "off": off,
        "made": made.flatten().tolist(),
        "turned": turned.flatten().tolist(),
        "gaps": (made - turned).norm(dim=-1).tolist(),
        "scores": [(one.relu() / 4).flatten().tolist() for one in scores],
    }


def forget_gates() -> dict[str, object]:
    """Lights by gates, parts of a stick, a memory as it is read, and what later keys leave."""
    alike = torch.full((10,), 0.8, dtype=torch.float64)
    shut = torch.full((10,), 0.9, dtype=torch.float64)
    shut[3] = 0.05
    drawn = torch.tensor([1, 0.85, 0.6, 0.6, 0.85, 0.85, 0.8, 0.85, 0.6, 0.85], dtype=torch.float64)
    gates = torch.stack([alike, shut, drawn])
    shares = torch.stack([torch.full((9,), 0.25), torch.full((9,), 0.25)]).double()
    shares[1, -1] = 0.8

    def rays(degrees: list[float]) -> Tensor:
        angle = torch.tensor(degrees, dtype=torch.float64).deg2rad()
        return torch.stack([angle.cos(), angle.sin()], -1)

    keys, values = rays([90, 0, 0]), torch.tensor([[3.0], [1.0], [4.0]]).double()
    axes = torch.eye(2, dtype=torch.float64)[:, None].expand(2, 3, 2)  # both, as queries
    fades, one = torch.full((2, 3), 0.9, dtype=torch.float64).log(), torch.ones(2, 3).double()
    read = gated_delta_rule(axes, keys.expand(2, 3, 2), values.expand(2, 3, 1), fades, one)
    drawn_keys = [[90, 0, 60], [90, 0, 0], [90, 0, 90]]
    three = torch.full((3, 3), 0.95, dtype=torch.float64).log()
    left = gated_delta_influence(
        torch.stack([rays(degrees) for degrees in drawn_keys]), three, torch.ones_like(three)
    )
    return {
        "gates": gates.tolist(),
        "lights": fox_bias(gates.log())[:, -1].exp().tolist(),
        "shares": shares.tolist(),
        "parts": stick_breaking_weights(shares.logit()).tolist(),
        "memory": read[..., 0].mT.tolist(),
        "keys": drawn_keys,
        "left": left[:, -1].norm(dim=-1).tolist(),
        "alone": fox_bias(three)[0, -1].exp().tolist(),
    }


def learned_or_none() -> dict[str, object]:
    """Mean cosines over the distance, Llama 4's factor, shares, and biases mixed from profiles."""
    distances = [0, 1, 3, 100, 65_536, 70_000, 300_000, 1_000_000]
    theta = rope_inv_freq(128, 5e6)[0]
    words = [8191, 8192, 16384, 65536, 131072, 1_000_000, 1_048_576]
    factors = llama4_temperature(torch.tensor(words) - 1)
    leads = torch.tensor([5.0, 8.0, 10.0], dtype=torch.float64)
    crowd = torch.zeros(3, 8000, dtype=torch.float64)
    crowd[:, 0] = leads
    d = torch.arange(1024, dtype=torch.float64)
    profiles = torch.stack(
        [
            torch.exp(-d / 8),
            torch.exp(-2 * (d / 100).log() ** 2),
            6.75 * (d / 1024) ** 2 * (1 - d / 1024),
        ]
    )
    mix = [-0.5, 1.0, 0.25]
    back = [-1, 0, 1, 8, 99, 512, 1023, 1024, 2000]
    bias = profile_bias(
        torch.tensor(mix, dtype=torch.float64)[None, None, None], profiles,
        torch.tensor([2000]), 2000 - torch.tensor(back),
    )  # fmt: skip
    return {
        "distances": distances,
        "likeness": (wave_sum(torch.tensor(distances), theta) / 64).tolist(),
        "words": words,
        "factors": factors.tolist(),
        "leads": leads.tolist(),
        "shares": crowd.softmax(-1)[:, 0].tolist(),
        "mix": mix,
        "back": back,
        "bias": bias.flatten().tolist(),
    }


def habits() -> dict[str, object]:
    """Of one head that looks two tokens back: what goes where, and how far back most goes."""
    seed = torch.Generator().manual_seed(7)
    scores = torch.randn(12, 12, generator=seed, dtype=torch.float64)
    scores += 4 * torch.eye(12, dtype=torch.float64).roll(-2, 1)
    weights = scores.masked_fill(~causal_mask(12, 12), -torch.inf).softmax(-1)
    found = Habits()
    found.add(weights[None], Queries.of(torch.arange(12), torch.arange(12)))
    shares = dict(zip(HABITS, found.shares()[:, 0].tolist(), strict=True))
    return {
        "weights": weights.flatten().tolist(),
        "previous": [shares["previous"]],
        "first": [shares["first"]],
        "most_back": [2],
    }


def chapters() -> dict[str, object]:
    """Words of the chapters, as the browser has them."""
    return {name: compiled(chapter(name)) for name in COURSE}


def made_up() -> dict[str, object]:
    """The same in the made-up language, which has no spaces between words."""
    return {name: compiled(chapter(name, voice(pseudo.NAME))) for name in COURSE}


def found() -> list[dict[str, str]]:
    """Everything that the search field knows."""
    entries: list[dict[str, str]] = json.loads(search_index(build.found()))
    return entries


FACTOR = 4.0
STEP = 0.02  # places
BACK = [600, 8191, 10000, 16384, 30000]
TURN = 2 * torch.pi
VALUES = {
    "cached": cached,
    "attention": attention,
    "gates": gates,
    "habits": habits,
    "look_back": look_back,
    "picture_in_text": picture_in_text,
    "turn_value": turn_value,
    "forget_gates": forget_gates,
    "learned_or_none": learned_or_none,
    "rotation": rotation,
    "waves": waves,
    "distances": distances,
    "penalties": penalties,
    "sinusoids": sinusoids,
    "scalings": scalings,
    "by_hand": by_hand,
    "counts": counts,
    "chapters": chapters,
    "made_up": made_up,
    "found": found,
}

if __name__ == "__main__":
    for name, made in VALUES.items():
        (FOLDER / f"{name}.json").write_text(json.dumps(made(), indent=1) + "\n")
