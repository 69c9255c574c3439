"""How often small models miscount, in texts of three kinds."""

import pandas as pd

from lab.training.checkpoints import DATA

MODELS = {
    "alibi": "counting-alibi",
    "cope": "counting-cope-max_positions16",
    "rope": "counting-rope",
}
KINDS = ("as trained", "diluted", "rare reset")


def data() -> dict[str, object]:
    """By model, kind, length: per cent of wrong counts, their mean, of the best, of the worst."""
    table = pd.read_csv(DATA / "counting.csv")
    table["model"] = (
        table.run.str.removesuffix("-s0").str.removesuffix("-s1").str.removesuffix("-s2")
    )
    shares = 100 * table.wrong / table.asked
    means = shares.groupby([table.model, table.mix, table.length]).agg(["mean", "min", "max"])
    return {
        "lengths": sorted(map(int, table.length.unique())),
        "wrong": {
            name: [means.loc[model, kind].round(1).to_numpy().tolist() for kind in KINDS]
            for name, model in MODELS.items()
        },
    }
