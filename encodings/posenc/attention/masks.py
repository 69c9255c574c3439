"""Which queries may attend to which keys: masks of texts, padding and indices. All join by `&`."""

from collections.abc import Callable
from typing import Literal

import torch
from torch import Tensor

from posenc.checks import check_bool, check_int, check_positions, check_tensors

Mask = Tensor | Literal["causal"] | None


def causal_mask(q_len: int, k_len: int, device: torch.device | str = "cpu") -> Tensor:
    """Which queries see which keys when the queries are the last `q_len` of `k_len` tokens.

    Returns:
        Bool (q_len, k_len), True at key j for query i where j <= i + k_len - q_len.
    """
    check_int("q_len", q_len, 0)
    check_int("k_len", k_len, 0)
    queries = torch.arange(k_len - q_len, k_len, device=device)
    return causal_pairs(queries, torch.arange(k_len, device=device))


def padding_mask(attention_mask: Tensor) -> Tensor:
    """Turn a tokenizer's attention mask (batch, k_len; non-zero = real token) into a mask of keys.

    Returns:
        Bool (batch, 1, 1, k_len), to be combined with `causal_mask` by `&`.
    """
    check_tensors(attention_mask=attention_mask)
    return attention_mask.bool()[:, None, None, :]


def positions_from_mask(attention_mask: Tensor) -> Tensor:
    """Position ids that count the real tokens of each row: 0 for the first, whatever is before it.

    Args:
        attention_mask: (batch, seq), non-zero for real tokens.

    Returns:
        int64 (batch, seq); padding in front has 0, padding at the end has the last token's. Both
        have to be masked.

    Source: transformers, the usual `attention_mask.cumsum(-1) - 1` of its generation code.
    """
    check_tensors(attention_mask=attention_mask)
    return (attention_mask.bool().to(torch.int64).cumsum(dim=-1) - 1).clamp(min=0)


def causal_pairs(queries: Tensor, keys: Tensor) -> Tensor:
    """True where the key is not after the query.

    Args:
        queries: Indices of tokens in the text, integers (q_len,).
        keys: Indices, integers (k_len,).

    Returns:
        Bool (q_len, k_len).
    """
    return keys <= queries[:, None]


def window_pairs(queries: Tensor, keys: Tensor, window: int) -> Tensor:
    """True where fewer than `window` tokens lie from the key to the query: a sliding window.

    Shapes as in `causal_pairs`; with it a query sees itself and the window - 1 keys before.

    Raises:
        ValueError: If the window is below 1.

    Source: Beltagy et al. 2020, section 3.1, arXiv:2004.05150; Jiang et al. 2023 (Mistral),
    section 2, arXiv:2310.06825.
    """
    check_int("window", window, 1)
    return (keys - queries[:, None]).abs() < window


def prefix_pairs(queries: Tensor, keys: Tensor, prefix: int) -> Tensor:
    """True where the key is not after the query, or is among the first `prefix` tokens.

    Shapes as in `causal_pairs`. The prefix sees all of itself, the rest sees the past.

    Raises:
        ValueError: If the prefix is below 0.

    Source: Raffel et al. 2019, section 3.2.1 (causal with prefix), arXiv:1910.10683.
    """
    check_int("prefix", prefix, 0)
    return causal_pairs(queries, keys) | (keys < prefix)


def document_pairs(queries: Tensor, keys: Tensor, documents: Tensor) -> Tensor:
    """True where query and key belong to the same document of a packed sequence.

    Args:
        queries: Indices (q_len,).
        keys: Indices (k_len,).
        documents: Number of the document of each token, integers (length,).

    Returns:
        Bool (q_len, k_len).
    """
    return documents[queries][:, None] == documents[keys]


def document_mask(documents: Tensor) -> Tensor:
    """Which queries may attend to which keys in packed documents: tokens of the same document.

    Args:
        documents: Number of the document of each token, integers (seq,) or (batch, seq).

    Returns:
        Bool (seq, seq), or (batch, 1, seq, seq); joins `causal_mask` by `&`.

    Raises:
        ValueError: If documents are not integers of one of these shapes.

    Source: Krell et al. 2021, section 3.2, arXiv:2107.02027.
    """
    documents = check_positions("documents", documents)
    same = documents[..., :, None] == documents[..., None, :]
    return same if same.dim() == 2 else same[:, None]


def document_mask_mod(
    documents: Tensor, *, causal: bool = True
) -> Callable[[Tensor, Tensor, Tensor, Tensor], Tensor]:
    """`document_mask` for `torch.nn.attention.flex_attention.create_block_mask`.

    Args:
        documents: Number of the document of each token, integers (seq,) or (batch, seq), on the
            device of the queries.
        causal: Hide later tokens too.

    Returns:
        A function of batch, head, query and key, True where the query may attend to the key.

    Raises:
        ValueError: If documents are not integers of one of these shapes.
    """
    documents = check_positions("documents", documents)
    check_bool("causal", causal)

    def visible(batch: Tensor, head: Tensor, query: Tensor, key: Tensor) -> Tensor:
        row = documents if documents.dim() == 1 else documents[batch]
        same = row[query] == row[key]
        return same & (key <= query) if causal else same

    return visible


def positions_from_documents(documents: Tensor) -> Tensor:
    """Positions that begin anew at 0 wherever the document is another than before.

    Args:
        documents: Number of the document of each token, integers (seq,) or (batch, seq).

    Returns:
        int64 of the same shape.

    Raises:
        ValueError: If documents are not integers of one of these shapes.
    """
    documents = check_positions("documents", documents)
    token = torch.arange(documents.shape[-1], device=documents.device).expand(documents.shape)
    begins = torch.ones_like(documents, dtype=torch.bool)
    begins[..., 1:] = documents[..., 1:] != documents[..., :-1]
    first = torch.where(begins, token, 0).cummax(dim=-1).values
    return token - first


def documents_of(breaks: Tensor) -> Tensor:
    """Number the documents of a text whose tokens are marked where one ends.

    Args:
        breaks: Bool (length,): True at the last token of a document.

    Returns:
        int64 (length,), from 0, rising.
    """
    return torch.cat((breaks.new_zeros(1, dtype=torch.long), breaks[:-1].long())).cumsum(0)
