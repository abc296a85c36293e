"""Contrasts that several devices identify together: published figures, unbiasedness by enumeration, and refusals."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import rropt
from rropt.core.errors import InfeasibleError, InvalidParameterError
from rropt.mechanisms import Mechanism
from rropt.survey.estimates.contrast_estimates import ContrastEstimate, estimate_contrast


def _unrelated(p: str) -> Mechanism:
    """Return the unrelated question with the categories (trait, innocuous trait) 00, 10, 01, 11, by definition."""
    q = 1 - Fraction(p)
    return Mechanism([["1", q, Fraction(p), "0"], ["0", Fraction(p), q, "1"]])


def test_two_samples_of_greenberg() -> None:
    """Greenberg et al. (1969): pi_A = (lambda_1 (1 - p_2) - lambda_2 (1 - p_1)) / (p_1 - p_2), and its variance."""
    counts = [(_unrelated("7/10"), (710, 290)), (_unrelated("3/10"), (590, 410))]
    found = estimate_contrast(counts, (0, 1, 0, 1))
    assert found.estimate == (Fraction(29, 100) * Fraction(7, 10) - Fraction(41, 100) * Fraction(3, 10)) / Fraction(
        2, 5
    )
    assert round(found.standard_error, 7) == 0.0276882
    assert (round(float(found.interval.lower), 4), round(float(found.interval.upper), 4)) == (0.1457, 0.2543)
    assert estimate_contrast(counts, (0, 0, 1, 1)).estimate == Fraction(1, 2)  # of the innocuous question


def test_it_is_unbiased_for_three_devices() -> None:
    """At counts in the proportions of a distribution the estimate is the contrast, whatever the sample sizes."""
    pi = [Fraction(1, 10), Fraction(3, 10), Fraction(2, 10), Fraction(4, 10)]
    answers = []
    for p, n in (("7/10", 3000), ("3/10", 1000), ("1/5", 500)):
        device = _unrelated(p)
        shares = [sum(Fraction(x) * y for x, y in zip(row, pi, strict=True)) for row in device.matrix]
        answers.append((device, [int(share * n) for share in shares]))
    found = estimate_contrast(answers, ("0", "1", "0", "1"))
    assert found.estimate == pi[1] + pi[3]
    assert found.variance < estimate_contrast(answers[:2], (0, 1, 0, 1)).variance
    assert ContrastEstimate.from_dict(json.loads(found.to_json())) == found


def test_one_device_gives_its_estimate() -> None:
    """The plug-in variance of one device is that of ``estimate``, from other code."""
    one = rropt.estimate("warner:3/4", [60, 40])
    found = estimate_contrast([(Mechanism("warner:3/4"), (60, 40))], (0, 1))
    assert (found.estimate, found.variance) == (one.prevalence, one.covariance()[1][1])


def test_what_the_devices_do_not_determine_is_refused() -> None:
    with pytest.raises(InfeasibleError, match="do not determine the contrast: received 0,0,0,1 for 2 devices"):
        estimate_contrast([(_unrelated("7/10"), (3, 4)), (_unrelated("3/10"), (5, 6))], (0, 0, 0, 1))
    with pytest.raises(InvalidParameterError, match="give 4 numbers"):
        estimate_contrast([(_unrelated("7/10"), (3, 4))], (0, 1))


def test_the_command_and_the_function_read_a_table(tmp_path: Path, cli: Callable[..., tuple[int, str, str]]) -> None:
    deck = np.repeat(np.array(["u7", "u3"], object), 100)
    y = np.concatenate([np.arange(100) < 29, np.arange(100) < 41]).astype(int)
    names = {"u7": _unrelated("7/10"), "u3": _unrelated("3/10")}
    asked = {"column": "y", "devices": "deck", "device_names": names, "contrast": [0, 1, 0, 1]}
    found = rropt.estimate(data={"y": y, "deck": deck}, **asked)
    assert found.estimate == Fraction(1, 5)
    with pytest.raises(InvalidParameterError, match="contrast"):
        rropt.estimate(data={"y": y, "deck": deck}, by="deck", **asked)
    table, devices = tmp_path / "two.csv", tmp_path / "decks.json"
    table.write_text("y,deck\n" + "".join(f"{a},{b}\n" for a, b in zip(y, deck, strict=True)), encoding="utf-8")
    devices.write_text(json.dumps({name: one.to_dict() for name, one in names.items()}), encoding="utf-8")
    options = ["--column", "y", "--devices", "deck", "--device-file", str(devices), "--contrast", "0,1,0,1"]
    status, out, _ = cli("estimate", str(table), *options)
    assert (status, "1/5 = 0.20" in out) == (0, True)


def test_devices_of_different_categories_are_one_clear_error() -> None:
    other = Mechanism([["1/2", "1/3", "1/4", "1/5"], ["1/2", "2/3", "3/4", "4/5"]])
    with pytest.raises(InvalidParameterError, match="different numbers of categories"):
        estimate_contrast([(Mechanism("warner:3/4"), (3, 4)), (other, (2, 5))], (0, 1))
