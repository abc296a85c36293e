"""``--explain`` tells what a rule has verified, and nothing that a file merely says."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from copy import deepcopy
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from adversary.fuzz.rules import FUZZERS, Fuzzer
from test_format_pages import examples

from rropt.checker import explain
from rropt.checker.explain import SENTENCES
from rropt.checker.verdicts import _RULES, explain_text

NUMBER = re.compile(r"-?\d+(?:/\d+)?")
EXAMPLES = [(rule, document) for rule, document in examples() if explain_text(json.dumps(document))[0]]


def told(document: Any) -> list[str]:
    verdict, lines = explain_text(json.dumps(document))
    assert verdict
    return lines


def line(document: Any, label: str) -> str:
    return next(line for line in told(document) if line.startswith(f"{label}: "))


def test_every_rule_has_its_sentence() -> None:
    assert set(SENTENCES) == set(_RULES)


def places(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if isinstance(data, dict):
        yield path
    for key, value in data.items() if isinstance(data, dict) else enumerate(data if isinstance(data, list) else ()):
        yield from places(value, (*path, key))


@pytest.mark.parametrize(("rule", "document"), EXAMPLES, ids=[f"{i} {rule}" for i, (rule, _) in enumerate(EXAMPLES)])
def test_no_object_takes_a_key_that_could_mislead(rule: str, document: Any) -> None:
    """A level, a claim, a note beside the true ones, in any object of the file: rejected, and nothing is explained."""
    assert told(document)[0].startswith((f"rule {rule}: ", f"statement {rule}: "))
    for path in islice(places(document), 40):
        for extra in ({"note": "epsilon = 0"}, {"proved": "1"}, {"delta ": "0"}):
            mutant = deepcopy(document)
            at = mutant
            for key in path:
                at = at[key]
            at.update(extra)
            verdict, lines = explain_text(json.dumps(mutant))
            assert not verdict
            assert lines == []


@pytest.mark.drawn(3)
@pytest.mark.parametrize("fuzzer", FUZZERS, ids=lambda fuzzer: fuzzer.name)
def test_whatever_is_accepted_is_told_and_all_its_numbers_stand_in_the_file(fuzzer: Fuzzer) -> None:
    seen = 0
    for piece in islice(fuzzer.pieces(random.Random(5)), 60):
        verdict, lines = explain_text(piece.text)
        assert bool(lines) == bool(verdict)
        for number in NUMBER.findall(" ".join(line for line in lines[1:] if "about" not in line)):
            assert number in piece.text or number.isdigit(), (number, lines)
        seen += bool(verdict)
    assert seen or fuzzer.name.startswith(("criterion", "orders"))


def of(rule: str, number: int = 0) -> Any:
    return deepcopy([document for name, document in EXAMPLES if name == rule][number])


def test_what_a_rule_leaves_alone_is_not_told() -> None:
    trace = of("linear-programme")
    before = told(trace)
    trace["problem"]["population"] = ["1/7", "6/7"]
    assert told(trace) == before
    farkas = of("farkas", 1)
    before = told(farkas)
    farkas["problem"]["objective"]["weights"] = ["17", "19"]
    farkas["problem"]["population"] = ["1/7", "6/7"]
    assert told(farkas) == before
    programme = of("linear-programme", 3)
    programme["problem"] |= {"rows": [{"coefficients": [], "relation": ">=", "bound": "1"}], "cost": ["23", "29"]}
    programme |= {"claim": {"kind": "infeasible"}, "witness": {"rule": "farkas", "multipliers": [["0", "1"]]}}
    assert not re.search("minimise|23|29", " ".join(told(programme)))


def test_what_is_not_claimed_is_said_so() -> None:
    nothing = of("farkas")
    assert line(nothing, "proved") == "proved: no design in the region has p00 + p11 other than 1"
    cover = of("cover")
    cover["claim"]["attained"] = None
    assert line(cover, "infimum of the odds ratio").endswith("nothing is claimed")
    assert "rational tier" in line(of("linear-programme", 2), "level")
    assert explain_text(json.dumps(of("handelman")))[0].note.startswith("vacuous")


def test_long_numbers_are_rounded_and_long_expressions_counted() -> None:
    identity = of("identity")
    long = "1" * 3000
    identity["problem"] |= {"left": long, "right": long}
    assert line(identity, "left") == "left: about 1.11111111111111E+2999"
    tree: Any = {"sum": ["x"] * 2000}
    identity["problem"] |= {"left": tree, "right": tree}
    assert line(identity, "left").startswith("left: an expression of ")


def test_bounds_that_differ_are_not_called_one_number() -> None:
    """Numbers are compared, not their decimals; as many digits are shown as it takes to see the difference."""
    bits = of("bits")
    assert line(bits, "proved") == "proved: the optimum is 305/4"
    for power in (20, 60, 500, 9000, 19000):
        bits["claim"]["upper"] = f"7625{'0' * (power - 3)}1/1{'0' * power}"  # 305/4 + 10^-power
        verdict, lines = explain_text(json.dumps(bits))
        assert verdict
        proved = next(line for line in lines if line.startswith("proved"))
        low, high = proved.removeprefix("proved: ").split(" <= optimum <= ")
        assert low != high
        assert "1e-20" in str(verdict) if power == 20 else "1e-30" in str(verdict)
    bits["claim"] |= {"lower": "-" + "9" * 20_000, "upper": "9" * 20_000}  # their difference has 20 001 digits
    assert "more than 1e20001 below" in str(explain_text(json.dumps(bits))[0])


@pytest.mark.parametrize("rule", sorted({rule for rule, _ in EXAMPLES} & set(_RULES)))
def test_an_unknown_kind_is_an_error(rule: str) -> None:
    """No kind is told as another one: of the problem, the region, the objective, the claim, the mechanism."""
    document = of(rule)
    list(explain.explain(document, ""))
    tried = 0
    for path in list(places(document)):
        mutant = deepcopy(document)
        at = mutant
        for key in path:
            at = at[key]
        ignored = path == ("problem", "objective") and document["claim"]["kind"] == "infeasible"
        if path and path[0] != "witness" and not ignored and isinstance(at.get("kind"), str):
            at["kind"] = "unheard-of"
            with pytest.raises((ValueError, KeyError), match="unheard-of"):
                list(explain.explain(mutant, ""))
            tried += 1
    assert tried


def test_b_is_proved_once(monkeypatch: pytest.MonkeyPatch) -> None:
    from rropt.checker import brackets

    calls = []
    prove = brackets.check_cover
    monkeypatch.setattr(brackets, "check_cover", lambda *parts: (calls.append(1), prove(*parts))[1])
    assert "rational tier" in line(of("linear-programme", 2), "level")
    assert calls == [1]


def test_the_module_explains(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from rropt.checker.__main__ import guarded

    file = tmp_path / "c.json"
    file.write_text(json.dumps(of("farkas")))
    assert guarded(["--explain", str(file), str(tmp_path / "none")]) == 2
    assert capsys.readouterr().out.splitlines() == [f"{file}: accepted", *(f"  {line}" for line in told(of("farkas")))]
    assert guarded(["--explain"]) == 2
