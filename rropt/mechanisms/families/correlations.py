"""Exact correlations of counts with 0/1 vectors, cyclic in length q: Fourier transforms of bounded error.

Each ``c_x = sum_i sum_w n_i(w) f_i(x + w)``, indices modulo q: f_i is continued beyond q, so that no index wraps. With
``f - 1/2`` in the place of f all entries are 1/2 or -1/2, and ``c_x = N/2 + sum ...`` with N the number of counts. The
error of a convolution by transforms of length L is at most ``8 u log2(L) |n| |f|`` (Euclidean norms, u = 2^-53; Higham
2002, section 24.1, with room for three transforms). Below 1/4 rounding of the doubled sums finds the exact integers.
Beyond it the counts are split into two parts by size.
"""

from __future__ import annotations

from math import log2
from typing import TYPE_CHECKING, Any

from rropt.core.errors import UnsupportedProblemError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_UNIT = 2.0**-53
_SURE = 0.2  # of the bound: rounding needs less than 1/2


def correlation_sums(counts: NDArray[np.int64], sets: NDArray[np.bool_], most: int) -> NDArray[np.int64]:
    """Return ``c_x = sum_i sum_w n_i(w) f_i((x + w) mod q)`` for x = 0..most-1.

    Args:
        counts: n, shape (e, q), nonnegative integers.
        sets: f, shape (e, q).
        most: the number of x, at most q.

    Raises:
        UnsupportedProblemError: so many counts that floats cannot find the exact integers.
    """
    import numpy as np
    from scipy.fft import irfft, next_fast_len, rfft

    q = counts.shape[1]
    length = next_fast_len(q + most - 1, real=True)  # shifts of f by 0..q-1 beyond x = 0..most-1
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
