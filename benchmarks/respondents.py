"""Laws and views of the answers of many respondents, plans of decks, designs at one budget; prints processor seconds.

python benchmarks/respondents.py
"""

from __future__ import annotations

import time
from collections.abc import Callable
from fractions import Fraction

import numpy as np

from rropt import Mechanism
from rropt.accounting import DealtDeck, DrawnAnswers
from rropt.mechanisms import DiscreteLaplace, Sensitivity, named_mechanism
from rropt.mechanisms.central.noise_reports import noise_report
from rropt.mechanisms.sampling import DiscreteNoise
from rropt.plans import plan_deck
from rropt_fieldwork import compare_designs, deal
from rropt_fieldwork.devices.randomizing_devices import best_device, deck, dice

SHARES = (5, 10, 20, 30, 35)
FIVE = Mechanism([[Fraction(a, 100), Fraction(b, 100)] for a, b in zip(SHARES, SHARES[::-1], strict=True)])
THREE = named_mechanism("christofides:1/10,3/10,6/10")
NOISE = DiscreteNoise(DiscreteLaplace(Sensitivity.count(), "1/10"))
SPINNER = named_mechanism("warner:3/4")


def ends(device: DrawnAnswers, view: str, epsilon: str) -> str:
    lower, upper = device.view(view).delta_bracket(epsilon)
    return f"{float(lower):.9g}, ends {float((upper - lower) / lower):.1g} of it apart"


BUDGETS = [Fraction(i, 200) for i in range(1, 1001)]  # epsilon from 0.005 to 5
PEOPLE, SHARE = 10_000, Fraction(1, 10)
TABLE_2 = ("0.01", "0.05", "0.25", "0.5")


def designs(*, certify: bool) -> list[list[float]]:
    """Return n Var of ten designs at 1000 budgets; every parameter, efficiency and viewpoint is computed with it."""
    asked = {"prevalence": SHARE, "respondents": PEOPLE, "surveyed": True, "certify": certify}
    found = [compare_designs(epsilon, **asked) for epsilon in BUDGETS]
    return [[float(d.variance) for d in one.designs if d.variance is not None] for one in found]


def designs_in_floats() -> list[list[float]]:
    """Return the same n Var from the formulas of the literature, in floats, whole arrays at once: nothing else."""
    g, n, pi = np.exp(np.array(BUDGETS, dtype=float)), PEOPLE, float(SHARE)
    warner = g / (g - 1) ** 2
    cards = (((g + 1) / (g - 1)) ** 2 / 0.99 - 1) / 4
    rest, low = 9900, np.ceil(9900 / (g + 1))
    dealt = pi * (1 - pi) * n / (n - 1) * (rest * n / (rest - 2 * low) ** 2 - 1)
    noise = 2 / np.log(g) ** 2 / n, 2 * g / (g - 1) ** 2 / n
    columns = [warner] * 5 + [cards, dealt, warner, *noise]
    return [list(map(float, one)) for one in zip(*columns, strict=True)]


def largest_difference() -> float:
    pairs = zip(designs(certify=False), designs_in_floats(), strict=True)
    return max(abs(a / b - 1) for mine, theirs in pairs for a, b in zip(mine, theirs, strict=True))


def table_2() -> list[int | None]:
    """Return its twelve cells: modified Warner, modified Christofides, improved by the formula."""
    found = [
        compare_designs(e, prevalence="0.1", surveyed=True, middle="0.01", certify=False).for_goal(variance="0.1")
        for e in TABLE_2
    ]
    printed = [one[name].needed for name in ("warner", "christofides") for one in found]
    return printed + [plan_deck(e, "0.1", "0.1", middle="0.01").formula_n for e in TABLE_2]


def rows() -> dict[str, Callable[[], object]]:
    count = DrawnAnswers(SPINNER, 10**5)
    return {
        "sum of 1000 of five cards, drawn": lambda: len(DrawnAnswers(FIVE, 1000, 1).sum_law(300)),
        "its estimator": lambda: len(DrawnAnswers(FIVE, 1000, 1).estimator_law(300)),
        "sum of 1000 of five cards, dealt": lambda: len(DealtDeck([10 * a for a in SHARES]).sum_law(300)),
        "its estimator, another deck": lambda: len(DealtDeck([100, 150, 200, 250, 300]).estimator_law(500)),
        "histogram of 100 of three cards, drawn": lambda: len(DrawnAnswers(THREE, 100, 1).histogram_law(30)),
        "histogram of 30 of five cards, drawn": lambda: len(DrawnAnswers(FIVE, 30, 1).histogram_law(10)),
        "histogram of 100 of three cards, dealt": lambda: len(DealtDeck([10, 30, 60]).histogram_law(30)),
        "histogram of 30 of five cards, dealt": lambda: len(DealtDeck([6] * 5).histogram_law(10)),
        "delta of 30 of five cards, counts": lambda: ends(DrawnAnswers(FIVE, 30, 1), "counts", "1/2"),
        "delta of 100 of three cards, counts": lambda: ends(DrawnAnswers(THREE, 100, 1), "counts", "1/2"),
        "delta of 10^5 yes and no, the count": lambda: ends(count, "sum", "1/100"),
        "10^5 draws of Laplace noise on a count": lambda: len([NOISE.draw() for _ in range(10**5)]),
        "Laplace noise on a histogram of 100 cells, all norms": lambda: len(
            noise_report(DiscreteLaplace(Sensitivity.histogram(100), 1)).accuracy
        ),
        "deck of 4*10^5 cards, dealt": lambda: len(deal(DealtDeck([10**5, 10**5, 2 * 10**5]))),
        "delta of 10^5 of five cards, the sum": lambda: ends(DrawnAnswers(FIVE, 10**5, 1), "sum", "1/100"),
        "all views of a deck of 10^9": lambda: [
            str(DealtDeck([10**8, 9 * 10**8]).view(v).epsilon) for v in ("one", "sum")
        ],
        "decks of the improved row of Table 2": lambda: [
            plan_deck(e, "0.1", "0.1", middle="0.01").n for e in ("0.01", "0.05", "0.25", "0.5")
        ],
        "all of Table 2": table_2,
        "ten designs at 1000 budgets, certified": lambda: len(designs(certify=True)),
        "the same, the optimum by its closed form alone": lambda: len(designs(certify=False)),
        "their n Var alone, in floats with NumPy": lambda: len(designs_in_floats()),
        "the largest relative difference (both once more)": largest_difference,
        "best use of 52 cards": lambda: best_device(deck(52), "log(9)", "1/10").value,
        "best uses of five dice": lambda: [float(best_device(one, 1, "1/5").value) for one in dice(5)],
    }


def main() -> None:
    for name, work in rows().items():
        begin = time.process_time()
        result = work()
        print(f"{name:48} {time.process_time() - begin:7.2f} s   {str(result)[:60]}")


if __name__ == "__main__":
    main()
