"""Students and cheating: five sensitive items per respondent, each with a device of its own, and direct questioning.

Hoeglinger, Jann and Diekmann (2016), data set of the R package GLMMRR: crosswise model. Under "pick a number" there
were four groups of respondents, each with its own probabilities p for the five items: 706 respondents, whose patterns
of answers stand below (answer 1, "same", has probability pi p + (1 - pi)(1 - p); pattern x at sum x_l 2^l, item 0
first). Under "unrelated question" 721 respondents had 60 combinations of six p: here by item. Direct questioning: 720.

Prints the privacy that each design really gave, the prevalence of each item under all three conditions, the most likely
joint distribution of the five items, and the checker's verdict on its certificate.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np

import rropt
from rropt.answers import answers_of_counts
from rropt.core.exact import both_texts
from rropt.inference import estimate_cells, estimate_joint, estimate_marginals, simultaneous_intervals
from rropt.inference.joint_likelihood import certify_estimate

ITEMS = ("copied", "crib notes", "drugs", "handed in plagiarism", "handed in someone else's work")
PICK_A_NUMBER = {
    "1/4,3/4,1/4,3/4,1/4": "0 3 0 0 7 6 4 4 0 0 0 0 3 6 1 2 6 12 4 2 17 29 10 16 3 2 3 1 7 14 3 7",
    "1/6,5/6,1/6,5/6,1/6": "1 1 0 2 4 13 2 0 0 0 2 1 3 1 1 0 5 4 4 7 14 52 9 16 0 8 0 0 9 6 4 3",
    "3/4,1/4,3/4,1/4,3/4": "4 1 12 7 0 3 6 1 14 13 22 19 6 4 13 6 3 0 3 3 1 3 1 2 2 1 8 5 0 0 3 4",
    "5/6,1/6,5/6,1/6,5/6": "7 2 13 8 0 2 5 1 9 11 44 24 2 2 12 7 1 1 3 0 1 1 2 1 3 3 12 7 1 0 6 1",
}
CHANCES = ("167/1000", "197/1000", "101/500", "23/100", "13/50", "38/125")
UNRELATED = {  # respondents and answers 1 at each of these chances
    "copied": ((153, 105), (136, 81), (66, 43), (150, 91), (144, 91), (72, 41)),
    "crib notes": ((135, 92), (152, 91), (68, 50), (145, 89), (148, 100), (73, 54)),
    "drugs": ((135, 107), (146, 97), (74, 61), (125, 79), (162, 106), (79, 54)),
    "handed in plagiarism": ((151, 116), (134, 99), (70, 55), (149, 109), (141, 99), (76, 55)),
    "handed in someone else's work": ((136, 111), (142, 94), (77, 61), (163, 112), (137, 101), (66, 52)),
}
DIRECT = dict(zip(ITEMS, (157, 74, 21, 21, 11), strict=True))  # of 720


def pick_a_number() -> list[rropt.answers.Answers]:
    """Return the four groups of respondents."""
    return [
        answers_of_counts(rropt.Mechanism(f"bits:{chances}"), list(map(int, counts.split())))
        for chances, counts in PICK_A_NUMBER.items()
    ]


def unrelated(item: str) -> list[rropt.answers.Answers]:
    """Return the six groups of an item."""
    return [
        answers_of_counts(rropt.Mechanism(f"crosswise:{p}"), [n - same, same])
        for p, (n, same) in zip(CHANCES, UNRELATED[item], strict=True)
    ]


def main() -> None:
    groups = pick_a_number()
    print("Privacy: each question alone, and all five answers together")
    for group in groups:
        each = ", ".join(str(device.epsilon) for device in group.mechanism.factors)
        print(f"  {group.n} respondents: {each}; together {both_texts(group.mechanism.epsilon, 5)}")
    levels = [rropt.Mechanism(f"crosswise:{p}").epsilon for p in CHANCES]
    least, most = (both_texts(choice(levels, key=float), 5) for choice in (min, max))
    print(f"  unrelated question, one item: {least} to {most}")

    print("\nPrevalence of each item, standard error, and 95 % intervals for all ten at once (Bonferroni, normal)")
    tables = estimate_marginals(groups, 1)
    tables += tuple(estimate_cells(unrelated(item), weights="precision") for item in ITEMS)
    ends = simultaneous_intervals(tables).ends
    for item, *found in zip(ITEMS, tables[:5], tables[5:], ends[:5], ends[5:], strict=True):
        print(f"  {item}: {DIRECT[item] / 720:.4f} asked directly")
        for name, table, interval in zip(("pick a number", "unrelated question"), found[:2], found[2:], strict=True):
            low, high = interval[1]
            share, error = table.floats()[1], table.standard_errors[1]
            print(f"    {name:19}{share:8.4f} +- {error:.4f}   {low:.4f} to {high:.4f}   n = {table.n}")

    both = estimate_joint(groups)
    population = np.array(both.population, float)
    print("\nThe joint distribution of the five items (pick a number): most likely, standard error, and unbiased")
    for cell in np.argsort(-population)[:8].tolist():
        done = ", ".join(item for place, item in enumerate(ITEMS) if cell >> place & 1) or "nothing"
        shares = f"{population[cell]:.4f} +- {both.standard_errors()[cell]:.4f}"
        print(f"  {shares}   {both.table.floats()[cell]:8.4f} +- {both.table.standard_errors[cell]:.4f}   {done}")
    for remark in both.remarks():
        print(f"  remark: {remark}")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "students.json"
        certify_estimate(both.groups, both.population, both.likelihood_gap).save(file)
        print(f"\nThe independent checker on the most likely distribution\n  {rropt.check(file)}")


if __name__ == "__main__":
    main()
