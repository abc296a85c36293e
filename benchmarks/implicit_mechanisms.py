"""Products and orbits without their matrix: forward, inverse, privacy, drawing; prints processor seconds of each.

python benchmarks/implicit_mechanisms.py
"""

from __future__ import annotations

import time
from collections.abc import Callable
from fractions import Fraction

import numpy as np

from rropt.accounting import DealtDeck
from rropt.mechanisms import Mechanism, OrbitMechanism, ProductMechanism
from rropt.mechanisms.kronecker import kronecker_product_floats
from rropt.mechanisms.left_inverse import inverses_of
from rropt.mechanisms.sampling import Randomizer

BITS = ProductMechanism([Mechanism.binary("3/4", "3/4")] * 20)
UNLIKE = [Mechanism.binary(Fraction(60 + i, 100), Fraction(90 - i, 100)) for i in range(20)]
SUBSETS = OrbitMechanism.subset_selection(60, 20, 9)


def shares(count: int) -> list[Fraction]:
    weights = np.random.default_rng(1).integers(1, 1000, count).tolist()
    return [Fraction(weight, 1000) for weight in weights]


def bracket(factors: list[Mechanism], epsilon: str) -> str:
    lower, upper = ProductMechanism(factors).delta_bracket(epsilon)
    return f"{float(lower):.9f}, width {float(upper - lower):.1e}"


def rows() -> dict[str, Callable[[], object]]:
    population = shares(1 << 20)
    floats = np.array([float(x) for x in population])
    forward, inverse = (
        [np.array(rows, float) for rows in matrices]
        for matrices in ([bit.matrix for bit in BITS.factors], inverses_of(BITS.factors))
    )
    unlike = ProductMechanism(UNLIKE)
    answers = np.random.default_rng(2).integers(0, 2, (10**6, 10)).astype(np.uint8)
    ten = Randomizer(ProductMechanism([Mechanism.binary("3/4", "3/4")] * 10))
    different = [Mechanism.binary(Fraction(200 + i, 400), Fraction(200 + i, 400)) for i in range(40, 104)]
    drawer = Randomizer(SUBSETS)
    return {
        "20 bits, forward, exact": lambda: BITS.apply(population)[0],
        "20 bits, forward and inverse, exact": lambda: BITS.invert(BITS.apply(population)) == tuple(population),
        "20 unlike bits, forward, exact": lambda: unlike.apply(population)[0].denominator.bit_length(),
        "20 bits, forward and inverse in floats": lambda: abs(
            kronecker_product_floats(inverse, kronecker_product_floats(forward, floats)) - floats
        ).max(),
        "64 equal bits, whole profile": lambda: len(ProductMechanism(list(BITS.factors[:1]) * 64).profile().pieces),
        "14 different bits, delta(2), exact": lambda: bracket(different[:14], "2"),
        "64 different bits, delta(10), enclosed": lambda: bracket(different, "10"),
        "20 unlike bits, delta(5), enclosed": lambda: bracket(UNLIKE, "5"),
        "10^6 answers to 10 questions, seeded": lambda: ten.simulate_questions(answers, rng=1).sum(),
        "10^6 answers to 10 questions": lambda: ten.randomize_questions(answers).sum(),
        "subsets of 20 of 60, parity and profile": lambda: (SUBSETS.parity(), len(SUBSETS.profile().pieces)),
        "1000 subsets of 20 of 60 drawn": lambda: len(set(drawer.randomize_many(np.zeros(1000, int)).tolist())),
        "deck of 100 cards of 3 kinds, the sum's epsilon": lambda: str(DealtDeck([33, 33, 34]).view("sum").epsilon),
    }


def main() -> None:
    for name, work in rows().items():
        begin = time.process_time()
        result = work()
        print(f"{name:52} {time.process_time() - begin:7.2f} s   {str(result)[:60]}")


if __name__ == "__main__":
    main()
