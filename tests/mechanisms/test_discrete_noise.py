"""Discrete noise: its law by enumeration of the random bits, what it releases, and why floats are not safe."""

from __future__ import annotations

import io
import json
import math
import random
from collections import Counter
from fractions import Fraction
from itertools import permutations

import pytest
from few_rows import few_rows
from later import later
from stress import STRESS

from rropt.core.errors import InvalidParameterError
from rropt.mechanisms import DiscreteLaplace, Sensitivity
from rropt.mechanisms.sampling import fair_bits
from rropt.mechanisms.sampling.fair_bits import DiscreteNoise, RandomBits

chi2 = later("scipy.stats", "chi2")

DEPTH = 18 if STRESS else 12


class OutOfBitsError(Exception):
    """A string of bits decides nothing yet."""


class Scripted(RandomBits):
    """Reads a given string of bits."""

    __slots__ = ("read", "script")

    def __init__(self) -> None:
        super().__init__()
        self.script, self.read = (), 0

    def bits(self, count: int) -> int:
        if self.read + count > len(self.script):
            raise OutOfBitsError
        taken = self.script[self.read : self.read + count]
        self.read += count
        return sum(bit << i for i, bit in enumerate(reversed(taken)))


def decided(draw, bits: Scripted, depth: int) -> tuple[Counter, Fraction]:
    """Return the chance of what strings of so many bits decide, exactly, and of what they leave open."""
    law, rest, waiting = Counter(), Fraction(0), [()]
    while waiting:
        bits.script, bits.read = waiting.pop(), 0
        try:
            found = draw()
        except OutOfBitsError:
            if len(bits.script) < depth:
                waiting += [(*bits.script, 0), (*bits.script, 1)]
            else:
                rest += Fraction(1, 2**depth)
            continue
        assert bits.read == len(bits.script)
        law[found] += Fraction(1, 2 ** len(bits.script))
    return law, rest


LAWS = {
    "1": ("1", Sensitivity.count()),
    "1/2": ("1/2", Sensitivity.count()),
    "3/2": ("3/2", Sensitivity.count()),
    "2 over 3": ("2", Sensitivity.given(3)),
    "log(3)": ("log(3)", Sensitivity.count()),
    "3/2*log(2)": ("3/2*log(2)", Sensitivity.given(3)),
}


@pytest.mark.parametrize("name", LAWS)
def test_the_law_by_all_strings_of_bits(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is decided is at most the law, and what is open is all that is missing: so the law, as the depth grows."""
    monkeypatch.setattr(fair_bits, "_WORD", 1)
    epsilon, sensitivity = LAWS[name]
    mechanism, bits = DiscreteLaplace(sensitivity, epsilon), Scripted()
    law, rest = decided(DiscreteNoise(mechanism, bits).draw, bits, DEPTH)
    assert rest < Fraction(2, 3)
    assert sum(law.values()) + rest == 1
    for z in range(-12, 13):
        low, high = mechanism.probability(z)
        assert law[z] <= high
        assert law[z] + rest >= low
        assert law[z] == law[-z] or z == 0


@few_rows(1)
@pytest.mark.parametrize(("epsilon", "move", "draws"), [("1/2", 1, 20_000), ("1/2*log(3)", 2, 4000), ("1/10", 7, 8000)])
def test_the_law_by_a_fixed_seed(epsilon: str, move: int, draws: int) -> None:
    """Chi-square of the cells that are expected at least ten times, and exactly symmetric beyond them."""
    mechanism = DiscreteLaplace(Sensitivity.given(move), epsilon)
    noise = DiscreteNoise(mechanism, RandomBits(random.Random(16).randbytes))
    seen = Counter(noise.draw() for _ in range(draws))
    expected = {z: draws * float(mechanism.probability(z).lower) for z in range(-400, 401)}
    cells = {z: e for z, e in expected.items() if e >= 10}
    rest = draws - sum(cells.values())
    statistic = sum((seen[z] - e) ** 2 / e for z, e in cells.items())
    statistic += (sum(n for z, n in seen.items() if z not in cells) - rest) ** 2 / rest
    assert 1e-4 < chi2.sf(statistic, len(cells)) < 1 - 1e-4


@pytest.mark.parametrize("u", range(3))
def test_a_coin_of_an_algebraic_chance(u: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """(2/3)^(u/3), read bit by bit: at any depth one string of bits is open."""
    monkeypatch.setattr(fair_bits, "_WORD", 1)
    bits = Scripted()
    noise = DiscreteNoise(DiscreteLaplace(Sensitivity.given(3), "log(3/2)"), bits)
    law, rest = decided(lambda: noise._power(u, 3, 2), bits, 14)
    assert rest == (Fraction(1, 2**14) if u else 0)
    assert law[True] ** 3 <= Fraction(2, 3) ** u <= (law[True] + rest) ** 3


def test_uniform_integers_and_shuffles_are_exactly_uniform() -> None:
    bits = Scripted()
    for n in (1, 2, 3, 5, 8):
        law, rest = decided(lambda n=n: bits.below(n), bits, 9)
        assert set(law) == set(range(n))
        assert len(set(law.values())) == 1
        assert rest == 1 - sum(law.values()) < Fraction(1, 10)
    law, rest = decided(lambda: tuple(bits.shuffled(range(4))), bits, 11)
    assert set(law) == set(permutations(range(4)))
    assert max(law.values()) - min(law.values()) <= rest < Fraction(1, 5)


def test_the_privacy_of_a_release_is_its_ratio() -> None:
    """Of all outcomes of neighbouring counts: at most gamma, and attained; exact fractions."""
    mechanism = DiscreteLaplace(Sensitivity.given(2), "2*log(3)")
    law = {z: mechanism.probability(z).lower for z in range(-30, 31)}
    ratios = {law[z] / law[z - move] for move in (-2, -1, 1, 2) for z in range(-20, 21)}
    assert max(ratios) == 9


def test_what_is_released() -> None:
    noise = DiscreteNoise(DiscreteLaplace(Sensitivity.histogram(3), "100"))
    assert noise.release([10, "20", Fraction(30)]) == (10, 20, 30)  # off by one with chance below 10^-21
    halves = DiscreteNoise(DiscreteLaplace(Sensitivity.total(0, 1), 100, "1/2"))
    assert (2 * halves.release(["3/2"])[0]).denominator == 1


@pytest.mark.parametrize("values", [[], [1, 2], ["8312.5"], ["secret8312"], [float("nan")]])
def test_a_value_that_is_refused_is_not_repeated(values: list[object]) -> None:
    noise = DiscreteNoise(DiscreteLaplace(Sensitivity.count(), 1))
    with pytest.raises(InvalidParameterError) as refused:
        noise.release(values)
    assert "8312" not in str(refused.value)
    assert refused.value.__cause__ is None


def float_laplace(value: float, u: float) -> float:
    """Return the textbook's sampler: a count and the logarithm of a uniform double (Mironov, 2012)."""
    return value - math.copysign(1.0, u) * math.log(1 - 2 * abs(u))


def reaches(value: float, outcome: float) -> bool:
    """Whether some uniform double of 53 bits near the only place gives exactly this outcome."""
    sign = math.copysign(1.0, outcome - value)
    near = round((1 - math.exp(-abs(outcome - value))) / 2 * 2**53)
    return any(float_laplace(value, sign * u * 2.0**-53) == outcome for u in range(near - 40, near + 41))


def test_doubles_betray_the_count() -> None:
    """Of what the float sampler says of the count 0, a large share cannot have come from the count 1: epsilon is
    infinite."""
    draw = random.Random(2012)
    outcomes = [float_laplace(0.0, draw.random() - 0.5) for _ in range(300)]
    assert all(reaches(0.0, z) for z in outcomes)
    betrayed = sum(not reaches(1.0, z) for z in outcomes)
    assert 50 < betrayed < 250, betrayed


def test_the_command(cli, cli_json, monkeypatch: pytest.MonkeyPatch) -> None:
    """Figures beside those of the classes, both norms, and a release that is one of the multiples of the step."""
    found = cli_json("laplace", "--gamma", "3", "--at", "log(2)", "--threshold", "2", "--release", "831")
    assert (found["discrete"]["variance"], found["discrete"]["delta"]) == ("3/2", "1/4")
    assert (found["discrete"]["tail"], found["continuous"]["tail"]) == ({"linf": "1/6"}, {"linf": "1/9"})
    assert found["discrete"]["accuracy"] == {"linf": "3"}
    assert abs(int(found["released"][0]) - 831) < 60  # beyond with chance 3^-60
    sums = cli_json("laplace", "sum:0,10", "--epsilon", "1", "--step", "1/2", "--release", "7/2")
    assert (2 * Fraction(sums["released"][0])).denominator == 1
    monkeypatch.setattr("sys.stdin", io.StringIO("10 20\n30\n"))
    args = ("laplace", "histogram:3", "--epsilon", "100", "--neighbours", "add-remove", "--release", "-")
    status, out, err = cli(*args)
    assert (status, "10, 20, 30" in out, "once" in err or "only" in err) == (0, True, True)
    far = cli_json("laplace", "histogram:8", "--epsilon", "1/3000", "--threshold", "30000")
    assert set(far["continuous"]["accuracy"]) == {"linf", "l1", "l2"} > set(far["discrete"]["accuracy"])
    status, out, err = cli("laplace", "histogram:8", "--epsilon", "1/3000", "--threshold", "30000")
    assert (status, "not computed" in out, "too long" in err) == (0, True, True)


@pytest.mark.parametrize("released", ["8312.5", "8312,8313", "secret-8312", "8312,5"])
def test_the_command_repeats_no_value(cli, released: str) -> None:
    """Neither refused, nor in the question that JSON holds."""
    for words in ((), ("--json",), ("--confidence", "2"), ("--confidence", "2", "--json")):
        status, out, err = cli("laplace", "--epsilon", "1", "--release", released, *words)
        assert status == 2
        assert "831" not in out + err
    status, out, err = cli("laplace", "--epsilon", "1/1000", "--release", "8312000000", "--step", "1000000", "--json")
    assert status == 2  # nobody moves the count by so many
    assert "8312" not in out + err
    status, out, err = cli("laplace", "--epsilon", "1/10000", "--release", "831283128312", "--json")
    assert status == 0
    assert "release" not in json.loads(out)["question"]
