"""Measurements of one model, by multiples of its training length."""

from dataclasses import dataclass

from lab.results.comparisons import NotMeasuredError, SeedValues, at
from lab.results.curves import counting_by_length, recall_between, recall_by_length, text_by_length
from lab.results.tables import Results
from lab.spec import RunSpec
from posenc.words import say


@dataclass(frozen=True)
class ModelResults:
    """Measurements of one model, by multiples of its training length."""

    results: Results
    model: str
    """Name without task and seed: "rope-base128"."""

    def spec(self, task: str) -> RunSpec:
        """A run of this model."""
        specs = self.results.models(task)
        if f"{task}-{self.model}" not in specs:
            raise NotMeasuredError(say("no run of {name}", name=f"{task}-{self.model}"))
        return specs[f"{task}-{self.model}"]

    def near(self, method: str, times: int) -> SeedValues:
        """Recall of near keys at `times` training lengths."""
        return self._recall(method, times, "near", 0)

    def far(self, method: str, times: int, tuned: int = 0) -> SeedValues:
        """Recall of far keys."""
        return self._recall(method, times, "far", tuned)

    def _recall(self, method: str, times: int, part: str, tuned: int) -> SeedValues:
        length = times * self.spec("recall").train_length
        curve = recall_by_length(self.results, f"recall-{self.model}", method, part, tuned)
        return at(curve, length, "percent")

    def between(self, method: str, times: int, low: int, high: int) -> SeedValues:
        """Recall of keys that lie `low` to `high` training lengths back."""
        inner = self.spec("recall").train_length
        model = f"recall-{self.model}"
        curve = recall_between(self.results, model, method, low * inner, high * inner)
        return at(curve, times * inner, "percent")

    def text(self, method: str, times: int) -> SeedValues:
        """Bits per byte more than the model's own sliding window needs."""
        length = times * self.spec("text").train_length
        model = f"text-{self.model}"
        curve = text_by_length(self.results, model, method, against_window=True)
        return at(curve, length, "bits")

    def counting(self, model: str, times: int) -> SeedValues:
        """Wrong answers of any model of the counting task."""
        inner = ModelResults(self.results, model).spec("counting").train_length
        curve = counting_by_length(self.results, f"counting-{model}", "as trained")
        return at(curve, times * inner, "percent")
