import pytest
import torch

from posenc import Learned


def test_a_table_starts_like_bert():
    table = Learned(1000, 50).table.detach()
    assert abs(float(table.std()) - 0.02) < 0.0005
    assert abs(float(table.mean())) < 0.0005


@pytest.mark.parametrize(("bad", "shown"), [([0, 6], "got 6"), ([-1, 2], "got -1")])
def test_a_position_past_the_end_is_an_error_that_says_so(bad, shown):
    encoding = Learned(6, 4, offset=2)  # row 7 is there, and no position may use it
    with pytest.raises(ValueError, match=f"between 0 and 5, the last row of the .*{shown}"):
        encoding.embed(torch.zeros(1, 2, 4), torch.tensor(bad))


def test_widths_that_do_not_fit_are_an_error():
    encoding = Learned(6, 4)
    with pytest.raises(ValueError, match=r"x must have shape \(batch, 2, 4\)"):
        encoding.embed(torch.zeros(1, 2, 5), torch.tensor([0, 1]))
    with pytest.raises(ValueError, match="x must have shape"):
        encoding.embed(torch.zeros(1, 3, 4), torch.tensor([0, 1]))
    with pytest.raises(ValueError, match="positions must be an integer tensor"):
        encoding.embed(torch.zeros(1, 2, 4), torch.tensor([0.0, 1.0]))
