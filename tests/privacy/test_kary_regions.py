"""Regions with levels by pair and with bounds on entries: forms, membership, files, and what is refused."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from every_case import every_case
from random_families import random_mechanism
from stored_cases import cases_of
from support.regions import by_distance

from rropt.core.errors import InvalidParameterError, RroptError
from rropt.core.exact import Epsilon
from rropt.mechanisms import Mechanism
from rropt.privacy import LevelsRegion
from rropt.privacy.bounded_regions import BoundedRegion, region_from_dict
from rropt.privacy.region import PrivacyRegion
from rropt.privacy.region_files import load_bounds, load_levels

UNIFORM = PrivacyRegion("log(2)", inputs=3, outputs=3)


def in_file(read: Callable[..., Any], text: str, *more: object) -> Any:
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write(text)
        file.flush()
        return read(file.name, *more)


def bounds_in(text: str, region: PrivacyRegion = UNIFORM) -> BoundedRegion:
    return in_file(load_bounds, text, region)


def levels_in(text: str) -> list[list[object]]:
    return in_file(load_levels, text)


def test_one_level_for_all_pairs_is_local_privacy(rng: random.Random) -> None:
    """Membership agrees with the parity, for rational and irrational levels; both answers occur."""
    inside = 0
    for _ in range(60):
        mechanism = random_mechanism(rng, 3, 3, 0)
        for level in ("log(2)", "1", "1/2*log(10)", "log(4)"):
            pairs = LevelsRegion.by_pair([[None if j == o else level for o in range(3)] for j in range(3)])
            expected = PrivacyRegion(level, inputs=3, outputs=3).contains(mechanism)
            assert pairs.contains(mechanism) == expected
            assert expected == (float(mechanism.epsilon) <= float(Epsilon.of(level)) + 1e-12)  # no tie is that near
            inside += expected
    assert 20 < inside < 220


def test_the_boundary_belongs_to_the_region() -> None:
    """Parity exactly gamma is inside; a zero beside a non-zero is outside at every finite level, and inside without."""
    half = Mechanism([["2/3", "1/3"], ["1/3", "2/3"]])
    assert PrivacyRegion("log(2)").contains(half)
    assert not PrivacyRegion("log(199/100)").contains(half)
    assert LevelsRegion.by_pair([[None, "log(2)"], ["log(2)", None]]).contains(half)
    zero = Mechanism([["1", "1/2"], ["0", "1/2"]])
    assert not PrivacyRegion("100").contains(zero)
    assert LevelsRegion.by_pair([[None, "log(2)"], [None, None]]).contains(zero)
    assert not LevelsRegion.by_pair([[None, None], ["100", None]]).contains(zero)
    assert not by_distance(3, "1").contains(half)


def test_distances() -> None:
    region = by_distance(4, "1/2*log(3)")
    assert [str(level) for level in region.pair_levels[0]] == ["None", "1/2*log(3)", "log(3)", "3/2*log(3)"]
    far = by_distance(5, "30")
    assert far.pair_levels[0][4] is None
    assert str(far.pair_levels[0][3]) == "90"
    assert by_distance(3, "1", outputs=2).outputs == 2
    bracket = region.bracket(10)
    assert not bracket.is_exact
    (two,) = [part for part in bracket.listed if (0, 2) in part.pairs]
    assert two.below.gamma == two.above.gamma == 3


def test_forms_both_ways() -> None:
    pairs = LevelsRegion.by_pair([[None, "1", None], ["log(2)", None, "1/3*log(5)"], [None, "0", None]], outputs=4)
    for region in (UNIFORM, pairs, BoundedRegion.sparse(pairs, least={(3, 2): "1/7"}, most={(0, 1): "1/2"})):
        assert region_from_dict(region.to_dict()) == region
        assert hash(region_from_dict(region.to_dict())) == hash(region)
    nested = {**BoundedRegion.sparse(UNIFORM).to_dict(), "region": BoundedRegion.sparse(UNIFORM).to_dict()}
    for wrong in (None, {}, {"kind": "privacy-levels"}, {"kind": "bounded"}, nested, {"kind": "ball"}):
        with pytest.raises(InvalidParameterError):
            region_from_dict(wrong)


def test_bounds_from_files() -> None:
    """JSON and CSV say the same; every way to give a bound."""
    text = (
        '{"diagonal": "1/2", "entries": [{"output": 0, "input": 1, "most": "1/3"}, '
        '{"output": "2", "input": "0", "least": 0.1}]}'
    )
    region = bounds_in(text)
    assert [region.least[j][j] for j in range(3)] == [Fraction(1, 2)] * 3
    assert region.most[0][1] == Fraction(1, 3)
    assert region.least[2][0] == Fraction(1, 10)
    table = "output,input,least,most\n0,0,1/2,\n1,1,1/2,-\n2,2,0.5,\n0,1,,1/3\n2,0,1/10,\n"
    assert bounds_in(table) == region
    both = bounds_in('{"entries": [{"output": 1, "input": 2, "least": "1/9", "most": "1/3"}]}')
    assert (both.least[1][2], both.most[1][2]) == (Fraction(1, 9), Fraction(1, 3))
    assert bounds_in('{"diagonal": {"2": "1/4"}}').least[2][2] == Fraction(1, 4)
    assert bounds_in('{"diagonal": [null, "1/4", null]}').least[1][1] == Fraction(1, 4)
    free = "[null, null, null]"
    whole = f'{{"least": [["1/9", null, null], {free}, {free}], "most": [[null, null, "1/2"], {free}, {free}]}}'
    assert bounds_in(whole).most[0][2] == Fraction(1, 2)
    slack = PrivacyRegion("log(2)", "1/10", inputs=3, outputs=3)
    assert bounds_in('{"forbidden": [[0, 2]]}', slack).most[0][2] == 0


def test_levels_from_files() -> None:
    assert levels_in('{"levels": [[null, "1"], ["log(2)", null]]}') == [[None, "1"], ["log(2)", None]]
    assert levels_in("-, 1\nlog(2),null\n") == [[None, "1"], ["log(2)", None]]
    assert LevelsRegion.by_pair(levels_in("-,1,\n1,-,1\n,1,-")).pair_levels[0][2] is None


def test_a_forbidden_transition_is_refused_where_it_breaks_privacy() -> None:
    with pytest.raises(InvalidParameterError, match="forbidden transition from input 2 to output 0 breaks privacy"):
        BoundedRegion.sparse(UNIFORM, most={(0, 2): 0})
    BoundedRegion.sparse(UNIFORM, most={(0, j): 0 for j in range(3)})  # an answer that is never given
    BoundedRegion.sparse(PrivacyRegion("1", "1/10", inputs=3, outputs=3), most={(0, 2): 0})
    free = LevelsRegion.by_pair([[None, "1", None], ["1", None, None], [None, None, None]])
    BoundedRegion.sparse(free, most={(0, 2): 0})  # no level compares input 2 with the others
    with pytest.raises(InvalidParameterError, match="breaks privacy"):
        BoundedRegion.sparse(free, most={(0, 1): 0})


READERS = {"bounds": bounds_in, "levels": levels_in}


@every_case(("kind", "text"), [(kind, text) for kind, texts in cases_of(__file__).items() for text in texts])
def test_a_bad_file_is_one_line(kind: str, text: str) -> None:
    with pytest.raises(RroptError) as caught:
        READERS[kind](text)
    assert isinstance(caught.value, ValueError)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 500
