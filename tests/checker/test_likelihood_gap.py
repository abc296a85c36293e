"""The statement likelihood-gap: what it says, what it refuses for its size, and the library's own files."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from adversary.asking import ask
from adversary.estimates import bound, file, improved
from column_stochastic import column_stochastic
from few_rows import few_rows

from rropt.inference.joint_likelihood import certify_estimate
from rropt.inference.likelihood import gap_of, most_likely
from rropt.mechanisms import Mechanism, ProductMechanism, named_mechanism
from rropt.mechanisms.kronecker import kronecker_product_floats

F = Fraction
DIE = [[F(3, 4), F(1, 4)], [F(1, 4), F(3, 4)]]
TEN = [F(7, 10), F(3, 10)]


@pytest.mark.parametrize(
    ("gap", "sentence"),
    [
        (F(0), "no population is more likely than the point, by 100 answers under 1 mechanism"),
        (F(1, 10**9), "more than 1e-9 above"),
        (F(2, 10**9), "more than 1e-8 above"),
        (F(1, 10**500), "more than 1e-30 above"),
        (F(7, 3), "more than 3 above"),
    ],
)
def test_it_says_what_was_verified(gap: Fraction, sentence: str) -> None:
    assert sentence in str(ask(json.dumps(file([([DIE], [60, 40])], TEN, gap, None))))


def _hostile() -> dict[str, tuple[dict[str, Any], str]]:
    one, half = [["1", "1"]], [["1/2"], ["1/2"]]
    honest = file([([DIE], [60, 40])], TEN, F(0), 64)

    def changed(groups: Any = None, point: Any = None, bits: Any = "64") -> dict[str, Any]:
        data = json.loads(json.dumps(honest))
        data["proof"]["bits"] = bits
        data["problem"]["groups"] = groups or data["problem"]["groups"]
        data["claim"]["point"] = point or data["claim"]["point"]
        return data  # type: ignore[no-any-return]

    def group(factors: Any, count: int) -> dict[str, Any]:
        return {"mechanism": {"product": factors}, "counts": ["1"] * count}

    uniform = [f"1/{1 << 16}"] * (1 << 16)
    long = f"{10**4000 + 1}"
    uneven = [["1/3", f"1/{long}"], ["2/3", f"{int(long) - 1}/{long}"]]
    return {
        "outputs": (changed([group([half] * 19, 1)], ["1"]), "more than 262144 outputs"),
        "outputs, many": (changed([group([half] * 64, 1)], ["1"]), "more than 262144 outputs"),
        "factors": (changed([group([half] * 65, 1)], ["1"]), "product has 65 entries"),
        "on the way": (changed([group([half] * 8 + [one] * 16, 1 << 8)], uniform), "on the way"),
        "many groups": (changed([group([one] * 16, 1)] * 60, uniform), "more work"),
        "long numbers": (changed([group([uneven] * 8, 1 << 8)], ["1"] + ["0"] * 255), "more work"),
        "exact quotients": (changed([group([DIE_TEXT] * 12, 1 << 12)], _mixed(1 << 12), bits=None), "too long"),
    }


DIE_TEXT = [["3/4", "1/4"], ["1/4", "3/4"]]


def _mixed(cells: int) -> list[str]:
    weights = [1 + (x * x * 7919) % 10007 for x in range(cells)]
    return [str(F(w, sum(weights))) for w in weights]


HOSTILE = _hostile()


@few_rows(1)
@pytest.mark.parametrize("name", HOSTILE)
def test_what_would_be_too_much_is_refused(name: str) -> None:
    data, reason = HOSTILE[name]
    assert reason in str(ask(json.dumps(data)))


@pytest.mark.slow
def test_the_library_writes_what_is_accepted(rng: Any, size: Callable[[int, int], int]) -> None:
    """Random surveys: the library's gap is the bound in fractions, rounded up, and its file is accepted."""
    for _ in range(size(25, 200)):
        factors = [
            column_stochastic(rng, k + rng.choice((0, 0, 1)), k) for k in rng.choices((2, 2, 3), k=rng.randint(1, 3))
        ]
        products = [ProductMechanism([Mechanism(f) for f in factors]) for _ in range(rng.choice((1, 2)))]
        groups = [
            (p, np.array([rng.randint(0, 99) if any(p.row(i)) else 0 for i in range(p.outputs)])) for p in products
        ]
        if not all(counts.sum() for _, counts in groups):
            continue
        population, gap = most_likely(groups)
        plain = [(factors, counts.tolist()) for _, counts in groups]
        assert certify_estimate(groups, population, gap).check()
        least = bound(plain, list(population))
        assert least is not None
        assert max(least, F(0)) <= gap <= max(least, F(0)) + F(1, 2**50)
        assert gap < F(1, 10**9)
        if gap:
            tighter = certify_estimate(groups, population, gap - gap / 10**9)
            assert "exceeds 1 + gap" in tighter.check().reason
        near = [F(x).limit_denominator(1000) for x in improved(plain, 50)]
        near[near.index(max(near))] += 1 - sum(near)
        assert gap_of(groups, near, 200) is None or certify_estimate(groups, near, F(1000), 200).check()


@pytest.mark.slow
def test_twelve_bits() -> None:
    """n = 12, m = 10^5: sparse and not; the gap per response is below 10^-9, by the file alone."""
    generator = np.random.default_rng(5)
    mechanism = named_mechanism("bits:3/4*6,generalised:4/5,7/10*5,forced:2/3,1/6,1/6")
    assert isinstance(mechanism, ProductMechanism)
    sparse = np.zeros(4096)
    sparse[generator.choice(4096, 12, replace=False)] = generator.dirichlet(np.ones(12))
    for population in (sparse, generator.dirichlet(np.full(4096, 0.2))):
        chances = np.maximum(kronecker_product_floats([f.to_numpy() for f in mechanism.factors], population), 0)
        counts = generator.multinomial(100_000, chances / chances.sum())
        best, gap = most_likely([(mechanism, counts)])
        assert gap < F(1, 10**9)
        assert certify_estimate([(mechanism, counts)], best, gap).check()
