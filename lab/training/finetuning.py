"""A short training at a longer length, under a scaling that stays as it is."""

import copy
from collections.abc import Iterator

from lab.model.encodings import encoding_for
from lab.model.methods import scaling
from lab.model.transformer import LanguageModel
from lab.spec import RunSpec
from lab.tasks import corpus, recall
from lab.tasks.batch import Batch
from lab.training.loop import Trainer
from lab.training.optimisers import learning_rate

UPDATES = 100
STREAM = 1 << 20  # where the numbers of its updates begin, so that no data was seen in training


def batch_at(spec: RunSpec, update: int, length: int) -> Batch:
    """Batch of one update of the fine-tuning: sequences of `length` tokens."""
    if spec.task == "recall":
        return recall.training_batch(
            spec.seed, STREAM + update, length, spec.tokens_per_update, skewed=True
        )
    data = corpus.corpus(spec.corpus).train
    rows = max(1, spec.tokens_per_update // length)
    return corpus.training_batch(data, spec.seed, STREAM + update, length, rows)


def finetune(
    model: LanguageModel, spec: RunSpec, method: str, factor: int
) -> Iterator[tuple[LanguageModel, dict[str, float]]]:
    """Train a copy at `factor` times the training length, scaled by `method` for that factor.

    Hands out the copy and its values after every update; the learning rates rise over a tenth of
    the updates to those of the first training, then fall to 0.
    """
    trainer = Trainer(spec)
    trainer.model.load_state_dict(copy.deepcopy(model.state_dict()))
    how = scaling(method, factor, spec.train_length)
    trainer.model.encoding = encoding_for(
        trainer.model.encoding, factor * spec.train_length, spec.seed, how
    )
    for update in range(UPDATES):
        batch = batch_at(spec, update, factor * spec.train_length)
        yield trainer.model, trainer.learn(batch, learning_rate(update, UPDATES, warm_up=0.1))
