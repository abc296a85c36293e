"""Rule 32: certificates of exported clients; a table with one integer changed is rejected; limits."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

from rropt.checker import check_text
from rropt.checker.verdicts import explain_text
from rropt.mechanisms import Mechanism, named_mechanism
from rropt.mechanisms.clients import certify_client, table_of
from rropt.mechanisms.clients.certificates import certificate_of
from rropt.mechanisms.clients.tables import mutated_tables

MADE = [
    *(
        "warner:3/4",
        "forced:2/3,1/6,1/6",
        "grr:4,1/2",
        "subset:5,2,3/4",
        "hadamard:6,3",
        "grr:100,1/2",
        "grr:1000000,1/2",
    ),
    *(
        "affine:5,7,2,5/2",
        "affine:1000000,1000003,268941,3",
        "affine-classes:7,7,2,1,0,3",
        "affine-classes:4,13,3,1,1,3",
    ),
    *("affine-classes:5,5,1,0,1,2", "bits:3/4*3", "olh:1000,3", "pgr:1000000,3", "hadamard:100000,5/2"),
    *("subset:1000000,268941,1/2", "subset:60,20,3/5", "oue:1000000,3", "sue:100,3/4", "paley:103,3", "singer:2,7,3"),
    *(
        '{"restricted-response": {"runs": [["2", "1"], ["3", "0"], ["1", "1"]], "gamma": "3", "delta": "1/10"}}',
        '{"restricted-response": {"runs": [["999999", "0"], ["9000001", "1"]], "gamma": "5/2", "delta": "1/1000001"}}',
    ),
]


def _made(text: str) -> Mechanism:
    return Mechanism.from_dict(json.loads(text)) if text.startswith("{") else named_mechanism(text)


@pytest.mark.parametrize("text", MADE)
def test_the_certificate_of_a_client_is_accepted(text: str) -> None:
    made = _made(text)
    certificate = certify_client(made)
    verdict, lines = explain_text(certificate.text)
    assert verdict
    assert any("draws with the law of the mechanism" in line for line in lines)


@pytest.mark.parametrize("text", MADE)
def test_a_table_with_one_integer_changed_is_rejected(text: str, size: Callable[[int, int], int]) -> None:
    made, tried = _made(text), 0
    own = json.loads(certify_client(made).text)["claim"]
    for table in mutated_tables(table_of(made)):
        certificate = certificate_of(made, table)
        if json.loads(certificate.text)["claim"] == own:
            continue
        assert not certificate.check(), table
        tried += 1
        if tried >= size(20, 400):
            break
    assert tried >= 4


def test_a_matrix_of_more_than_4096_entries_is_not_judged() -> None:
    for rows, accepted in ((4096, True), (4097, False)):
        table = {"columns": [["1"] * rows]}
        problem = {"kind": "client", "mechanism": {"matrix": [["1"], *[["0"]] * (rows - 1)]}}
        parts = {"problem": problem, "claim": {"kind": "client-law", "table": table}, "witness": {"rule": "client"}}
        verdict = check_text(json.dumps({"format": "rropt-certificate/1", **parts}))
        assert bool(verdict) == accepted
        assert accepted or "more than 4096 entries" in verdict.reason


def test_numbers_of_reports_have_63_bits() -> None:
    for dimension, accepted in ((61, True), (62, False)):
        form = {"family": "affine", "categories": "9", "gamma": "2", "q": "2", "size": "1", "dimension": str(dimension)}
        table = {"heads": "2", "coin": "3", "q": "2", "size": "1", "space": str(2**dimension)}
        problem = {"kind": "client", "mechanism": {"blocks": form}}
        parts = {"problem": problem, "claim": {"kind": "client-law", "table": table}, "witness": {"rule": "client"}}
        verdict = check_text(json.dumps({"format": "rropt-certificate/1", **parts}))
        assert bool(verdict) == accepted
        assert accepted or "q times space" in verdict.reason


def test_a_root_that_generates_and_is_not_the_least_is_rejected() -> None:
    document = json.loads(certify_client(named_mechanism("affine-classes:7,7,2,1,0,3")).text)
    document["claim"]["table"]["root"] = "5"
    assert check_text(json.dumps(document)).reason == "root is not that of the mechanism"


def test_the_command_writes_a_certificate_that_is_accepted(tmp_path: Path, cli, cli_json) -> None:
    client, proof = str(tmp_path / "client.c"), str(tmp_path / "proof.json")
    words = [
        "export",
        "affine-classes:1000,1009,4,1,0,3",
        "--language",
        "c",
        "--output",
        client,
        "--certificate",
        proof,
    ]
    assert cli(*words)[0] == 0
    assert cli_json("check", proof)["accepted"]
    table = json.loads(Path(proof).read_text())["claim"]["table"]
    source = Path(client).read_text()
    assert all(f"{name.upper()} = {value}u;" in source for name, value in table.items())


def test_a_mechanism_of_floats_is_certified_as_its_decimals() -> None:
    made = Mechanism([[Fraction("0.7"), Fraction("0.1")], [Fraction("0.3"), Fraction("0.9")]])
    assert certify_client(made).check()
