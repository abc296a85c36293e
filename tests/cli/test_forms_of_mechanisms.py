"""Products and orbits on the command line: as their matrix where it can be written out, by their form beyond."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from pathlib import Path

import pytest

from rropt import Mechanism
from rropt.mechanisms import OrbitMechanism, ProductMechanism

WARNER = Mechanism.binary("3/4", "3/4")


def _file(folder: Path, mechanism: Mechanism) -> str:
    path = folder / f"m{len(list(folder.iterdir()))}.json"
    path.write_text(mechanism.to_json())
    return str(path)


@pytest.mark.slow
def test_a_small_product_is_as_its_matrix(cli, cli_json, tmp_path) -> None:
    whole = ProductMechanism([WARNER, Mechanism.binary("2/3", "4/5")])
    product, matrix = _file(tmp_path, whole), _file(tmp_path, Mechanism(whole))
    for command in (
        ["privacy", "{}", "--profile"],
        ["privacy", "{}", "--epsilon", "2", "--delta", "1"],
        ["privacy", "{}", "--level", "posterior:1/100,99/100"],
        ["estimate", "--mechanism", "{}", "--counts", "5,6,7,8"],
    ):
        found, expected = (cli_json(*[word.format(path) for word in command]) for path in (product, matrix))
        found, expected = (
            json.loads(json.dumps(x).replace(path, "")) for x, path in ((found, product), (expected, matrix))
        )
        levels = found.pop("questions", None) if command[0] == "privacy" else None
        beside = [[key for key in x.pop("beside", []) if key != "questions"] for x in (found, expected)]
        assert beside[0] == beside[1]
        if levels is not None:
            assert levels.pop("decimals")["whole_answer"] == pytest.approx(math.log(10))
        assert levels == (  # a product says the levels of its questions too
            {
                "whole_answer": "log(10)",
                "questions": ["log(3)", "log(10/3)"],
                "worst_question": "log(10/3)",
                "differing": ["log(10/3)", "log(10)"],
            }
            if command[0] == "privacy"
            else None
        )
        for one in (found, expected):
            one.get("decimals", {}).pop("mechanism", None)
            one.pop("device_in_words", None)  # a product states each question
        for one in (found, expected):
            one.pop("mechanisms", None)
        assert [found.pop("mechanism", None), expected.pop("mechanism", None)].count(None) in (0, 2)  # each in its form
        assert found == expected
    compared = cli_json("compare", product, matrix)
    assert compared["relation"] == "equivalent"
    assert all(proof is not None for proof in compared["certificates"].values())
    data = tmp_path / "data"
    data.write_text("0\n1\n2\n3\n")
    status, _, err = cli("randomize", str(data), "--mechanism", product)
    assert (status, "line 1 of the data has 1 value, and 2 are expected" in err) == (2, True)
    words = ("randomize", str(data), "--mechanism", product, "--categories", "0,1,2,3")
    assert cli_json(*words)["epsilon"] == str(whole.epsilon)


def test_the_json_of_a_design_is_its_mechanism(cli, cli_json, tmp_path) -> None:
    written, printed = tmp_path / "written.json", tmp_path / "printed.json"
    call = "design binary --epsilon 1 --prevalence 1/5 --for cards --routes exact"
    printed.write_text(json.dumps(cli_json(*call.split(), "--output", str(written))))
    assert Mechanism(str(printed)) == Mechanism(str(written)) == Mechanism([["19/26", "7/26"], ["7/26", "19/26"]])
    assert "log(19/7)" in cli("privacy", str(printed))[1]
    printed.write_text(json.dumps(cli_json("compare", "warner:3/4", "warner:2/3")))
    status, _, err = cli("privacy", str(printed))
    assert (status, "received the result of a command; other forms" in err) == (2, True)


@pytest.mark.slow
def test_large_forms_are_judged_without_their_matrix(cli, cli_json, tmp_path) -> None:
    bits = _file(tmp_path, ProductMechanism([WARNER] * 40))
    subsets = _file(tmp_path, OrbitMechanism.subset_selection(60, 20, 9))
    different = [Mechanism.binary(Fraction(50 + i, 100), Fraction(50 + i, 100)) for i in range(5, 45)]
    many = _file(tmp_path, ProductMechanism(different))
    found = cli_json("privacy", subsets, "--gamma", "9")
    assert (found["parity"], found["epsilon"], found["meets"], found["delta"]) == ("9", "log(9)", True, "0")
    assert cli_json("privacy", bits)["parity"] == str(3**40)
    assert len(cli_json("privacy", bits, "--profile")["profile"]) == 21
    status, out, _ = cli("privacy", bits, "--epsilon", "log(9)", "--delta", "1/2", "--json")
    assert (status, json.loads(out)["meets"]) == (1, False)
    status, out, _ = cli("privacy", many, "--epsilon", "20", "--delta", "1/2", "--json")
    answer = json.loads(out)
    lower, upper = (Fraction(answer["delta"][end]) for end in ("lower", "upper"))
    assert (status == 0) == answer["meets"] == (upper <= Fraction(1, 2))
    assert 0 < lower < upper < lower + Fraction(1, 10**5)
    middle = str((lower + upper) / 2)
    status, out, _ = cli("privacy", many, "--epsilon", "20", "--delta", middle)
    assert (status, "not decided" in out) == (1, True)
    assert cli("privacy", subsets)[0] == 0
    status, out, _ = cli(
        "privacy", many, "--level", "posterior:1/5,1/2"
    )  # a criterion is met if the parity is at most B(h)
    assert (status, "meets the level" in out) == (1, True)


def test_a_matrix_with_inputs_as_rows_is_composed_and_shuffled(cli_json, tmp_path) -> None:
    (file := tmp_path / "channel.csv").write_text("0.7,0.3\n0.2,0.8\n", encoding="utf-8")
    for given, epsilon in ((f"{file}", "log(7/2)"), (f"{file}*2", "log(49/4)")):
        found = cli_json("compose", given, "--transposed")
        assert found["epsilon"] == epsilon
    assert cli_json("shuffle", f"{file}", "--transposed", "--n", "100", "--delta", "1/100")["local"] == "log(7/2)"
