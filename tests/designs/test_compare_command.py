"""``rropt compare``: keys, exit statuses, certificate files, the graph, bad input."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from rropt.checker import check_file, check_text
from rropt.core.certificates import Certificate
from rropt.core.errors import CertificateError
from rropt.designs.orders import Sufficiency

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(cli: Run) -> Run:
    """Run the command: status, standard output, standard error."""
    return partial(cli, "compare")


@pytest.mark.parametrize(
    ("first", "second", "relation", "status", "witness", "refutation"),
    [
        ("warner:3/4", "warner:2/3", "better", 0, ["b_from_a"], ["a_from_b"]),
        ("warner:2/3", "warner:3/4", "worse", 1, ["a_from_b"], ["b_from_a"]),
        ("warner:3/4", "warner:1/4", "equivalent", 0, ["b_from_a", "a_from_b"], None),
        ("warner:3/4", "generalised:1,1/4", "incomparable", 1, None, ["b_from_a", "a_from_b"]),
    ],
)
def test_two(
    run: Run, first: str, second: str, relation: str, status: int, witness: object, refutation: object
) -> None:
    code, out, _ = run(first, second, "--json")
    data = json.loads(out)
    assert (code, data["relation"]) == (status, relation)
    assert (data["witness"] and list(data["witness"])) == witness
    assert (data["refutation"] and list(data["refutation"])) == refutation
    assert set(data["certificates"]) == {"b_from_a", "a_from_b"}
    for name, certificate in data["certificates"].items():
        assert check_text(json.dumps(certificate))
        assert certificate["claim"] == {"exists": name in (data["witness"] or {})}


def test_the_page_for_people(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "proofs"
    code, out, err = run("warner:3/4", "warner:2/3", "--certificate", str(folder))
    assert code == 0
    assert "A is better: it is sufficient for B, and not conversely." in out
    assert "guess the truth from the output" in out
    assert "C: B = C A" in out
    assert "2 of 2 accepted" in out
    assert not err
    for name in ("1-to-2.json", "2-to-1.json"):
        assert check_file(folder / name)


def test_several(run: Run, tmp_path: Path) -> None:
    names = ["warner:3/4", "warner:2/3", "warner:1/4", "generalised:1,1/4", "warner:2/3"]
    folder, picture = tmp_path / "new" / "folder", tmp_path / "order.svg"
    code, out, err = run(*names, "--json", "--certificate", str(folder), "--plot", str(picture))
    data = json.loads(out)
    assert code == 0
    assert data["classes"] == [["warner:3/4", "warner:1/4"], ["warner:2/3 #2", "warner:2/3 #5"], ["generalised:1,1/4"]]
    assert data["covers"] == [[0, 1]]
    assert ["warner:1/4", "warner:2/3 #5"] in data["better"]
    assert data["compared"] == len(data["certificates"]) == len(list(folder.iterdir()))
    assert all(check_file(path) for path in folder.iterdir())
    assert "warner:3/4" in picture.read_text()
    assert err == f"picture written to {picture}\n"
    code, out, _ = run(*names)
    assert code == 0
    assert "3 equivalence classes" in out


def test_two_products(run: Run, tmp_path: Path) -> None:
    names, folder = ("bits:3/4*2,2/3", "bits:2/3*2,3/4"), tmp_path / "proofs"
    code, out, _ = run(*names, "--certificate", str(folder), "--json")
    data = json.loads(out)
    assert (code, data["relation"]) == (1, "incomparable")
    for each, relation, question in zip(data["by_question"], ("better", "worse"), (0, 2), strict=True):
        assert (each["relation"], each["questions"][0]) == (relation, question)
        for direction, name in (("b_from_a", "1-to-2"), ("a_from_b", "2-to-1")):
            written = json.loads((folder / f"{name}-question-{question}.json").read_text())
            assert written == each["certificates"][direction]
            holds = (relation == "better") is (direction == "b_from_a")
            assert written["claim"] == {"exists": holds}
    code, out, _ = run(*names)
    assert out.startswith("A = bits:3/4*2,2/3: 8 outputs, 8 inputs\n")
    assert "4 of 4 accepted" in out


@pytest.mark.parametrize("names", [("warner:3/4", "warner:2/3"), ("warner:3/4", "warner:2/3", "warner:3/5")], ids=len)
def test_an_answer_without_a_certificate(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, names: tuple[str, ...]
) -> None:
    """The checker accepts no proof that holds: it is said, and the proofs of the others stand."""

    def refused(answer: Sufficiency) -> Certificate:
        if answer:
            raise CertificateError("the numbers are too long")
        return answer.proof()

    monkeypatch.setattr(Sufficiency, "certificate", refused)
    code, out, err = run(*names, "--json", "--certificate", str(tmp_path / "proofs"))
    data = json.loads(out)
    assert code == 2  # a file that was asked for was not written
    assert "rropt: no certificate 1-to-2: the numbers are too long\n" in err
    records = data["certificates"]
    if isinstance(records, list):
        found = {(one["source"], one["target"]): one["certificate"] for one in records}
    else:
        found = {names: records["b_from_a"], names[::-1]: records["a_from_b"]}
    assert found[names[:2]] is None
    assert found[names[1::-1]]["claim"] == {"exists": False}
    assert len(list((tmp_path / "proofs").iterdir())) == sum(one is not None for one in found.values()) > 0


def test_a_graph_of_two(run: Run, tmp_path: Path) -> None:
    picture = tmp_path / "order.png"
    code, _, _ = run("warner:3/4", "warner:2/3", "--plot", str(picture))
    assert code == 0
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_bad_input(run: Run, tmp_path: Path) -> None:
    ternary = tmp_path / "three.json"
    ternary.write_text('{"matrix": [["1/3", "1/3", "1/3"], ["2/3", "2/3", "2/3"]]}')
    (tmp_path / "file").write_text("")
    for argv, words in [
        (["warner:3/4"], "2 or more"),
        (["warner:3/4", str(ternary)], "inputs"),
        (["warner:3/4", str(tmp_path / "missing.json")], "cannot be read"),
        (["warner:3/4", "warner:2/3", "--plot", "order.txt"], "format"),
        (["warner:3/4", "warner:2/3", "--certificate", str(tmp_path / "file" / "below")], "folder"),
    ]:
        status, out, err = run(*argv)
        assert (status, out, err.count("\n")) == (2, "", 1)
        assert words in err


def test_letters_stand_for_two_mechanisms(run: Run) -> None:
    _, two, _ = run("warner:3/4", "forced:2/3,1/6,1/6", "--fast")
    assert "A = warner:3/4: 2 outputs, 2 inputs" in two
    assert "B = forced:2/3,1/6,1/6: 2 outputs, 2 inputs" in two
    status, three, _ = run("warner:3/4", "warner:2/3", "warner:1/4")
    assert status == 0
    assert "A = " not in three
