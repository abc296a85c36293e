"""Records are believed by their certificates: written elsewhere, or changed by somebody.

``records/`` holds records that were written under two BLAS kernels (``write_records.py`` writes them).
"""

from __future__ import annotations

import copy
import gzip
import json
import random
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from every_case import every_case

import rropt
from rropt.core.errors import FileFormatError, RroptError
from rropt.designs.way_table import Way

FOLDER = Path(__file__).parent / "records"
FILES = sorted(path.name for path in FOLDER.glob("*.jsonl.gz"))
DEFAULT = "default.jsonl.gz"
PROOFS = {"MinimaxRisk": ("estimator", "points", "weights")}  # what is read proves the ends again, or is refused
AGAIN = ".WidthDesign"  # solved again when it is read
PROVED_AGAIN = ".Bounds"  # its bounds are proved again: by other multipliers with another version of HiGHS
OUTSIDE = ("result", "decimals", "certificate", "bound_certificate", "certificates", "contradictions")


@cache
def lines(name: str) -> tuple[tuple[str, str, str], ...]:
    """Return (title, class, text of the record) of a file."""
    with gzip.open(FOLDER / name, "rt", encoding="utf-8") as file:
        read = [json.loads(line) for line in file]
    return tuple((each["name"], each["class"], json.dumps(each["record"])) for each in read)


def class_of(name: str) -> Any:
    module, _, kind = name.rpartition(".")
    return getattr(import_module(module), kind)


def certificates_in(record: Any) -> list[dict[str, Any]]:
    """Return the certificates of a record, at any depth."""
    if not isinstance(record, dict):
        return [found for each in record for found in certificates_in(each)] if isinstance(record, list) else []
    if "format" in record:
        return [record]
    return [found for each in record.values() for found in certificates_in(each)]


def without_certificates(record: Any) -> Any:
    """Return a record without its certificates, at any depth."""
    if isinstance(record, dict):
        return {key: without_certificates(value) for key, value in record.items() if not key.startswith("certificate")}
    return [without_certificates(each) for each in record] if isinstance(record, list) else record


@pytest.fixture
def without_solvers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every solver of designs fail."""

    def fail(*given: Any, **named: Any) -> Any:
        raise AssertionError("a solver ran")

    monkeypatch.setattr(Way, "solve", fail)
    monkeypatch.setattr("cvxpy.Problem.solve", fail)


def test_there_are_records_of_two_kernels() -> None:
    assert FILES == ["default.jsonl.gz", "nehalem.jsonl.gz"]
    texts = [{title: text for title, _, text in lines(name)} for name in FILES]
    different = [title for title in texts[0] if texts[0][title] != texts[1][title]]
    assert len([title for title in different if "-optimal k=" in title]) == 10  # A, C, D, E for k = 5 and 6


def test_a_width_is_its_question_and_is_computed_again() -> None:
    for file in FILES:
        [(kind, text)] = [(kind, text) for _, kind, text in lines(file) if kind.endswith(AGAIN)]
        made = class_of(kind).from_json(text)
        assert json.loads(made.to_json()) == {"result": type(made).__name__, **json.loads(text)}


@pytest.mark.slow
@pytest.mark.parametrize("file", FILES)
def test_every_other_record_is_read_without_solving(file: str, without_solvers: None) -> None:
    read = 0
    for title, kind, text in lines(file):
        if kind.endswith(AGAIN):
            continue
        made = class_of(kind).from_json(text)
        told, stored = json.loads(made.to_json()), {"result": type(made).__name__, **json.loads(text)}
        if kind.endswith(PROVED_AGAIN):
            proofs, told, stored = certificates_in(told), without_certificates(told), without_certificates(stored)
            assert len(proofs) == len(certificates_in(json.loads(text))) > 1
            assert all(map(rropt.check, proofs))
        assert told == stored, title
        assert kind.endswith("ParityBound") or "certificate" not in made.unverified
        assert class_of(kind).from_json(made.to_json()) == made
        if made.unverified:
            shown = "\n".join(" ".join(map(str, row)) for _, _, rows in made.as_tables() for row in rows)
            assert "not verified" in shown, title
        read += 1
    assert read >= 53


def places(record: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Iterate over the paths of all values outside certificates and decimals."""
    if path:
        yield path
    items = record.items() if isinstance(record, dict) else enumerate(record) if isinstance(record, list) else ()
    for key, value in items:
        if key not in OUTSIDE:
            yield from places(value, (*path, key))


def changed(value: Any, rng: random.Random) -> Any:
    """Return another value of the same form, where there is one."""
    if isinstance(value, bool) or value is None:
        return not value
    if isinstance(value, int):
        return value + rng.choice((-1, 1))
    if isinstance(value, float):
        return value * 1.5 + 1
    if isinstance(value, list):
        return value[:-1] if value else ["1"]
    if isinstance(value, dict):
        return dict(list(value.items())[:-1])
    number = value.partition("/")
    if number[0].lstrip("-").isdigit():
        top = int(number[0]) + rng.choice((-1, 1))
        return f"{top}{number[1]}{number[2]}"
    return rng.choice((f"{value} ", "1", "log(5)", "x"))


def with_change(record: Any, path: tuple[Any, ...], value: Any) -> Any:
    made = copy.deepcopy(record)
    at = made
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = value
    return made


def is_marked(path: tuple[Any, ...], names: tuple[str, ...]) -> bool:
    """Return whether a path lies below a name that is reported as not verified."""
    words = list(map(str, path))
    return any(words[: name.count(".") + 1] == name.split(".") for name in names)


@pytest.mark.slow
def test_every_field_is_refused_or_marked_or_follows(size: Callable[[int, int], int]) -> None:
    """Change each field of each kind of record: what is read has the right value there, or names it as not verified."""
    rng, counts = random.Random(7), {"refused": 0, "marked": 0, "follows": 0}
    messages: list[str] = []
    for title, kind, text in lines(DEFAULT):
        record = json.loads(text)
        if "certificate" not in text or len(text) > size(12_000, 10**9):
            continue
        listed = list(places(record))
        first = [path for path in listed if len(path) == 1]
        rest = [path for path in listed if len(path) > 1]
        for path in [*first, *rng.sample(rest, min(len(rest), size(5, 60)))]:
            old = record
            for key in path:
                old = old[key]
            new = changed(old, rng)
            try:
                made = class_of(kind).from_dict(with_change(record, path, new))
            except RroptError as error:
                counts["refused"] += 1
                messages.append(str(error))
                continue
            if is_marked(path, made.unverified):
                counts["marked"] += 1
                continue
            said = made.to_dict()
            assert all(
                said.get(key) == record[key]
                for key in record
                if key not in (*OUTSIDE, *PROOFS.get(kind.rpartition(".")[2], ()))
                and not is_marked((key,), tuple(n.partition(".")[0] for n in made.unverified))
            ), (title, path, old, new)
            counts["follows"] += 1
    assert not [text for text in messages if "\n" in text]
    assert counts["refused"] > 200
    assert counts["marked"] > 30


@pytest.mark.slow
def test_changed_certificates_are_refused(size: Callable[[int, int], int]) -> None:
    """A number of a claim or of a problem is changed: the record is refused, alone or with the same field beside it."""
    rng, tried = random.Random(8), 0
    for title, kind, text in lines(DEFAULT):
        record = json.loads(text)
        certificate = record.get("certificate")
        if certificate is None or len(text) > size(12_000, 10**9):
            continue
        for part in ("problem", "claim"):
            listed = list(places(certificate[part]))
            for path in rng.sample(listed, min(len(listed), size(4, 100))):
                old = certificate[part]
                for key in path:
                    old = old[key]
                made = with_change(record, ("certificate", part, *path), changed(old, rng))
                if part == "claim" and path[0] in record and len(path) == 1:
                    made[path[0]] = made["certificate"]["claim"][path[0]]
                tried += 1
                try:
                    read = class_of(kind).from_dict(made)
                except RroptError:
                    continue
                # a weaker claim may be true: then the record says what the certificate says
                assert rropt.check(made["certificate"]), (title, path)
                assert all(read.to_dict()[key] == made[key] for key in ("lower", "upper") if key in made), (title, path)
    assert tried > 200


def test_a_certificate_of_another_problem_is_refused() -> None:
    solved = [(title, kind, json.loads(text)) for title, kind, text in lines(DEFAULT) if kind.endswith(".Solution")]
    tried = 0
    for (_, kind, one), (_, _, other) in pairwise(solved):
        mixed = {**one, "certificate": other["certificate"]}
        with pytest.raises(FileFormatError, match="another problem"):
            class_of(kind).from_dict(mixed)
        alone = {key: mixed[key] for key in ("problem", "certificate")}
        with pytest.raises(FileFormatError, match="another problem"):
            class_of(kind).from_dict(alone)
        asked = {**one, "problem": other["problem"]}
        with pytest.raises(FileFormatError, match="another problem"):
            class_of(kind).from_dict(asked)
        tried += 3
    assert tried > 90


@every_case(
    ("title", "key"),
    [
        ("bounds", "samples"),
        ("bounds", "contrast"),
        ("breakdown", "samples"),
        ("breakdown", "at_theta"),
        ("least others", "behaviours"),
        ("width", "confidence"),
        ("width", "certificate"),
        ("compare designs", "draws"),
        ("compare designs", "certificate"),
        ("criterion", "bound_certificate"),
    ],
)
def test_a_record_without_its_question_or_proof_is_refused(title: str, key: str) -> None:
    _, kind, text = next(each for each in lines(DEFAULT) if each[0] == title)
    record = json.loads(text)
    del record[key]
    with pytest.raises(FileFormatError):
        class_of(kind).from_dict(record)


def test_a_rejected_certificate_is_refused() -> None:
    _, kind, text = next(each for each in lines(DEFAULT) if each[0] == "a-optimal k=5 epsilon=1")
    record = json.loads(text)
    record["certificate"]["proof"]["alpha"][0] = "0"
    with pytest.raises(FileFormatError, match="its certificate is rejected"):
        class_of(kind).from_dict(record)


def test_what_is_solved_is_verified_and_what_is_read_is_marked() -> None:
    solution = rropt.solve(rropt.Problem.binary("1/4", epsilon=1))
    read = rropt.designs.Solution.from_json(solution.to_json())
    assert solution.unverified == ()
    assert read.unverified == ("routes",)
    assert read == solution
    assert hash(read) == hash(solution)
    assert ("not verified", "routes") in read.lines()
    assert [str(one) for one in read.duals] == [str(one) for one in solution.duals]
    assert str(read.to_sympy()) == str(solution.to_sympy())
    again = rropt.designs.Solution.from_dict({key: solution.to_dict()[key] for key in ("problem", "certificate")})
    assert again == solution
    assert again.unverified == ()


def test_a_route_that_contradicts_is_refused() -> None:
    record = rropt.solve(rropt.Problem.binary("1/4", epsilon=1)).to_dict()
    record["routes"] = {"exact": "1/1000"}
    with pytest.raises(FileFormatError, match="contradicts its certificate"):
        rropt.designs.Solution.from_dict(record)


def test_a_solution_has_a_bracket_and_is_none() -> None:
    solution = rropt.solve(rropt.Problem.binary("1/4", epsilon=1))
    assert solution.bracket.lower == solution.lower
    assert solution.gap == solution.bracket.gap
    for name in ("complement", "of", "__iter__", "written"):
        assert not hasattr(solution, name)
        assert not hasattr(solution.found, name)
