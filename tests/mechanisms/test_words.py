"""Devices in words: the probabilities of true and other answers are those of the matrix, for every kind."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from every_case import every_case
from plans import planned
from table_calls import regress_table

import rropt
import rropt_fieldwork
from rropt.estimates.from_counts import estimate_of_options
from rropt.mechanisms import DESIGNS, Mechanism, OrbitMechanism, ProductMechanism, named_mechanism
from rropt.mechanisms.families import AllSubsets, BlockMechanism
from rropt.mechanisms.families.revealed import RevealedBlocks
from rropt.mechanisms.restricted_response import RestrictedResponse
from rropt.mechanisms.words import devices_in_words, matrix_words

F = Fraction

WORDS = {
    "warner:3/4": "true answer reported with 3/4, the other one with 1/4",
    "forced:2/3,1/6,1/6": "true answer reported with 5/6, the other one with 1/6",
    "grr:4,1/2": "true answer reported with 1/2, each other with 1/6",
    "grr:4,1/8": "true answer reported with 1/8, each other with 7/24",
    "grr:1000000,1/2": "true answer reported with 1/2, each other with 1/1999998",
    "generalised:1,1": "true answer reported with 1: nothing is randomized",
    "generalised:1,1/4": "true answer 0 reported with 1, true answer 1 with 1/4",
    "unrelated:1/2,1/12": "true answer 0 reported with 23/24, true answer 1 with 13/24",
    "crosswise:1/4": "response 1 reported with 1/4 if the true answer is 1, with 3/4 if it is 0",
    "kuk:4/5,1/5,2": "responses 0, 1, 2 with 16/25, 8/25, 1/25 if the true answer is 0; with 1/25, 8/25, 16/25 "
    "if it is 1",
    "subset:4,2,3/4": "a set of the 4 categories reported: the true one among them with 3/4, each other with 5/12",
    "oue:3,3": "a set of the 3 categories (bit vectors, k = 3) reported: the true one among them with 1/2, each other "
    "with 1/4",
    "bits:3/4*3": "each of 3 questions: true answer reported with 3/4, the other one with 1/4",
    "bits:warner:3/4,grr:3,1/2,warner:3/4": "questions 0, 2: true answer reported with 3/4, the other one with 1/4; "
    "question 1: true answer reported with 1/2, each other with 1/4",
}


@every_case("text", WORDS)
def test_words_of_named_designs(text: str) -> None:
    assert named_mechanism(text).in_words() == WORDS[text]


@every_case("name", DESIGNS)
def test_every_design_states_the_probability_of_the_truth(name: str) -> None:
    """The first probability is that of the true answer in the matrix, or that the response contains it."""
    made = named_mechanism(f"{name}:{DESIGNS[name].example}")
    words = made.in_words()
    numbers = [F(text) for text in re.findall(r"with (\d+(?:/\d+)?)", words)]
    if hasattr(made, "members"):
        held = [[x in made.members(i) for x in range(made.inputs)] for i in range(made.outputs)]
        chances = [
            sum((row[j] for row, own in zip(made.matrix, held, strict=True) if own[x]), F(0))
            for j, x in ((1, 1), (1, 0))
        ]
    elif "the likeliest response to a true answer" in words:
        assert numbers == [max(row[j] for row in made.matrix) for j in range(1)]
        return
    elif words.startswith("true answer"):
        chances = [made.matrix[0][0], made.matrix[1][1] if "true answer 1" in words else made.matrix[1][0]]
    elif words.startswith("response 1"):
        chances = [made.matrix[1][1], made.matrix[1][0]]
    else:
        chances = [made.matrix[0][0], made.matrix[0][1]] if "responses" in words else [F(3, 4), F(5, 12)]
    assert numbers[:2] == chances


def test_words_of_other_forms() -> None:
    subsets = OrbitMechanism.subset_selection(5, 2, 3)
    assert subsets.in_words() == (
        "2 of the 5 categories reported: the true one among them with 2/3, each other with 1/3"
    )  # 4 of 10 sets contain the truth: 4*3/(4*3 + 6) = 2/3, and (2 - 2/3)/4 = 1/3
    assert OrbitMechanism.subset_selection(4, 1, 3).in_words() == WORDS["grr:4,1/2"]
    revealed = RevealedBlocks(BlockMechanism(AllSubsets(8, 2), 3), "1/20").in_words()
    assert revealed.startswith("with 1/20 the true answer reported; otherwise a set of the 8 categories (subset sel")
    assert RestrictedResponse([(2, True), (3, False)], 3).in_words() == (
        "a true answer among 2 of the 5 categories: true answer reported with 3/4, the other one with 1/4; outside of "
        "them reported with 0, each of them with 1/2"
    )
    k = 40
    large = [[F(1, 2) + F(i, 1000) if i == j else (F(1, 2) - F(j, 1000)) / (k - 1) for j in range(k)] for i in range(k)]
    assert matrix_words(large) == "true answer reported with 1/2 to 539/1000, each other with at most 1/78"
    assert Mechanism("crosswise:1/4").labelled(["no", "yes"]).in_words() == (
        "no reported with 1/4 if the true answer is yes, with 3/4 if it is no"
    )
    assert Mechanism("forced:1/2,1/3,1/6").labelled(["no", "yes"]).in_words() == (
        "true answer no reported with 2/3, true answer yes with 5/6"
    )
    assert devices_in_words([Mechanism("warner:3/4"), Mechanism("warner:2/3")]) == (
        "warner:3/4: true answer reported with 3/4, the other one with 1/4; "
        "warner:2/3: true answer reported with 2/3, the other one with 1/3"
    )
    assert devices_in_words([]) == "none: the question was asked directly"


def test_words_do_not_follow_the_name() -> None:
    """A file may give any name to its probabilities."""
    assert Mechanism.binary("2/3", "2/3").named("warner:3/4").in_words() == (
        "true answer reported with 2/3, the other one with 1/3"
    )


WARNER = WORDS["warner:3/4"]
DATA: dict[str, Any] = {
    "q": np.array(["1", "0", "1", "1", "0", "0"] * 20, object),
    "g": np.array(["a", "b"] * 60, object),
    "w": np.arange(120) % 3 + 1,
    "d": np.array(["warner:3/4"] * 60 + ["warner:2/3"] * 60, object),
}
RESULTS: dict[str, Callable[[], Any]] = {
    "counts": lambda: rropt.inference.estimate("warner:3/4", [60, 40]),
    "intervals": lambda: estimate_of_options("warner:3/4", [60, 40], confidence="0.95"),
    "groups": lambda: rropt_fieldwork.TableResponses("q", "warner:3/4", data=DATA).estimate(by="g"),
    "weights": lambda: rropt_fieldwork.TableResponses(
        "q", "warner:3/4", data=rropt_fieldwork.read(DATA).sampled(weights="w")
    ).estimate(by="g"),
    "devices": lambda: rropt_fieldwork.TableResponses("q", data=DATA, devices="d").estimate(),
    "questions": lambda: estimate_of_options("bits:3/4*2", [50, 30, 18, 2], joint=True),
    "population": lambda: rropt.estimate([60, 40], "warner:3/4", population=1000),
    "direct": lambda: rropt_fieldwork.compare_with_direct("warner:3/4", [60, 40], 10, 50),
    "regression": lambda: regress_table(DATA, "q ~ g", "warner:3/4"),
    "bounds": lambda: rropt.Responses.from_counts([60, 40], "warner:3/4").bounds("1/10"),
    "plan": lambda: planned("warner:3/4", margin="0.05"),
    "plan of groups": lambda: planned("warner:3/4", groups=["0.1", "0.9"]),
    "plan of strata": lambda: planned("warner:3/4", strata=["0.9:0.1", "0.1:0.5"], n=100),
    "plan in a population": lambda: planned("warner:3/4", population=1000, variance="1/100", prevalence="1/10"),
}


@pytest.mark.parametrize("name", RESULTS)
def test_every_result_states_its_device(name: str) -> None:
    """In words, in the printed tables and in JSON; also of several devices and of a survey with weights."""
    found = RESULTS[name]()
    told = found.explain(width=500) if hasattr(found, "explain") else found.summary(width=500)
    assert (WARNER if hasattr(found, "explain") or name != "counts" else "warner:3/4") in " ".join(told.split())
    assert WARNER in found.to_json()
    if name == "devices":
        assert "warner:2/3: true answer reported with 2/3" in told
    if told != found.summary(width=500):
        assert "mechanism" in found.summary(width=500)


def test_a_report_and_a_declaration_state_the_device(tmp_path: Path) -> None:
    found = estimate_of_options("forced:2/3,1/6,1/6", yes=831, n=2435, confidence="0.95")
    page = rropt_fieldwork.report(found).to_markdown()
    assert page.replace("\\", "").count(WORDS["forced:2/3,1/6,1/6"]) >= 2  # among the devices, and below the estimate
    survey = rropt_fieldwork.Survey(
        questions={"z": {"categories": ["no", "yes"], "device": "warner:3/4"}, "y": {"device": "A"}}
    )
    assert survey.as_tables()[-1] == ("Devices", ("question", "device in words"), [("z", WARNER)])


def test_devices_of_a_file_have_the_names_of_its_rows() -> None:
    names = {"A": Mechanism.binary("3/4", "3/4"), "B": "warner:2/3"}
    data = {**DATA, "d": np.array(["A"] * 60 + ["B"] * 60, object)}
    found = rropt_fieldwork.TableResponses("q", names, data=data, devices="d").estimate()
    assert found.mechanism == (f"A: {WARNER}; warner:2/3: true answer reported with 2/3, the other one with 1/3")
    assert type(found).from_json(found.to_json()) == found
    odd = devices_in_words([Mechanism.binary("3/4", "3/4").named("a\nb"), Mechanism("warner:2/3")])
    assert odd.startswith("true answer")  # a file does not keep such a name


@pytest.mark.parametrize("factors", [1, 9])
def test_many_devices_are_counted(factors: int) -> None:
    parts = [Mechanism.binary(F(i + 2, i + 3), F(i + 2, i + 3)) for i in range(factors)]
    words = ProductMechanism(parts).in_words()
    assert words.startswith("question 0: " if factors > 1 else "true answer reported with 2/3")
    assert words.endswith("and 3 more devices") == (factors == 9)
