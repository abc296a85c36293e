"""Exact cyclic correlations of counts with 0/1 vectors, by Fourier transforms with bounded rounding error.

The sums are ``c_x = sum_i sum_w n_i(w) f_i(x + w)`` with indices modulo q.

* f_i is extended periodically beyond q, so no index wraps around.
* With ``f - 1/2`` instead of f, all entries are 1/2 or -1/2. Then ``c_x = N/2 + sum ...``, where N is the sum of the
  counts.
* The error of a convolution by transforms of length L is at most ``8 u log2(L) |n| |f|``, with Euclidean norms and
  u = 2^-53 (Higham 2002, section 24.1, with a margin for three transforms).
* If this bound is below 1/4, rounding the doubled sums gives the exact integers. Otherwise the binary digits of the
  counts are split into a high and a low part, and the two correlations are added.
"""

from __future__ import annotations

from math import log2
from typing import TYPE_CHECKING, Any

from rropt.core.errors import UnsupportedProblemError
from rropt.core.lazy import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_UNIT = 2.0**-53
_SURE = 0.2  # largest accepted error bound; rounding the doubled sums needs less than 1/4


def correlation_sums(counts: NDArray[np.int64], sets: NDArray[np.bool_], most: int) -> NDArray[np.int64]:
    """Return ``c_x = sum_i sum_w n_i(w) f_i((x + w) mod q)`` for x = 0, ..., most - 1.

    Args:
        counts: n, shape (e, q), nonnegative integers.
        sets: f, shape (e, q).
        most: the number of values x, at most q.

    Raises:
        UnsupportedProblemError: the counts are so large that floats cannot determine the exact integers.
    """
    from scipy.fft import irfft, next_fast_len, rfft

    q = counts.shape[1]
    length = next_fast_len(q + most - 1, real=True)  # f is shifted by up to q - 1, and x goes up to most - 1
    norm = float(sum(np.linalg.norm(row.astype(float)) for row in counts)) * (q + most) ** 0.5 / 2
    if 8 * _UNIT * log2(length) * norm > _SURE:
        large = counts >> 20
        if not large.any():
            raise UnsupportedProblemError(
                f"the counts are too many for one exact transform: received {int(counts.sum())} responses and {q} "
                "blocks in a class; merge fewer of them, or estimate single categories"
            )
        return (correlation_sums(large, sets, most) << 20) + correlation_sums(counts & ((1 << 20) - 1), sets, most)
    total: Any = 0
    for row, held in zip(counts, sets, strict=True):
        if row.any():
            centred = np.concatenate([held, held[: most - 1]]) - 0.5
            total = total + np.conj(rfft(row.astype(float), length)) * rfft(centred, length)
    if isinstance(total, int):
        return np.zeros(most, np.int64)
    doubled = np.rint(2 * irfft(total, length)[:most]).astype(np.int64)
    found: NDArray[np.int64] = (doubled + int(counts.sum())) // 2
    return found
