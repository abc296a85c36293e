"""Options of ``rropt plan`` that the goal does not use are refused, not swallowed."""

from __future__ import annotations

import numpy as np
from plans import planned

from rropt.mechanisms import named_mechanism
from rropt.noncompliance import breakdown_point, prevalence_bounds
from rropt_fieldwork import compare_designs
from rropt_fieldwork.devices.device_designs import design_devices
from rropt_fieldwork.devices.randomizing_devices import best_cards

BASE = ("plan", "margin", "0.1", "--mechanism", "warner:3/4", "--prevalence", "1/4")


def test_defaults_stay(cli_json) -> None:
    named = ["--confidence", "0.95", "--interval", "exact"]
    assert cli_json(*BASE)["n"] == cli_json(*BASE, *named)["n"]


def test_numbers_and_arrays_of_numpy_are_numbers_and_lists() -> None:
    seven = named_mechanism("warner:3/4"), [7, 3]
    three = {"mechanism": "grr:3,1", "contrast": ["1", "0", "0"], "variance": "1/10"}
    bits = {"mechanism": "bits:3/4*3", "variance": "1/10"}
    for function, plain, other in (
        (compare_designs, {"respondents": 52, "population": 1000}, np.int64),
        (compare_designs, {"respondents": 52, "surveyed": True}, np.int64),
        (design_devices, {"dice": 1, "deck": 20, "coins": 2, "cards": 3}, np.int64),
        (best_cards, {"cards": 20, "kinds": 3}, np.int64),
        (planned, {**three, "population": [0.5, 0.25, 0.25]}, np.array),
        (planned, {**bits, "questions": [0, 2]}, np.array),
        (planned, {**bits, "marginals": 2}, np.int64),
        (prevalence_bounds, {"samples": seven, "contrast": [0, 1]}, np.array),
        (breakdown_point, {"samples": seven, "conclusion": "at least 0.1", "contrast": [0, 1]}, np.array),
    ):
        level = {"epsilon": "log(9)"} if "samples" not in plain and "mechanism" not in plain else {}
        level |= {"prevalence": "1/10"} if function in (compare_designs, design_devices) else {}
        kind = int if other is np.int64 else list
        given = {key: other(value) if type(value) is kind else value for key, value in plain.items()}
        found, again = function(**level, **plain), function(**level, **given)
        assert repr(again) == repr(found)
        assert found == again if isinstance(found, tuple) else found.to_json() == again.to_json()


def test_the_proportions_are_named_as_the_command_names_them(cli) -> None:
    asked = ("plan", "power", "0.8", "--mechanism", "grr:3,1/2", "--contrast", "1,-1,0")
    status, _, err = cli(*asked)
    assert (status, "give the prevalence, or the proportions (--proportions)" in err) == (2, True)
    assert cli(*asked, "--proportions", "1/2,1/4,1/4")[0] == 0
    _, out, _ = cli("plan", "margin", "--help")
    assert "unless --proportions are given" in " ".join(out.split())
    _, out, _ = cli("plan", "se", "--mechanism", "bits:3/4*3", "sqrt(0.001)", "--n", "5000")
    assert "0; 0, 1; 0, 1, 2" in out
