"""The Nigeria survey: contact with armed groups, asked with a die.

Blair, Imai and Zhou (2015), data set `nigeria` of the R package rr: forced response by a die (truth with probability
2/3, forced yes 1/6, forced no 1/6); 2435 answers, 831 of them yes.

Prints the privacy of the die, the estimate with its margins, the same estimate from the responses of single
respondents, the certified optimal design at the same epsilon, posed again in SymPy and in CVXPY, what another device of
the same epsilon would have cost, and the checker's verdict on the certificate. It needs no extra.
"""

from __future__ import annotations

import math
import subprocess
import sys
import tempfile
from fractions import Fraction
from pathlib import Path

import rropt
from rropt.core.exact import both_texts, decimal_text
from rropt.inference import confidence_intervals
from rropt.mechanisms.named.tuned import truth_probability

YES, N = 831, 2435  # Blair, Imai and Zhou (2015)
HARMLESS = Fraction(1, 4)  # prevalence of the harmless attribute of the device it is compared with


def main() -> None:
    die = rropt.Mechanism("forced:2/3,1/6,1/6")
    epsilon, gamma = die.epsilon, die.parity()
    print(f"The die\n{die}\n")

    survey = rropt.inference.estimate(die, yes=YES, n=N)
    intervals = confidence_intervals(survey)
    print(f"The estimate from {YES} of {N} answers")
    print(f"  prevalence       {both_texts(survey.prevalence)}")
    print(f"  standard error   {survey.standard_error:.6f}")
    for kind in ("normal", "chebyshev"):
        interval = intervals[kind]
        print(f"  95 % interval    {float(interval.lower):.4f} to {float(interval.upper):.4f}", end="")
        print(f", margin {float(interval.margin):.4f} ({kind})")
    print()

    responses = ["yes"] * YES + ["no"] * (N - YES)  # published are the counts: the order is ours
    (row,) = rropt.Responses(responses, die, labels=["no", "yes"]).proportions()
    print("The estimate from the responses of single respondents")
    print(f"  responses        {row.n}")
    print(f"  prevalence       {both_texts(row.estimate)}")
    print(f"  it is            {'the same' if row.estimate == survey.prevalence else 'another'} as from the counts\n")

    solution = rropt.solve(rropt.Problem.binary(survey.prevalence, epsilon=epsilon))
    print(f"The best binary design with epsilon = {epsilon}, at this prevalence\n{solution}")
    same = "the die itself: nothing to save" if solution.optima == (die,) else "another design"
    print(f"  it is {same}\n")

    p = truth_probability(gamma, Fraction(0), HARMLESS)
    other = rropt.Mechanism(f"unrelated:{p},{HARMLESS}")
    ratio = rropt.objectives.EstimatorVariance().value(other, solution.problem.population) / solution.value
    needed = math.ceil(N * ratio)
    print(f"An unrelated question of the same epsilon\n{other}")
    print(f"  n Var is {decimal_text(ratio)} times that of the die")
    print(f"  {needed} respondents for the same precision: {needed - N} more\n")

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "nigeria.json"
        solution.certificate.save(file)
        command = [sys.executable, "-m", "rropt.checker", file.name]
        verdict = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout
    print(f"The independent checker on the certificate\n  {verdict}", end="")


if __name__ == "__main__":
    main()
