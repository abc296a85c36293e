"""Several questions on the command line: estimate, randomize, privacy and compare take ``bits:`` like any mechanism."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

import rropt

Cli = Callable[..., tuple[int, str, str]]
CliJson = Callable[..., dict]

HEADED = "age,q1,q2\n30,0,1\n31,1,1\n32,0,0\n33,1,0\n34,0,0\n35,0,0\n"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    file = tmp_path / "answers.csv"
    file.write_text(HEADED)
    return file


def test_joint_estimate(cli_json: CliJson, cli: Cli, data: Path, tmp_path: Path) -> None:
    proof = tmp_path / "proof.json"
    arguments = ("estimate", str(data), "--columns", "q1,q2", "--mechanism", "bits:3/4,5/6")
    found = cli_json(*arguments, "--certificate", str(proof))
    answers = rropt.answers.answers_of_rows(
        rropt.Mechanism("bits:3/4,5/6"), [[0, 1], [1, 1], [0, 0], [1, 0], [0, 0], [0, 0]]
    )
    table = rropt.inference.estimate_cells(answers)
    rows = found["rows"]
    assert [Fraction(row["estimate"]) for row in rows] == list(table.estimate)
    assert [row["se"] for row in rows] == table.standard_errors.tolist()
    assert sum(Fraction(row["most_likely"]) for row in rows) == 1
    assert {row["n"] for row in rows} == {6}
    assert {row["question"] for row in rows} == {"q1, q2"}
    assert rropt.check(proof)
    status, out, _ = cli(*arguments, "--explain")
    assert status == 0
    for text in ("log(15) ~", "worst question", "log(5)", "hoeffding", "0, 1"):
        assert text in out
    assert "condition number   3: the largest factor" in cli(*arguments, "--explain", "--exact")[1]  # 2 * 3/2


def test_marginals(cli_json: CliJson, cli: Cli, data: Path) -> None:
    arguments = ("--mechanism", "bits:3/4*2", "--marginals", "1")
    found = cli_json("estimate", str(data), "--columns", "q2,q1", *arguments)
    # question 0 is q2: 2 of 6 answers 1, (1/3 - 1/4) 2 = 1/6
    assert [(row["question"], row["estimate"]) for row in found["rows"]] == [("q2", "1/6"), ("q1", "1/6")]
    counted = cli_json("estimate", "--counts", "3,1,1,1", *arguments)
    assert [row["question"] for row in counted["rows"]] == ["question 0", "question 1"]
    numbers = ("estimate", "se", "most_likely", "intervals", "simultaneous")
    for one, other in zip(counted["rows"], found["rows"], strict=True):
        assert [one[name] for name in numbers] == [other[name] for name in numbers]
    alone = cli_json("estimate", str(data), "--column", "q1", "--mechanism", "warner:3/4")
    assert alone["rows"][0]["intervals"] == found["rows"][1]["intervals"]


def test_names_of_questions_and_categories(cli_json: CliJson, cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "named.csv"
    file.write_text("sick,often\nno,never\nyes,daily\nno,weekly\nno,never\n")
    lists = ("--categories", "no,yes", "--categories", "never,weekly,daily")
    call = ("estimate", str(file), "--columns", "sick,often", *lists, "--mechanism", "bits:warner:3/4,grr:3,1/2")
    rows = cli_json(*call)["rows"]
    assert {row["question"] for row in rows} == {"sick, often"}
    cells = [f"{sick}, {often}" for often in ("never", "weekly", "daily") for sick in ("no", "yes")]
    assert [row["category"] for row in rows] == cells
    out = cli(*call)[1]
    assert "yes, daily" in out
    result, report = tmp_path / "result.json", tmp_path / "report.md"
    result.write_text(json.dumps(found := cli_json(*call, "--marginals", "1")))
    assert [row["name"] for row in found["rows"]] == ["sick", "often: never", "often: weekly", "often: daily"]
    assert cli("report", str(result), "--output", str(report))[0] == 0
    first, largest = "sick, yes: the survey says nothing", "The largest estimate is that of often: never: the survey"
    assert f"Result: {first} (95 % interval: 0 to 100 %). {largest}" in report.read_text()


def test_two_names_of_one_device_are_one_device(cli_json: CliJson, tmp_path: Path) -> None:
    file, devices = tmp_path / "people.csv", tmp_path / "devices.json"
    file.write_text("d,q\n" + "A,0\nB,1\nA,1\nC,0\n" * 10)
    devices.write_text('{"A": "warner:5/6", "B": "forced:2/3,1/6,1/6", "C": "warner:3/4"}')
    given = ("--devices", f"d={devices}")
    found = cli_json("estimate", str(file), "--columns", "q", *given)
    assert (found["rows"][0]["n"], found["mechanism"].count("true answer reported")) == (40, 2)
    (samples,) = cli_json("noncompliance", str(file), "--column", "q", *given)["samples"]
    assert sorted(tuple(sample["counts"]) for sample in samples) == [(10, 0), (10, 20)]


def test_missing_answers(cli_json: CliJson, cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "gaps.csv"
    file.write_text("0,1\n1,\n0,NA\n1,1\n")
    arguments = ("estimate", str(file), "--mechanism", "bits:3/4*2")
    status, _, err = cli(*arguments)
    assert status == 0
    assert "2 respondents without an answer to every question were left out" in err
    found = cli_json(*arguments)
    assert {row["n"] for row in found["rows"]} == {2}
    assert any("2 respondents" in remark for remark in found["remarks"])


@pytest.mark.parametrize(
    ("lines", "options", "told"),
    [
        ("0,1\n2,0\n", (), "line 2 of the data contains no answer to question 0"),
        ("0,1\n0\n", (), "line 2 of the data has 1 value,"),
        ("a,b\n0,1\n", (), "line 1 of the data is not a valid answer"),
        ("a,b\n0,1\n", ("--columns", "a"), "received 1 name; allowed are 2"),
        ("a,b\n0,1\n", ("--columns", "a,c"), "a column does not fit"),
        ("", (), "data are empty"),
        ("0,1\n", ("--contrast", "1,0"), "give 4 numbers, one per category"),
        ("0,1\n", ("--counts", "1,0,0,0"), "the data have the responses: received --counts"),
        ("0,1\n", ("--marginals", "3"), "questions of a marginal is out of range: received 3"),
    ],
)
def test_bad_rows(cli: Cli, tmp_path: Path, lines: str, options: tuple[str, ...], told: str) -> None:
    file = tmp_path / "rows.csv"
    file.write_text(lines)
    status, out, err = cli("estimate", str(file), "--mechanism", "bits:3/4*2", *options)
    assert (status, out) == (2, "")
    assert told in err
    assert err.count("\n") == 1


@pytest.mark.slow
def test_forty_questions(cli: Cli, cli_json: CliJson, tmp_path: Path) -> None:
    """The joint distribution says the memory it would need and offers marginals, which are then computed."""
    file = tmp_path / "forty.csv"
    file.write_text("\n".join(",".join("01"[(i >> q) & 1] for q in range(40)) for i in range(8)) + "\n")
    status, _, err = cli("estimate", str(file), "--mechanism", "bits:3/4*40")
    assert status == 2
    assert "8192 GiB" in err
    assert "--marginals 2" in err
    assert len(cli_json("estimate", str(file), "--mechanism", "bits:3/4*40", "--marginals", "1")["rows"]) == 40
    status, _, err = cli("estimate", str(file), "--mechanism", "bits:1/2*40", "--marginals", "1")
    assert status == 2
    assert "nothing to estimate" in err


def test_randomize_columns(cli: Cli, cli_json: CliJson, data: Path, tmp_path: Path) -> None:
    """Only the randomized columns are written; a transparent question is reported as it is."""
    status, out, err = cli("randomize", str(data), "--columns", "q2,q1", "--mechanism", "bits:1,3/4", "--keep-order")
    assert status == 0
    rows = list(csv.reader(out.splitlines()))
    assert rows[0] == ["q2", "q1"]
    assert [row[0] for row in rows[1:]] == ["1", "1", "0", "0", "0", "0"]
    assert {row[1] for row in rows[1:]} <= {"0", "1"}
    assert "epsilon = inf" in err
    plain = tmp_path / "plain.csv"
    plain.write_text("0,2\n1,0\n")
    seeded = ("randomize", str(plain), "--mechanism", "bits:3/4,grr:3,1/2", "--simulate", "--seed", "1")
    found = cli_json(*seeded)
    assert found["n"] == len(found["output"]) == 2
    target = tmp_path / "out.csv"
    assert cli(*seeded, "--output", str(target))[0] == 0
    assert [list(map(int, line.split(","))) for line in target.read_text().splitlines()] == found["output"]
    plain.write_text("0,7\n")
    status, _, err = cli(*seeded)
    assert status == 2
    assert "7" not in err.replace("line 1", "")  # never repeated
    assert (
        "--columns belong to a product"
        in cli("randomize", str(data), "--columns", "q1", "--mechanism", "warner:3/4")[2]
    )


def test_privacy_and_order_of_products(cli: Cli, cli_json: CliJson) -> None:
    found = cli_json("privacy", "bits:3/4,forced:2/3,1/6,1/6")
    assert found["epsilon"] == found["questions"]["whole_answer"] == "log(15)"
    assert found["questions"]["questions"] == ["log(3)", "log(5)"]
    large = cli_json("privacy", "bits:3/4*12")
    assert large["questions"]["worst_question"] == "log(3)"
    for name, told in (("bits:3/4*12", "log(3) each"), ("bits:3/4,2/3", "log(3), log(2); at most log(3)")):
        out = cli("privacy", name)[1]
        assert told in " ".join(out.split())
    assert cli_json("compare", "bits:3/4*2", "bits:2/3*2")["relation"] == "better"
    assert json.loads(cli("compare", "bits:3/4,2/3", "bits:2/3,3/4", "--json")[1])["relation"] == "incomparable"


@pytest.mark.slow
def test_products_are_compared_question_by_question(cli: Cli, cli_json: CliJson, tmp_path: Path) -> None:
    """2^20 answers are never written out; a product is sufficient iff it is in every question, as the matrices say."""
    assert cli_json("compare", "bits:3/4*20", "bits:2/3*20")["relation"] == "better"
    status, out, _ = cli("compare", "bits:2/3*19,3/4", "bits:3/4*19,2/3", "--certificate", str(tmp_path / "proof"))
    assert status == 1
    assert "A and B are incomparable" in out
    assert "Question 19: A is better" in out
    written = sorted((tmp_path / "proof").iterdir())
    assert [file.name for file in written] == [
        f"{pair}-question-{q}.json" for pair in ("1-to-2", "2-to-1") for q in (0, 19)
    ]
    assert all(rropt.check(file) for file in written)
    devices = ("3/4", "2/3", "generalised:3/4,9/10", "forced:2/3,1/6,1/6")
    for first in devices:
        for second in devices:
            names = f"bits:{first},3/4", f"bits:{second},2/3"
            mechanisms = [rropt.Mechanism(name) for name in names]
            whole = rropt.designs.orders.compare(*[rropt.Mechanism(mechanism.matrix) for mechanism in mechanisms])
            assert json.loads(cli("compare", *names, "--json")[1])["relation"] == whole.relation


DEVICES = """q1,q2,device
0,1,"bits:3/4,5/6"
1,1,"bits:1/4,5/6"
0,0,"bits:3/4,5/6"
1,,"bits:2/3,5/6"
0,1,"bits:1/4,5/6"
"""


def test_respondents_with_different_devices(cli_json: CliJson, cli: Cli, tmp_path: Path) -> None:
    """A column of the file names each respondent's devices: the groups of the library."""
    file, proof = tmp_path / "devices.csv", tmp_path / "proof.json"
    file.write_text(DEVICES)
    arguments = ("estimate", str(file), "--columns", "q1,q2", "--devices", "device")
    found = cli_json(*arguments, "--certificate", str(proof))
    rows = {"bits:1/4,5/6": [[1, 1], [0, 1]], "bits:3/4,5/6": [[0, 1], [0, 0]]}
    groups = [rropt.answers.answers_of_rows(rropt.Mechanism(name), listed) for name, listed in rows.items()]
    both = rropt.inference.estimate_joint(groups)
    assert [Fraction(row["estimate"]) for row in found["rows"]] == list(both.table.estimate)
    assert [row["se"] for row in found["rows"]] == both.table.standard_errors.tolist()
    assert {row["n"] for row in found["rows"]} == {4}
    assert any("1 respondent without an answer" in remark for remark in found["remarks"])
    assert [each["name"] for each in found["mechanisms"]] == ["bits:1/4,5/6", "bits:3/4,5/6"]
    assert rropt.check(proof)
    status, out, _ = cli(*arguments, "--marginals", "1")
    assert status == 0
    assert "bits:1/4,5/6" in out


@pytest.mark.parametrize(
    ("lines", "options", "told"),
    [
        ("q,d\n0,secret\n", ("--columns", "q", "--devices", "d"), "line 2 of the data names no mechanism"),
        ("q,d\n0,warner:3/4\n0,kuk:1/2,1/3,3\n", ("--columns", "q", "--devices", "d"), "line 3 of the data"),
        ('q,d\n0,warner:3/4\n0,"grr:3,1/2"\n', ("--columns", "q", "--devices", "d"), "ask different questions"),
        ("q,d\n0\n", ("--columns", "q", "--devices", "d"), "line 2 of the data has 1 value,"),
        ("q,d\n0,warner:3/4\n", ("--columns", "q", "--devices", "e"), "no column of 2"),
        ("q,d,e\n0,1,warner:3/4\n", ("--columns", "q,d", "--devices", "e"), "columns do not fit"),
        ("q,d\n,warner:3/4\n", ("--columns", "q", "--devices", "d"), "no respondent answered"),
        ("q,d\n0,warner:3/4\n", ("--devices", "d"), "without --column or --columns"),
        ("q,d\n0,warner:3/4\n", ("--columns", "q", "--devices", "d", "--mechanism", "warner:3/4"), "not both"),
        ("q,d\n0,warner:3/4\n", ("--columns", "q"), "a mechanism is required"),
    ],
)
def test_devices_that_are_none(cli: Cli, tmp_path: Path, lines: str, options: tuple[str, ...], told: str) -> None:
    file = tmp_path / "devices.csv"
    file.write_text(lines)
    status, out, err = cli("estimate", str(file), *options)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert told in err
    assert "secret" not in err


def test_the_certificate_of_a_design_is_its_mechanism(cli_json: CliJson, cli: Cli, tmp_path: Path) -> None:
    """From a split of a budget to its privacy, to a plan, and to the comparison with other designs."""
    proof = str(tmp_path / "bits.json")
    cli_json("design", "questions", "--costs", "10,81", "--epsilon", "log(8)", "--certificate", proof)
    assert cli_json("privacy", proof)["questions"]["questions"] == ["log(2)", "log(4)"]
    assert cli_json("plan", "se", "--mechanism", proof, "sqrt(1/100)", "--questions", "0")["n"] == 225
    assert cli_json("compare", proof, "subset")["designs"][1]["epsilon"]["whole_answer"] == "log(8)"
    assert cli("compare", proof, "bits:2/3,4/5")[0] == 0
    (tmp_path / "none.json").write_text('{"format": "2", "claim": {"mechanism": null}}')
    status, _, err = cli("privacy", str(tmp_path / "none.json"))
    assert (status, err.count("\n")) == (2, 1)
