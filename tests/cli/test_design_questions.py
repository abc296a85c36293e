"""``rropt design questions``: what it prints, its JSON and certificates, and that it takes every level."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest
from few_rows import few_rows

import rropt
from rropt.designs.asked_designs import design_random_questions
from rropt.designs.bits import design_bits

Cli = Callable[..., tuple[int, str, str]]
CliJson = Callable[..., dict]

F = Fraction


def test_a_question_that_gets_the_whole_budget_needs_as_many_respondents() -> None:
    """The one question with a weight is asked of everybody in both designs; two need more or fewer, by the level."""
    for weights, gamma, words in (
        ((0, 1), 3, "as many respondents as this split"),
        ((1, 0), "7/5", "as many respondents as this split"),
        ((0, 0, "1/3"), 7, "as many respondents as this split"),
        ((1, 1), 1000, "more respondents than this split"),
        ((1, 1), "3/2", "1.96 times fewer respondents"),
        ((1, 1), "319/15", "about as many respondents as this split"),
    ):
        found = design_bits(f"log({gamma})", weights=weights, fast=True)
        line = dict(found.lines())["one random question for each"]
        assert line.partition(": ")[2].partition(",")[0] == words, (weights, gamma, line)


def test_the_answer_for_people(cli: Cli) -> None:
    status, out, err = cli(
        "design",
        "questions",
        "--costs",
        "10,81,0",
        "--prevalences",
        "0.1,0.2,1/2",
        "--gamma",
        "8",
        "--routes",
        "multiplier",
    )
    assert (status, err) == (0, "")
    for text in (
        "2/3",
        "4/5 = 0.8",
        "log(4)",
        "136/225",
        "a fair coin",
        "infinite",
        "3493/50 = 69.86",
        "2.80",
        "exact",
    ):
        assert text in out
    assert "accepted (no devices of 3 questions" in out


def test_json_and_certificate(cli_json: CliJson, tmp_path: Path) -> None:
    proof, file = tmp_path / "proof.json", tmp_path / "bits.json"
    arguments = ("--number", "3", "--epsilon", "1", "--objective", "joint", "--prevalences", "1/2,1/3,1/4")
    found = cli_json("design", "questions", *arguments, "--certificate", str(proof))
    best = design_bits(1, prevalences=["1/2", "1/3", "1/4"], objective="joint", fast=True)
    assert F(found["lower"]) <= F(found["value"]) <= F(found["upper"])
    assert F(found["value"]) == best.value
    assert found["epsilon"]["whole_answer"] == str(best.mechanism.epsilon)
    assert len(found["epsilon"]["questions"]) == 3
    assert F(found["loss"]) == best.loss()
    random = found["random_population"]
    assert F(random["loss_at_mean"]) <= F(random["mean_loss"]["lower"]) <= F(random["mean_loss"]["upper"])
    assert F(random["band"][0]) < F(random["mean_loss"]["lower"]) < F(random["band"][1])
    assert sorted(found["routes"]) == ["closed-form", "multiplier"]
    assert rropt.check(proof)
    assert json.loads(proof.read_text()) == found["certificate"]
    file.write_text(json.dumps(found["mechanism"]))
    again = cli_json("privacy", str(file))
    assert F(again["parity"]) == best.mechanism.parity()


def test_a_rounded_criterion_has_a_second_certificate(cli_json: CliJson, tmp_path: Path) -> None:
    proof = tmp_path / "proof.json"
    arguments = ("--number", "2", "--routes", "closed-form", "--certificate", str(proof))
    found = cli_json("design", "questions", "--level", "curve:min(1,2*p+1/10)", *arguments)
    assert rropt.check(proof)
    assert rropt.check(tmp_path / "proof-bound.json")
    bound = found["criterion"]["bound_certificate"]
    assert F(found["lower"]) == F(bound["claim"]["lower"])
    assert F(found["upper"]) - F(found["lower"]) < F(1, 10**12)
    exact = cli_json("design", "questions", "--level", "posterior:1/5,1/2", "--number", "2")  # B(h) = 4
    assert exact["parities"] == ["2", "2"]
    assert exact["lower"] == exact["value"] == exact["upper"] == "9/2"


def test_one_question_is_design_binary(cli_json: CliJson) -> None:
    bits = cli_json("design", "questions", "--epsilon", "log(3)", "--prevalences", "1/4", "--routes", "multiplier")
    binary = cli_json("design", "binary", "--epsilon", "log(3)", "--prevalence", "1/4")
    assert bits["value"] == binary["value"]
    assert bits["mechanism"]["product"] == [binary["mechanism"]["matrix"]]


@pytest.mark.parametrize(
    ("gamma", "questions", "split", "one", "best"),
    [
        ("4", 2, 4.5, 2.7778, (2, 2.7222)),
        ("e", 4, 64.67, 18.73, (1, 18.73)),
        ("e", 10, 1001.7, 117.07, (1, 117.07)),
        ("20", 4, 7.807, 4.886, (3, 2.6925)),
        ("e4", 2, 0.8620, 1.0760, (2, 0.5774)),
    ],
)
def test_asking_some_of_the_questions(
    gamma: str, questions: int, split: float, one: float, best: tuple[int, float]
) -> None:
    """A table of an enumeration over all sets of answers, to its digits."""
    found = design_bits({"e": 1, "e4": 4}.get(gamma, f"log({gamma})"), questions=questions, fast=True)
    assert float(found.value) == pytest.approx(split, rel=2e-4)
    assert found.one_question == pytest.approx(one, rel=2e-4)
    assert found.best_sets is not None
    assert found.best_sets[0] == best[0]
    assert found.best_sets[1] == pytest.approx(best[1], rel=2e-4)
    lines = dict(found.lines())
    assert ("times fewer" in lines["one random question for each"]) == (one < split)
    assert lines["recommended"].split(",")[0] == f"--ask {best[0]}"


def test_no_random_question_is_recommended_that_is_worse() -> None:
    """Weights 1 and 10^6: the split spends nearly all on the second question, and random sets cannot."""
    found = design_bits("log(400)", weights=[1, 10**6], fast=True)
    least = min(design_random_questions("log(400)", j, weights=[1, 10**6]).value for j in (1, 2))
    assert least > found.value
    assert "recommended" not in dict(found.lines())


@few_rows(3)
@pytest.mark.parametrize(
    ("level", "weights", "prevalences", "words"),
    [
        ("log(20)", [1] * 4, ["1/10"] * 4, "--ask 2, if no joint distribution of more than 2 questions is needed"),
        ("log(20)", [2, 3, 5], ["1/10", "1/2", "1/3"], None),
        ("4", [1, 9, 9], ["1/10", "1/2", "1/3"], "--ask 3"),  # of three questions: nothing is lost
        ("1/10", [1, 9, 9], ["1/10", "1/2", "1/3"], "--ask 1, if no joint distribution is needed"),
        ("1e-17", [1, 2], ["1/2", "1/3"], "--ask 1, if no joint distribution is needed"),
    ],
)
def test_the_recommended_number_of_questions_is_the_best(
    level: str, weights: list[int], prevalences: list[str], words: str | None
) -> None:
    found = design_bits(level, weights=weights, prevalences=prevalences, fast=True)
    values = [
        design_random_questions(level, j, weights=weights, prevalences=prevalences).value
        for j in range(1, len(weights) + 1)
    ]
    recommended = dict(found.lines())["recommended"]
    assert recommended.split(",")[0] == f"--ask {1 + values.index(min(values))}"
    assert words in (None, recommended)


def test_one_question_with_weights() -> None:
    """The best probabilities of the questions against a grid of them; none for the joint distribution."""
    weights, prevalences, v = [1, 4], [0.1, 0.5], 3 / 4
    found = design_bits("log(3)", weights=weights, prevalences=["1/10", "1/2"], fast=True)
    costs = [w * (p * (1 - p) + v) for w, p in zip(weights, prevalences, strict=True)]
    least = min(costs[0] / (q / 1000) + costs[1] / (1 - q / 1000) for q in range(1, 1000))
    assert found.one_question == pytest.approx(least, rel=1e-5)
    assert found.best_sets is None
    joint = design_bits(1, questions=3, objective="joint", fast=True)
    assert joint.one_question is None
    assert joint.best_sets is None
