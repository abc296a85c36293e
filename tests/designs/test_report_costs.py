"""What a report of a design costs: the loss of shorter reports is that of the design with this many bits."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from math import comb, log2
from pathlib import Path

import pytest

import rropt
from rropt.mechanisms.families import BlockMechanism

CASES = [(40, "a-optimal", "log(3)"), (31, "e-optimal", "log(5)"), (300, "a-optimal", "1")]


@pytest.mark.slow
@pytest.mark.parametrize(("k", "objective", "epsilon"), CASES)
def test_the_loss_of_shorter_reports_is_that_of_the_design_with_so_many_bits(
    k: int, objective: str, epsilon: str
) -> None:
    whole = rropt.design.kary(k, epsilon=epsilon, objective=objective, routes="exact")
    cost = whole.report_cost()
    assert cost.bits >= log2(cost.outputs) > cost.bits - 1
    assert cost.shorter is not None
    own = rropt.design.kary(k, epsilon=epsilon, objective=objective, outputs=f"2^{cost.shorter.bits}", routes="exact")
    assert isinstance(own.mechanism, BlockMechanism)
    assert own.mechanism.output_bits == cost.shorter.bits < cost.bits
    assert own.mechanism.blocks.title == cost.shorter.family
    # both are private at the level below exp(epsilon), which has 30 digits there and 20 in a design
    assert float(own.value / whole.value - 1) == pytest.approx(float(cost.shorter.loss), rel=1e-9)
    assert 0 <= cost.shorter.loss <= 0.1


@pytest.mark.slow
def test_a_printed_design_states_its_report() -> None:
    """Subset selection of 81 of 300 categories: log2 C(300, 81) is 249 bits, in 32 bytes."""
    text = str(rropt.design.kary(300, epsilon=1, objective="a-optimal", routes="exact"))
    assert 248 < log2(comb(300, 81)) <= 249
    assert "subset selection (sets of 81): about 10^74 outputs, 249 bits (32 bytes)" in text
    assert "with --outputs 2^12" in text
    assert "12 bits instead of 32 bytes: n tr Cov 0.084 % larger" in text


def test_a_design_that_may_reveal_the_truth_names_its_family() -> None:
    """At delta > 0 a report is a set of the design, or the truth with probability delta."""
    whole = rropt.design.kary(200, epsilon=1, delta="1/100", objective="a-optimal", routes="exact")
    assert whole.report_cost().family == "subset selection (sets of 54), or the truth"
    short = rropt.design.kary(200, epsilon=1, delta="1/100", objective="a-optimal", outputs="2^16", routes="exact")
    assert short.report_cost().family == "affine design (classes), or the truth"


def test_reports_of_two_categories_and_shortest_ones_have_no_shorter_one() -> None:
    assert "a report" not in str(rropt.design.binary("1/4", epsilon=1, routes="exact"))
    short = rropt.design.kary(4, epsilon=1, objective="trace", routes="exact").report_cost()
    assert (short.outputs, short.bits, short.shorter) == (4, 2, None)
    unequal = rropt.design.kary(epsilon=1, objective="a-optimal", population=["1/2", "1/3", "1/6"], routes="exact")
    assert unequal.report_cost().shorter is None


def test_json_of_a_design_has_the_cost_of_a_report(cli: Callable[..., tuple[int, str, str]], tmp_path: Path) -> None:
    call = ("design", "kary", "-k", "128", "--epsilon", "1", "--objective", "a-optimal", "--fast", "--json")
    status, out, error = cli(*call)
    assert status == 0, error
    (tmp_path / "design.json").write_text(out)
    told, cost = json.loads(out)["report_cost"], rropt.load(tmp_path / "design.json").report_cost()
    assert (told["family"], int(told["outputs"]), told["bits"]) == cost[:3]
    assert (told["shorter"]["bits"], Fraction(told["shorter"]["loss"])) == (cost.shorter.bits, cost.shorter.loss)


def test_a_number_of_outputs_of_many_thousand_digits_is_written(cli: Callable[..., tuple[int, str, str]]) -> None:
    """Python writes no integer of more than 4300 digits by itself."""
    call = ("design", "kary", "-k", "20000", "--epsilon", "1", "--delta", "1/1000000", "--objective", "a-optimal")
    status, out, error = cli(*call, "--fast", "--json")
    assert status == 0, error
    outputs = json.loads(out)["report_cost"]["outputs"]
    assert len(outputs) > 4300
    assert outputs.isdigit()
