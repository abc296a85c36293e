"""Sentences and messages in full that no recorded output has."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import rropt
import rropt_fieldwork
from rropt.answers.sample_descriptions import SamplingDesign
from rropt.claims.relations import relations
from rropt.core.errors import RroptError
from rropt.mechanisms.raw_matrices import audit

_ONE_CLUSTER = {
    "certainty": "only the variance due to the device, as in a census of the stratum",
    "average": "the mean contribution of the other strata",
    "adjust": "the squared distance of the cluster from the overall mean",
}


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: relations("x > 0 or x < 1"),
            "no relation: received 'x > 0 or x < 1'; write comparisons joined by 'and'",
        ),
        (lambda: relations("1/0 > 0"), "a divisor is 0: received '1/0 > 0'"),
        (
            lambda: rropt_fieldwork.samples_needed(rropt.Mechanism.grr(61, epsilon=1), 1),
            "the mechanism has too many inputs: received 61; allowed are 60",
        ),
        (
            lambda: audit([[0.5, 0.4], [0.4, 0.5]]),
            "column 0 does not sum to 1: received the sum 0.9; allowed are rounding errors up to 1e-06; every column "
            "is a distribution over the outputs: write fractions such as 1/3",
        ),
        (
            lambda: audit([[0.5, 0.5], [0.3, 0.7]]),
            "column 0 does not sum to 1: received the sum 0.8; allowed are rounding errors up to 1e-06; its rows sum "
            "to 1: rows and columns are exchanged (see transposed)",
        ),
    ],
)
def test_a_message_is_said_in_full(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(RroptError) as error:
        call()
    assert str(error.value) == message


@pytest.mark.parametrize("rule", _ONE_CLUSTER)
def test_a_stratum_with_one_cluster_says_what_it_adds(rule: str) -> None:
    design = SamplingDesign("equal", 3, 5, None, False, rule, 1, 0, False)
    assert f"5 clusters in 3 strata; 1 stratum with one cluster adds {_ONE_CLUSTER[rule]}" in design.sample
